"""Receipts are signed with Ed25519. The private key lies in LETHE_HOME/keys; public keys are kept for ever beside it."""

from __future__ import annotations

import base64
import json
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "ed25519"


@dataclass(frozen=True, slots=True)
class Checked:
    """`valid`: the signature fits the content. `known`: its key is one of this instance, or the one that was named."""

    valid: bool
    known: bool
    key: str | None


def sign(receipt: dict[str, Any], home: Path) -> dict[str, Any]:
    """The receipt with its signature, under the newest key; the first caller makes the first key."""
    folder = home / "keys"
    if not list(folder.glob("receipt-*.key")):
        make(folder, "0001")
    file = max(folder.glob("receipt-*.key"))
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.read_text()))
    signature = {
        "algorithm": ALGORITHM,
        "key": file.stem.removeprefix("receipt-"),
        "public_key": _encoded(key.public_key().public_bytes_raw()),
        "value": _encoded(key.sign(_canonical(receipt))),
    }
    return {**receipt, "signature": signature}


def check(receipt: dict[str, Any], home: Path, trusted: bytes | None = None) -> Checked:
    """Check a receipt without any server. `trusted`: a raw public key to accept besides those of this instance.

    A signature by a key of this instance under another id than the key's own is not valid.
    """
    signature = receipt.get("signature")
    try:
        key, algorithm = str(signature["key"]), signature["algorithm"]  # type: ignore[index]
        public = base64.b64decode(signature["public_key"], validate=True)  # type: ignore[index]
        value = base64.b64decode(signature["value"], validate=True)  # type: ignore[index]
        Ed25519PublicKey.from_public_bytes(public).verify(value, _canonical(receipt))
    except (InvalidSignature, ValueError, KeyError, TypeError):
        return Checked(False, False, None)
    names = _known(home / "keys").get(public)
    if algorithm != ALGORITHM or (names and key not in names):
        return Checked(False, False, None)
    return Checked(True, names is not None or public == trusted, key)


def make(folder: Path, name: str) -> None:
    """Make a key pair of this name; one that is there already counts."""
    key = Ed25519PrivateKey.generate()
    folder.mkdir(parents=True, exist_ok=True)
    if _write(folder / f"receipt-{name}.key", key.private_bytes_raw().hex(), 0o600):
        _write(folder / f"receipt-{name}.pub", key.public_key().public_bytes_raw().hex(), 0o644)


def rotate(home: Path) -> str:
    """Sign with a new key from now on; returns its id. Old keys stay for checking."""
    folder = home / "keys"
    latest = max((int(file.stem.removeprefix("receipt-")) for file in folder.glob("receipt-*.key")), default=0)
    name = f"{latest + 1:04}"
    make(folder, name)
    return name


def described(home: Path) -> list[dict[str, Any]]:
    """Each key as {"sort": "receipt", "key", "state": "current" or "kept", "made_at", "in_use_from"}, oldest first."""
    files = sorted((home / "keys").glob("receipt-*.key"))
    made = [datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat() for file in files]
    return [
        {
            "sort": "receipt",
            "key": file.stem.removeprefix("receipt-"),
            "state": "current" if file == files[-1] else "kept",
            "made_at": at,
            "in_use_from": at,
        }
        for file, at in zip(files, made, strict=True)
    ]


def _known(folder: Path) -> dict[bytes, set[str]]:
    """{public key: its ids}, also of private ones whose public file was not written."""
    known: dict[bytes, set[str]] = {}
    for file in [*folder.glob("receipt-*.pub"), *folder.glob("receipt-*.key")]:
        raw = bytes.fromhex(file.read_text())
        if file.suffix == ".key":
            raw = Ed25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
        known.setdefault(raw, set()).add(file.stem.removeprefix("receipt-"))
    return known


def _write(file: Path, content: str, mode: int) -> bool:
    draft = file.with_name(f".{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(content)
    try:
        os.link(draft, file)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True


def _canonical(receipt: dict[str, Any]) -> bytes:
    content = {name: value for name, value in receipt.items() if name != "signature"}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
