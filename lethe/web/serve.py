"""Runs the local HTTP process on a unix socket that its owner alone can open."""

from __future__ import annotations

import logging
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from lethe import log
from lethe.endpoints import api_socket, api_token
from lethe.errors import BadPlace
from lethe.recall.handouts import HandOutLog
from lethe.recall.search import SETS
from lethe.settings import Settings
from lethe.web.app import Services, create_app

LONGEST_PATH = 100
IDLE_S = 300.0


def serve(settings: Settings, services: Services) -> None:
    """Answer until the process is told to end; the model is loaded first, so that no caller waits for it."""
    ensure_token(settings.home)
    services.embedder.embed(["warm"])
    handouts = HandOutLog(services.engine, uses=services.uses)
    ending = threading.Event()
    threading.Thread(target=_let_go_of_idle_sets, args=(ending,), name="owner-sets", daemon=True).start()
    try:
        with listening(api_socket(settings.home)) as open_socket:
            log.get().info("api.ready")
            server(services, handouts).run(sockets=[open_socket])
    finally:
        ending.set()
        handouts.close()
        log.get().info("api.ended")


def server(services: Services, handouts: HandOutLog) -> uvicorn.Server:
    """The HTTP server, silent about what it is asked."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # its tracebacks quote what was asked
    config = uvicorn.Config(
        create_app(services, handouts),
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_keep_alive=60,
        timeout_graceful_shutdown=10,
    )
    return uvicorn.Server(config)


def _let_go_of_idle_sets(ending: threading.Event) -> None:
    while not ending.wait(IDLE_S / 10):
        SETS.expire(IDLE_S)


def ensure_token(home: Path) -> str:
    """The token of this instance, made on first use; readable by the owner alone."""
    file = api_token(home)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or not file.read_text().strip():
        new = file.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)
        new.write_text(secrets.token_urlsafe(32))
        new.replace(file)
    return file.read_text().strip()


@contextmanager
def listening(path: Path) -> Iterator[socket.socket]:
    """A listening unix socket with mode 0600; a file that a killed process left is taken over."""
    if len(str(path)) > LONGEST_PATH:
        raise BadPlace(f"{path} is too long for a unix socket ({LONGEST_PATH} characters at most)")
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
        made.bind(str(new))
        new.chmod(0o600)
        made.listen(128)
        new.replace(path)  # it only appears once it answers
        ours = path.stat().st_ino
        try:
            yield made
        finally:
            if path.exists() and path.stat().st_ino == ours:
                path.unlink()
