"""Where things run, read from the environment once per process."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from lethe.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Settings:
    """The environment of one instance. A URL that is None means: the embedded server of `home`."""

    home: Path
    database_url: str | None
    admin_url: str | None
    broker_url: str | None
    cache_url: str | None
    embedder: str | None
    extractor: str
    policy: Path | None
    llm_base_url: str | None = None
    llm_api_key: str | None = field(default=None, repr=False)
    llm_model: str | None = None

    @classmethod
    def from_environment(cls) -> Settings:
        """Raises InvalidInput for a URL that names no server of the right sort."""
        environ = os.environ
        for variable, schemes in _SCHEMES.items():
            _check_url(variable, environ.get(variable), schemes)
        return cls(
            home=Path(environ.get("LETHE_HOME") or _default_home()).absolute(),
            database_url=environ.get("LETHE_DATABASE_URL") or None,
            admin_url=environ.get("LETHE_ADMIN_URL") or None,
            broker_url=environ.get("LETHE_BROKER_URL") or None,
            cache_url=environ.get("LETHE_CACHE_URL") or None,
            embedder=environ.get("LETHE_EMBEDDER") or None,
            extractor=environ.get("LETHE_EXTRACTOR") or "local",
            policy=Path(environ["LETHE_POLICY"]).absolute() if environ.get("LETHE_POLICY") else None,
            llm_base_url=environ.get("LETHE_LLM_BASE_URL") or None,
            llm_api_key=environ.get("LETHE_LLM_API_KEY") or None,
            llm_model=environ.get("LETHE_LLM_MODEL") or None,
        )


_POSTGRESQL = re.compile(r"postgres(ql)?(\+\w+)?")
_REDIS = re.compile(r"(redis|valkey)s?|unix|redis\+socket")
_SCHEMES = {
    "LETHE_DATABASE_URL": _POSTGRESQL,
    "LETHE_ADMIN_URL": _POSTGRESQL,
    "LETHE_BROKER_URL": _REDIS,
    "LETHE_CACHE_URL": _REDIS,
}


def _check_url(variable: str, url: str | None, schemes: re.Pattern[str]) -> None:
    if not url:
        return
    scheme, separator, rest = url.partition("://")
    if not (separator and rest and schemes.fullmatch(scheme)):
        example = "postgresql://role:password@host:5432/name" if schemes is _POSTGRESQL else "redis://host:6379/0"
        raise InvalidInput(f"{variable} is no URL of such a server", hint=f"Write it as {example}, or unset it.")


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process."""
    return Settings.from_environment()


def _default_home() -> str:
    if os.geteuid() == 0:
        return "/var/lib/lethe"
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(data, "lethe")
