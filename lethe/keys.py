"""Keyed hashes of turns and names. The keys lie in LETHE_HOME, never in the database; old ones are kept for checking."""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path


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


def keyring(home: Path) -> Keyring:
    """The keyring of an instance; the first caller makes its first key."""
    folder = home / "keys"
    if not list(folder.glob("hmac-*.key")):
        _make(folder)
    keys = {
        file.stem.removeprefix("hmac-"): bytes.fromhex(file.read_text()) for file in sorted(folder.glob("hmac-*.key"))
    }
    return Keyring(max(keys), keys)


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{secrets.token_hex(8)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32))
    try:
        os.link(draft, folder / "hmac-0001.key")
    except FileExistsError:
        pass  # another process was first; its key counts
    finally:
        draft.unlink()
