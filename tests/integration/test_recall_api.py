"""The local HTTP process over its unix socket: tokens, answers, errors, and silence about what was asked."""

from __future__ import annotations

import socket
import stat
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import Engine

from lethe.endpoints import api_socket, api_token
from lethe.errors import BadPlace, InvalidInput, LetheError, NotFound, NotRunning
from lethe.index.embedder import Vectors
from lethe.recall import search
from lethe.recall.handouts import HandOutLog
from lethe.settings import Settings
from lethe.web.local import ask, healthy
from lethe.web.serve import ensure_token, listening, server
from policies.ranking import PolicyRanking
from tests.integration.recall_rows import NOW, TENANT, Rows, WordModel, days
from tests.ranking_policy import POLICY


class FailingModel(WordModel):
    """Fails at some texts, and quotes them."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if "failing" in texts[0]:
            raise ZeroDivisionError(texts[0])
        return super().embed(texts)


MODEL = FailingModel()
RANKING = PolicyRanking(POLICY)


@dataclass
class Parts:
    """What the process is given."""

    engine: Engine
    settings: Settings
    embedder: Any = MODEL
    ranking: Any = RANKING

    def clock(self) -> datetime:
        return NOW


@pytest.fixture
def settings() -> Iterator[Settings]:
    with tempfile.TemporaryDirectory(prefix="lethe-") as folder:
        yield replace(Settings.from_environment(), home=Path(folder))


@pytest.fixture
def running(engine: Engine, settings: Settings) -> Iterator[Settings]:
    search.SETS.forget()
    ensure_token(settings.home)
    handouts = HandOutLog(engine)
    with listening(api_socket(settings.home)) as opened:
        process = server(Parts(engine, settings), handouts)
        thread = threading.Thread(target=process.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield settings
        finally:
            process.should_exit = True
            thread.join(20)
            handouts.close()


def claims(answer: dict[str, Any]) -> list[str]:
    return [memory["claim"] for memory in answer["memories"]]


def test_it_answers_one_question_many_and_the_profile(engine: Engine, running: Settings) -> None:
    rows = Rows(engine)
    rows.memory("The user lives in Oulu.")
    rows.memory("The user prefers tea.", kind="preference")
    question = {"tenant": TENANT, "user": "ann", "query": "Where does the user live?", "threshold": 0.1}
    assert healthy(running)
    assert claims(ask(running, "/v1/recall", question)) == ["The user lives in Oulu."]
    many = ask(running, "/v1/recall/batch", {"queries": [question, {**question, "query": "tea"}]})["answers"]
    assert [claims(answer) for answer in many] == [["The user lives in Oulu."], ["The user prefers tea."]]
    assert claims(ask(running, "/v1/profile", {"tenant": TENANT, "user": "ann"})) == ["The user prefers tea."]
    assert claims(ask(running, "/v1/profile", {"tenant": TENANT, "user": "ann", "as_of": days(-20).isoformat()})) == []


@pytest.mark.parametrize("path", ["/v1/recall", "/v1/recall/batch", "/v1/profile"])
def test_without_the_right_token_it_answers_nothing(running: Settings, path: str) -> None:
    stranger = replace(running, home=running.home / "other")
    api_socket(stranger.home).parent.mkdir(parents=True)
    api_socket(stranger.home).symlink_to(api_socket(running.home))
    for guess in ("", "guess", ensure_token(running.home)[:-1]):
        api_token(stranger.home).write_text(guess)
        with pytest.raises(LetheError) as refused:
            ask(stranger, path, {"tenant": TENANT, "user": "ann", "query": "tea"})
        assert refused.value.code == "unauthorised"


JSON = b"Content-Type: application/json\r\n"


def raw(running: Settings, head: bytes, body: bytes = b"") -> bytes:
    """What comes back for bytes that no client of ours would send; the body is not sent to its end."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(api_socket(running.home)))
        client.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + JSON + head + b"\r\n" + body)
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_a_stranger_is_refused_before_the_body_is_read(running: Settings) -> None:
    assert b" 401 " in raw(running, b"Content-Length: 1000000000\r\n", b"{")


