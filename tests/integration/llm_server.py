"""A scripted endpoint that speaks OpenAI's chat format over real HTTP: good on request, and wrong in every known way.

A behaviour is a function of the request. The server plays its `script`, one behaviour a request, and then `then` for ever.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL, KEY = "scripted-1", "sk-scripted"


@dataclass(frozen=True)
class Asked:
    """A request as the endpoint sees it."""

    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.body["messages"][1]["content"]).get("conversation", [])
        return found

    @property
    def claims(self) -> list[str]:
        """The claims that are to be worded as one."""
        found: list[str] = json.loads(self.body["messages"][1]["content"]).get("claims", [])
        return found

    @property
    def turns(self) -> dict[str, str]:
        """{label: text} of the turns that are asked about."""
        return {entry["turn"]: entry["text"] for entry in self.entries if "turn" in entry}


@dataclass(frozen=True)
class Answered:
    """What goes back. `status` 0: the connection is reset instead."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0


Behaviour = Callable[[Asked], Answered]


def claim(turn: str, quote: str, **fields: Any) -> dict[str, Any]:
    """One memory as a model words it; by default a residence."""
    given = {
        "turn": turn, "quote": quote, "kind": "semantic", "subject": "user", "predicate": "lives_in", "object": "Oulu",
        "claim": "The user lives in Oulu.", "negated": False, "act": "assert", "basis": "stated", "confidence": 0.95,
        "importance": 0.8, "cardinality": "single", "event_date": None, "expires_date": None, "replaces": None,
        "changed": False, "for_project": False,
    }  # fmt: skip
    return {**given, **fields}


