"""Uses that would make a memory a permit, however they are spelt: a permission is never remembered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from policies.plain import as_latin

# Wherever they stand in a use: "auto_approve", "prepayment", "unauthorised".
_ANYWHERE = re.compile(
    r"approv|authori[sz]|authz|authenticat|permi(?:t|ss)|payment|credential|consent|clearanc|signoff|signingoff|entitle|"
    r"privileg|purchas|mandate|sudo|sanction|whitelist|allowlist|powerofattorney"
)
# At the beginning of a word of it alone: "immigrant" grants nothing, "accessibility" opens nothing.
_FIRST = re.compile(
    r"access(?!ib|or)|auth(?:n|s)?$|pay(?:s|ing|er|out|outs)?$|paid$|grant|admin|allow|clear(?:ed|ing)$|spend|refund|"
    r"login|logon|waive"
)


def permits(uses: Iterable[str]) -> list[str]:
    """Those of these uses that grant something."""
    return sorted(use for use in uses if _grants(use))


def _grants(use: str) -> bool:
    plain = "".join(each for each in unicodedata.normalize("NFKD", as_latin(use)) if not unicodedata.combining(each))
    words = re.findall(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+", plain)
    joined = "".join(words).casefold()
    return bool(_ANYWHERE.search(joined) or any(_FIRST.match(each.casefold()) for each in (*words, joined)))
