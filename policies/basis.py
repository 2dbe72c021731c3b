"""On what an agent may say that its proposal rests: no more than its turn bears out."""

from __future__ import annotations

import re

from lethe.records import Author, Basis
from policies.grounds import parts

_YES = re.compile(
    r"^\W*(?:(?:oh|ah|well|ok(?:ay)?|so)\W+)*(?:yes|yeah|yep|yup|correct|right|exactly|indeed|absolutely|definitely|confirmed|i confirm|"
    r"that(?:['’]s| is) (?:right|correct|true|so)|true|sure|please do|go ahead|save (?:it|that)|remember (?:it|that|this))\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(?:but|except|although|not quite|no longer|wrong|actually)\b", re.IGNORECASE)


def backed(basis: Basis, author: Author, verified: bool, text: str) -> Basis:
    """The basis that a turn of this author and text bears out.

    Confirmed is what its user says yes to; observed is what a verified tool reports, and else a guess from behaviour.
    """
    if basis is Basis.CONFIRMED and not (author is Author.USER and _says_yes(text)):
        return Basis.STATED
    if basis is Basis.OBSERVED and not (author is Author.TOOL and verified):
        return Basis.INFERRED
    return basis


def _says_yes(text: str) -> bool:
    own = parts(text).own
    return bool(_YES.search(own)) and not _BUT.search(own)