def test_a_token_counts_as_a_bearer_token_alone(running: Settings) -> None:
    token = ensure_token(running.home).encode()
    for head in (b"Authorization: " + token + b"\r\n", b"Authorization: Basic " + token + b"\r\n"):
        assert b" 401 " in raw(running, head + b"Content-Length: 2\r\n", b"{}")


@pytest.mark.parametrize("length", [b"Content-Length: 1000000000\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_body_without_measure_is_refused(running: Settings, length: bytes) -> None:
    head = b"Authorization: Bearer " + ensure_token(running.home).encode() + b"\r\n" + length
    megabyte = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
    answer = raw(running, head, megabyte * 32 + b"1\r\nx\r\n" if b"chunked" in length else b"{")
    assert b" 413 " in answer and b"body_too_large" in answer


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[]", b"nan"])
def test_a_body_that_is_no_question_is_unusable_input(running: Settings, body: bytes) -> None:
    head = b"Authorization: Bearer " + ensure_token(running.home).encode() + b"\r\nContent-Length: %d\r\n" % len(body)
    assert b"invalid_input" in raw(running, head, body)


def test_errors_come_back_as_they_were_raised(running: Settings) -> None:
    with pytest.raises(InvalidInput) as scope:
        ask(running, "/v1/recall", {"tenant": TENANT, "query": "tea"})
    assert scope.value.code == "scope_missing"
    with pytest.raises(InvalidInput) as field:
        ask(running, "/v1/recall", {"tenant": TENANT, "user": "ann", "query": "tea", "k": 0})
    assert "k" in field.value.message
    with pytest.raises(NotFound):
        ask(running, "/v1/unknown", {})


def test_where_nothing_runs_that_is_said(settings: Settings) -> None:
    assert not healthy(settings)
    with pytest.raises(NotRunning):
        ask(settings, "/v1/recall", {})
    ensure_token(settings.home)
    with pytest.raises(NotRunning):
        ask(settings, "/v1/recall", {})


def test_a_failure_inside_tells_its_sort_and_no_text(running: Settings, capfd: pytest.CaptureFixture[str]) -> None:
    question = {"tenant": TENANT, "user": "ann", "query": "a failing question about zubrelimka"}
    with pytest.raises(LetheError) as failed:
        ask(running, "/v1/recall", question)
    assert "ZeroDivisionError" in failed.value.message
    heard = capfd.readouterr()
    said = failed.value.message + failed.value.hint + heard.err + heard.out
    assert "zubrelimka" not in said
    assert "request.failed" in heard.out + heard.err


def test_many_ask_at_once_and_each_gets_its_own_answer(engine: Engine, running: Settings) -> None:
    for user in range(8):
        Rows(engine).memory(f"The user lives in town{user}.", user=f"u{user}", turn=f"t{user}")

    def one(number: int) -> list[str]:
        user = number % 8
        return claims(
            ask(
                running,
                "/v1/recall",
                {"tenant": TENANT, "user": f"u{user}", "query": "Where does the user live?", "threshold": 0},
            )
        )

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(one, range(64)))
    assert answers == [[f"The user lives in town{number % 8}."] for number in range(64)]


def test_socket_and_token_are_the_owners_alone(running: Settings) -> None:
    for file in (api_socket(running.home), api_token(running.home)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_socket_that_a_killed_process_left_is_taken_over(settings: Settings) -> None:
    path = api_socket(settings.home)
    path.parent.mkdir(parents=True)
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    with listening(path) as opened:
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(path))
        client.close()
        assert opened.getsockname()
    assert not path.exists()


def test_a_path_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPlace), listening(tmp_path / ("x" * 120)):
        pass
