"""Where the servers of this instance answer: what the environment names, else what the embedded servers wrote down."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from lethe.errors import NotRunning
from lethe.settings import Settings


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Connection URLs in use. `admin_url` and `bin` are None where the server is not ours and none was named."""

    database_url: str
    admin_url: str | None
    bin: str | None
    broker_url: str
    cache_url: str

    def save(self, home: Path) -> None:
        """Write the embedded servers' endpoints, readable by the owner alone (they hold passwords)."""
        file = _file(home)
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(asdict(self)))
        new.replace(file)


def endpoints(settings: Settings) -> Endpoints:
    """The endpoints of this instance; raises NotRunning where neither the environment nor LETHE_HOME names them."""
    embedded = _read(_file(settings.home))
    named = {
        "database_url": settings.database_url,
        "broker_url": settings.broker_url,
        "cache_url": settings.cache_url or settings.broker_url,
        "admin_url": settings.admin_url,
        "bin": None,
    }
    if settings.database_url:
        embedded = {key: value for key, value in embedded.items() if key not in ("database_url", "admin_url", "bin")}
    found = {**embedded, **{name: value for name, value in named.items() if value}}
    missing = [name for name in ("database_url", "broker_url", "cache_url") if not found.get(name)]
    if missing:
        raise NotRunning(f"no server is known for {', '.join(missing)} in {settings.home}")
    return Endpoints(**{name: found.get(name) for name in Endpoints.__slots__})  # type: ignore[arg-type]


def api_socket(home: Path) -> Path:
    """The unix socket of the local HTTP process."""
    return home / "run" / "api.sock"


def api_token(home: Path) -> Path:
    """The file with the token that the local HTTP process asks for."""
    return home / "run" / "api.token"


def _file(home: Path) -> Path:
    return home / "run" / "endpoints.json"


def _read(file: Path) -> dict[str, str | None]:
    try:
        return dict(json.loads(file.read_text()))
    except FileNotFoundError:
        return {}
