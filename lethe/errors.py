"""Every failure that a caller can meet. Each has a stable `code` and a sentence that says what to do."""

from __future__ import annotations


class LetheError(Exception):
    """Something could not be done. `status` is the exit status of the command line: 1 failed, 2 unusable input."""

    code = "failed"
    hint = "See the message; `lethe doctor` checks every part."
    status = 1

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or self.hint
        self.code = code or self.code

    def as_dict(self) -> dict[str, dict[str, str]]:
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


class InvalidInput(LetheError):
    """The words or the input are unusable."""

    code = "invalid_input"
    hint = "Correct the input and try again."
    status = 2


class NotRunning(LetheError):
    """A server that is needed does not answer."""

    code = "not_running"
    hint = (
        "Start it with `lethe up`, or name a running one in LETHE_DATABASE_URL, LETHE_BROKER_URL and LETHE_CACHE_URL."
    )


class NotFound(LetheError):
    """There is no such thing in this tenant."""

    code = "not_found"
    hint = "Check the id and the tenant; `lethe memories --tenant T` lists what is there."


class Unauthorised(LetheError):
    """The token is missing or wrong."""

    code = "unauthorised"
    hint = "Send the content of run/api.token in LETHE_HOME as a bearer token."


class PolicyFault(LetheError):
    """The policy file has faults."""

    code = "policy_invalid"
    hint = "`lethe policy check FILE` lists every fault."
    status = 2


class NotExtracted(LetheError):
    """An extractor made nothing of some turns. `waits`: the fault lies elsewhere, so they wait without being counted towards
    quarantine, for `after` seconds where that is known; otherwise they are tried again one by one and set aside in the end."""

    code = "not_extracted"
    hint = "`lethe status` tells what waits and why; `lethe retry` tries again what was set aside."
    waits = False
    after: float | None = None


class BadPlace(LetheError):
    """LETHE_HOME cannot hold the embedded servers."""

    code = "bad_home"
    hint = "Set LETHE_HOME to a short path that the servers' system user can reach, such as /var/lib/lethe."
