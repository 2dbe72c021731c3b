"""Who may ask, and how much: looked at before a byte of the body is read."""

from __future__ import annotations

import hmac
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lethe.errors import InvalidInput, LetheError, Unauthorised

OPEN_PATH = "/v1/health"
LARGEST_BODY = 32 << 20  # bytes


class Guard:
    """Answers 401 to whoever has no token and 413 to a body that is too large."""

    def __init__(self, app: ASGIApp, token: Path) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == OPEN_PATH:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if not self._knows(headers.get(b"authorization", b"")):
            await _refuse(Unauthorised("this request carries no valid token"), 401, scope, receive, send)
        elif int(headers.get(b"content-length", b"0")) > LARGEST_BODY:
            await _refuse(TooLarge(), 413, scope, receive, send)
        else:
            await self._app(scope, _counted(receive), send)

    def _knows(self, given: bytes) -> bool:
        sort, _, token = given.partition(b" ")
        return sort.lower() == b"bearer" and hmac.compare_digest(token, self._token.read_text().strip().encode())


class TooLarge(InvalidInput):
    """The body is larger than anything that is asked here."""

    code = "body_too_large"
    hint = "Ask in smaller batches."

    def __init__(self) -> None:
        super().__init__(f"the body is larger than {LARGEST_BODY >> 20} MB")


def _counted(receive: Receive) -> Receive:
    """The stream of a body whose length nobody told beforehand."""
    taken = 0

    async def counting() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            raise HTTPException(413)
        return message

    return counting


async def _refuse(fault: LetheError, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    await JSONResponse(fault.as_dict(), status_code=status)(scope, receive, send)
