"""Secrets in configuration and code: `DB_PASSWORD=…`, `"client_secret": "…"`, `?sig=…`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from policies.grounds import word_set
from policies.secret_phrases import trimmed
from policies.secret_values import is_literal, is_mixed, is_name_in_code

Span = tuple[int, int, str]

_ASSIGNED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{1,60})[\"']?\s?(?:=>|:=|==?|:)\s?"
    r"(?P<value>\"[^\"\n]{4,400}\"|'[^'\n]{4,400}'|`[^`\n]{4,400}`|[^\s\"'`,;(){}&]{4,400})"
)
_IN_AN_ADDRESS = re.compile(r"[?&](?P<name>[A-Za-z_][\w.-]{1,60})=(?P<value>[^\s&#\"'<>]{4,600})")
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORDS = word_set("password passwd pwd passphrase passcode pw pass psk")
_KEYS = word_set("secret token apikey credential credentials auth authtoken sig signature seed nonce salt otp")
_BEFORE_KEY = word_set(
    "api secret access private auth encryption signing storage account master client shared license service app consumer session sas wpa"
)


def assignments(text: str) -> Iterator[Span]:
    """Spans of values whose name, by its last part, is a secret's."""
    for match in chain(_ASSIGNED.finditer(text), _IN_AN_ADDRESS.finditer(text)):
        kind = _kind(match.group("name"))
        if kind is None:
            continue
        start, end = trimmed(text, *match.span("value"))
        quoted = text[match.start("value")] in "\"'`"
        if _is_value(text[start:end], quoted) and text[end : end + 1] != "(":
            yield start, end, kind


def _kind(name: str) -> str | None:
    parts = [part.casefold() for part in _NAME_PART.findall(name)]
    if not parts:
        return None
    if parts[-1] in _PASSWORDS:
        return "password"
    named_key = parts[-1] == "key" and len(parts) > 1 and parts[-2] in _BEFORE_KEY
    return "key" if parts[-1] in _KEYS or named_key else None


def _is_value(value: str, quoted: bool) -> bool:
    if len(value) < 4 or is_literal(value) or (is_name_in_code(value) and not quoted):
        return False
    return is_mixed(value) or (value.isdigit() and quoted) or (quoted and " " not in value and len(value) >= 6)
