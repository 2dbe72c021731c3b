"""Keyed hashes of turns and names. The keys lie in LETHE_HOME, never in the database; old ones are kept for checking.

A new key is known to every process at once, and hashes are made with it only `SEASONING` later: a process that was busy
meanwhile must not meet a tombstone under a key that it has not read.
"""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

SEASONING = timedelta(minutes=15)  # longer than any task may run
PREFIX = "hmac-"


@dataclass(frozen=True, slots=True)
class Keyring:
    """HMAC keys by id; new hashes are made with the `current` one."""

    current: str
    keys: dict[str, bytes]

    def mac(self, *parts: str, key: str | None = None) -> bytes:
        """HMAC-SHA-256 over the parts, each with its length in front."""
        raws = [part.encode() for part in parts]
        framed = b"".join(len(raw).to_bytes(4, "big") + raw for raw in raws)
        return hmac.digest(self.keys[key or self.current], framed, "sha256")

    def macs(self, *parts: str) -> list[bytes]:
        """The hash under every key that was ever in use."""
        return [self.mac(*parts, key=key) for key in self.keys]


def keyring(home: Path, now: datetime) -> Keyring:
    """The keyring of an instance as it is now; the first caller makes its first key."""
    found = _read(home / "keys")
    return Keyring(_current(found, now), {name: key for name, (key, _) in found.items()})


def rotate(home: Path) -> str:
    """Make another key; returns its id. Hashes are made with it after `SEASONING`, those under older keys still check."""
    name = f"{max(map(int, _read(home / 'keys'))) + 1:04}"
    _make(home / "keys", name)
    return name


def described(home: Path, now: datetime) -> list[dict[str, Any]]:
    """Each key as {"sort": "hash", "key", "state": "current", "next" or "kept", "made_at", "in_use_from"}, oldest first."""
    found = _read(home / "keys")
    current = _current(found, now)
    return [
        {
            "sort": "hash",
            "key": name,
            "state": "current" if name == current else "next" if name > current else "kept",
            "made_at": made.isoformat(),
            "in_use_from": (made + SEASONING if name != min(found) else made).isoformat(),
        }
        for name, (_, made) in found.items()
    ]


def _current(found: dict[str, tuple[bytes, datetime]], now: datetime) -> str:
    """The newest key that everybody knows by now."""
    return max((name for name, (_, made) in found.items() if made + SEASONING <= now), default=min(found))


def _read(folder: Path) -> dict[str, tuple[bytes, datetime]]:
    """{id: (key, when it was made)}."""
    if not any(folder.glob(f"{PREFIX}*.key")):
        _make(folder, "0001")
    return _as_of(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _as_of(folder: Path, _changed: int) -> dict[str, tuple[bytes, datetime]]:
    return {
        file.stem.removeprefix(PREFIX): (
            bytes.fromhex(file.read_text()),
            datetime.fromtimestamp(file.stat().st_mtime, UTC),
        )
        for file in sorted(folder.glob(f"{PREFIX}*.key"))
    }


def _make(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{secrets.token_hex(8)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32))
    try:
        os.link(draft, folder / f"{PREFIX}{name}.key")
    except FileExistsError:
        pass  # another process was first; its key counts
    finally:
        draft.unlink()
