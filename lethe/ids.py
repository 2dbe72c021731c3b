"""Ids. Those of turns, owners and keys follow from names; memories, proposals and the rest get random ones.

Outside, an id is its kind and its hexadecimal form: "mem_4f0c…".
"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from uuid import UUID, uuid4

from lethe.errors import NotFound
from lethe.records import Scope


def new_id() -> UUID:
    """A random id."""
    return uuid4()


def turn_id(tenant: str, session: str, turn: str) -> UUID:
    """The id of the turn of that name."""
    return _hashed("turn", tenant, session, turn)


def owner_id(tenant: str, scope: Scope) -> UUID:
    """The id of an owner scope within a tenant."""
    return _hashed("owner", tenant, scope.user, scope.project, scope.task)


def key_id(tenant: str, scope: Scope, subject: str, predicate: str) -> UUID:
    """The id of what one fact is about: (tenant, owner, subject, predicate), without regard to case and spacing."""
    return _hashed("key", tenant, scope.user, scope.project, scope.task, folded(subject), folded(predicate))


def words_id(text: str) -> UUID:
    """The id of a wording: the same words pasted again have the same one."""
    return _hashed("words", folded(text))


def folded(text: str) -> str:
    """A text without regard to case, spacing, punctuation at its ends and Unicode form."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).strip(" .,;:!?\"'“”‘’")


ARTICLES = ("a ", "an ", "the ", "my ", "our ")


def plain_value(text: str) -> str:
    """A value without regard to case, spacing and a leading article: what two proposals of a key must share to say the same."""
    value = folded(text)
    for article in ARTICLES:
        value = value.removeprefix(article)
    return value


def shown(prefix: str, value: UUID) -> str:
    """The outside form of an id."""
    return f"{prefix}_{value.hex}"


def parsed(prefix: str, text: str) -> UUID:
    """The id behind its outside form; raises NotFound where it is none."""
    start = f"{prefix}_"
    try:
        return UUID(hex=text[len(start) :] if text.startswith(start) else text)
    except ValueError:
        hint = f"`lethe {_LISTED_BY.get(prefix, 'memories')} --tenant T` lists what is there."
        raise NotFound(f"{text!r} is no id of this kind (they begin with {start!r})", hint=hint) from None


_LISTED_BY = {"con": "consolidations", "rev": "reviews", "prop": "held", "del": "receipts"}


def _hashed(*parts: str | None) -> UUID:
    digest = blake2b(digest_size=16)
    for part in parts:
        raw = b"" if part is None else b"\x01" + part.encode()
        digest.update(len(raw).to_bytes(4, "big"))
        digest.update(raw)
    return UUID(bytes=digest.digest())


def content_id(*parts: str) -> UUID:
    """The id of a thing that is the same thing whenever its content is the same."""
    return _hashed("content", *parts)