def completion(content: str | None, **fields: Any) -> Answered:
    """A chat completion with this content."""
    finish, refusal = fields.pop("finish", "stop"), fields.pop("refusal", None)
    message = {"role": "assistant", "content": content, "refusal": refusal}
    usage = fields.pop("usage", {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280})
    body = {"id": "c1", "object": "chat.completion", "model": MODEL, "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}]}  # fmt: skip
    return Answered(body=json.dumps(body).encode(), **fields)


def memories(found: Sequence[Mapping[str, Any]], **fields: Any) -> Answered:
    return completion(json.dumps({"memories": list(found)}), **fields)


# --- behaviours ---------------------------------------------------------------------------------------------------

_LIVES = re.compile(r"I live in (\w+)")
_PREFERS = re.compile(r"I prefer (\w+) over (\w+)")


def good(asked: Asked) -> Answered:
    """Reads "I live in X" and "I prefer X over Y" as a model should."""
    return memories(reading(asked))


def reading(asked: Asked) -> list[dict[str, Any]]:
    found = []
    for label, text in asked.turns.items():
        if hit := _LIVES.search(text):
            found.append(claim(label, hit[0], object=hit[1], claim=f"The user lives in {hit[1]}."))
        if hit := _PREFERS.search(text):
            found.append(claim(label, hit[0], kind="preference", predicate="prefers_drink", object=hit[1],
                               claim=f"The user prefers {hit[1]} over {hit[2]}."))  # fmt: skip
    return found


def _with(**changed: Any) -> Behaviour:
    return lambda asked: memories([each | changed for each in reading(asked)])


def slow(asked: Asked) -> Answered:
    """Answers only when nobody waits for it any more."""
    return memories(reading(asked), wait=30.0)


def uncounted(asked: Asked) -> Answered:
    return memories(reading(asked), usage=None)


def broken_content(_: Asked) -> Answered:
    return completion('{"memories": [{"turn": "t1", "cla')


def broken_body(_: Asked) -> Answered:
    return Answered(body=b"<html>All is well</html>")


def other_schema(_: Asked) -> Answered:
    return completion('{"facts": ["The user lives in Atlantis."]}')


def empty(_: Asked) -> Answered:
    return completion("")


def oversize(asked: Asked) -> Answered:
    return memories([each | {"claim": each["claim"] * 200_000} for each in reading(asked)])


def far_too_many(asked: Asked) -> Answered:
    return memories(reading(asked) * 50)


def invented_turn(asked: Asked) -> Answered:
    return memories([*reading(asked), claim("t99", "I live in Oulu")])


def refusal(_: Asked) -> Answered:
    return completion(None, refusal="I cannot help with that.")


def filtered(_: Asked) -> Answered:
    return completion(None, finish="content_filter")


def truncated(asked: Asked) -> Answered:
    return completion(json.dumps({"memories": reading(asked)})[:-9], finish="length")


def truncated_when_many(asked: Asked) -> Answered:
    return truncated(asked) if len(asked.turns) > 1 else good(asked)


def reset(_: Asked) -> Answered:
    return Answered(status=0)


def wrong_key(_: Asked) -> Answered:
    return _error(401, code="invalid_api_key")


def server_fault(_: Asked) -> Answered:
    return _error(500)


def overloaded(_: Asked) -> Answered:
    return _error(429)


def rate_limited(seconds: float | str) -> Behaviour:
    return lambda _: _error(429, headers={"Retry-After": str(seconds)})


def bad_request(_: Asked) -> Answered:
    return _error(400, code="invalid_request_error")


def too_long(_: Asked) -> Answered:
    return _error(400, code="context_length_exceeded")


def without_temperature(asked: Asked) -> Answered:
    """A model that takes no temperature and knows max_tokens under its newer name."""
    for name in ("temperature", "max_tokens"):
        if name in asked.body:
            return _error(400, code="unsupported_parameter", param=name)
    return good(asked)


invented_numbers = _with(object="4711", claim="The user lives in flat 4711.")
invented_names = _with(object="Atlantis", claim="The user lives in Atlantis.")
wrong_language = _with(claim="L'utilisateur habite chez lui.")


def _error(status: int, headers: Mapping[str, str] | None = None, **error: Any) -> Answered:
    body = json.dumps({"error": {"message": "no", "type": "error", **error}}).encode()
    return Answered(status, body, headers or {})


# --- the server ---------------------------------------------------------------------------------------------------


@dataclass
class Scripted:
    """A running endpoint."""

    url: str
    script: deque[Behaviour] = field(default_factory=deque)
    then: Behaviour = good
    asked: list[Asked] = field(default_factory=list)

    def plays(self, *behaviours: Behaviour, then: Behaviour = good) -> None:
        self.script, self.then = deque(behaviours), then
        self.asked.clear()

    def answer(self, asked: Asked) -> Answered:
        if (wrong := _malformed(asked)) is not None:
            return _error(400, code=wrong)
        self.asked.append(asked)
        behaviour = self.script.popleft() if self.script else self.then
        return behaviour(asked)


def _malformed(asked: Asked) -> str | None:
    """An endpoint is strict about its format; a client that passes here speaks it."""
    form = asked.body.get("response_format", {})
    schema = form.get("json_schema", {}).get("schema", {})
    if asked.headers.get("Authorization") != f"Bearer {KEY}" or not asked.body.get("model"):
        return "invalid_api_key"
    if form.get("type") != "json_schema" or form["json_schema"].get("strict") is not True or not schema:
        return "no_schema"
    open_objects = [each for each in _objects(schema) if each.get("additionalProperties") is not False
                    or set(each["required"]) != set(each["properties"])]  # fmt: skip
    return "not_strict" if open_objects or not (asked.turns or asked.claims) else None


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "properties" in node:
            yield node
        for value in node.values():
            yield from _objects(value)


@contextmanager
def serving() -> Iterator[Scripted]:
    """An endpoint on a port of its own."""
    scripted, over = Scripted(""), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answered = scripted.answer(Asked(body, self.headers))
            over.wait(answered.wait)
            if answered.status == 0:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                return
            try:
                self.send_response(answered.status)
                for name, value in answered.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answered.body)))
                self.end_headers()
                self.wfile.write(answered.body)
            except OSError:
                pass  # the client has gone

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield scripted
    finally:
        over.set()
        server.shutdown()
        server.server_close()
