"""The small client of the local HTTP process. Standard library only: the command line pays for each import."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path
from typing import Any

from lethe.endpoints import api_socket, api_token
from lethe.errors import InvalidInput, LetheError, NotFound, NotRunning
from lethe.settings import Settings

TIMEOUT_S = 300.0
_BY_STATUS: dict[int, type[LetheError]] = {404: NotFound, 422: InvalidInput, 503: NotRunning}


def ask(settings: Settings, path: str, body: Any, timeout: float = TIMEOUT_S) -> dict[str, Any]:
    """POST `body` to the local process and return its answer.

    Raises NotRunning where nothing answers, else the LetheError that the process answered with.
    """
    headers = {"Authorization": f"Bearer {_token(settings.home)}", "Content-Type": "application/json"}
    return _request(settings.home, "POST", path, json.dumps(body).encode(), headers, timeout)


def healthy(settings: Settings, timeout: float = 2.0) -> bool:
    """Does the local process answer?"""
    try:
        return _request(settings.home, "GET", "/v1/health", None, {}, timeout).get("status") == "ok"
    except LetheError:
        return False


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _request(
    home: Path, method: str, path: str, body: bytes | None, headers: dict[str, str], timeout: float
) -> dict[str, Any]:
    connection = _Connection(api_socket(home), timeout)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
    except TimeoutError:
        raise LetheError(f"the local process gave no answer within {timeout:.0f} s", code="timeout") from None
    except (OSError, http.client.HTTPException) as fault:
        raise NotRunning(f"the local process that answers recall does not answer ({type(fault).__name__})") from None
    finally:
        connection.close()
    return _read(answer.status, content)


def _read(status: int, content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except ValueError:
        raise LetheError(f"the local process answered with status {status} and no JSON") from None
    if status != 200:
        error = document["error"]
        raise _BY_STATUS.get(status, LetheError)(error["message"], hint=error["hint"], code=error["code"])
    return dict(document)


def _token(home: Path) -> str:
    try:
        return api_token(home).read_text().strip()
    except OSError:
        raise NotRunning("the local process that answers recall has not been started here") from None
