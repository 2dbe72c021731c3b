"""The sentence that asks a person whether to keep something: "I can remember that you prefer oat milk. Save it?" """

from __future__ import annotations

import re

_ODD = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_SUBJECT = re.compile(
    r"^The user\b(?!['’]s)(?P<adverbs>(?: \w+ly| always| never| often| also)*)(?: (?P<verb>[\w'’]+))?", re.IGNORECASE
)


def question(claim: str) -> str:
    """What to ask about a held claim in the third person."""
    said = _SUBJECT.sub(_addressed, claim.strip().rstrip("."))
    said = re.sub(r"\bthe user['’]s\b", "your", said, flags=re.IGNORECASE)
    said = re.sub(r"\bthe user\b", "you", said, flags=re.IGNORECASE)
    return f"I can remember that {said}. Save it?"


def _addressed(found: re.Match[str]) -> str:
    verb = found["verb"]
    return f"you{found['adverbs']}" + (f" {_plural(verb)}" if verb else "")


def _plural(verb: str) -> str:
    low = verb.lower().replace("’", "'")
    if low in _ODD:
        return _ODD[low]
    if low.endswith("ies") and len(low) > 4:
        return verb[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1] if low.endswith("s") and not low.endswith(("ss", "us")) else verb
