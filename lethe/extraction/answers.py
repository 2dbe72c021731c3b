"""A short answer read with the question before it: "A Framework 13." after "Which laptop do you use for work?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lethe.extraction.predicates import MANY, SINGLE, predicate_for, third_person
from lethe.extraction.values import canonical, slug
from lethe.extraction.words import words
from lethe.records import Author, Candidate, Kind, Turn

LONGEST = 8  # words; what is longer says itself what it is about

_QUESTION = re.compile(r"([^.!?\n]{6,160})\?\s*$")
_WHICH = re.compile(
    r"^(?:and |so |ok(?:ay)?,? |great[,!.] )?(?P<wh>which|what)(?: kind of| type of| sort of)? (?P<thing>[\w' -]{2,40}?) (?:do|did|are|would) you (?:usually |mostly |currently |normally |still |most )?"
    r"(?P<verb>\w+)(?P<rest> [^,]*)?$",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"^(?:and |so )?(?P<wh>where|what|who|when) do you (?:usually |mostly |currently |normally )?(?P<verb>\w+)(?P<rest> [^,]*)?$",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"^(?:and |so )?(?:what|which|who|when|where)(?:'s| is| are) your (?P<thing>[\w' -]{2,60})$", re.IGNORECASE
)
_OWN_SENTENCE = re.compile(
    r"\b(?:i|i'm|i've|my|we|our|me|is|are|was|please|it|it's|that|this|can|could|what|how|why|thanks|thank|not sure|don't|maybe|none|nothing|later|both|either|neither)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:a|an|the|on|in|at|to|from|with|by|probably|oh|well|hmm|uh)\b\s*,?", re.IGNORECASE)
_BASE_OBJECT = words("have prefer like love need want")


def short_answer(text: str, window: Sequence[Turn]) -> Candidate | None:
    """The claim that a bare answer makes, or None where the turn before asked nothing that it could answer."""
    said = text.strip()
    asked = _question(window)
    if (
        asked is None
        or not said
        or "\n" in said
        or len(said.split()) > LONGEST
        or said.endswith("?")
        or _OWN_SENTENCE.search(said)
    ):
        return None
    answer = said.rstrip(" .!")
    if not re.search(r"[^\W_]", answer) or re.match(
        r"^(?:yes|yeah|no|nope|ok|okay|sure|right|correct|great|cool|hi|hello|done|exactly)\b", answer, re.IGNORECASE
    ):
        return None
    return _which(asked, answer) or _where(asked, answer) or _what_is(asked, answer)


def _question(window: Sequence[Turn]) -> str | None:
    if not window or window[-1].author not in (Author.ASSISTANT, Author.USER):
        return None
    hit = _QUESTION.search(window[-1].text.strip()[-300:])
    return hit[1].strip() if hit else None


def _which(asked: str, answer: str) -> Candidate | None:
    hit = _WHICH.match(asked)
    if hit is None:
        return None
    thing, verb, rest = hit["thing"].strip(), hit["verb"].lower(), (hit["rest"] or "").strip()
    if verb in ("have", "want", "think", "mean", "need") and verb != "have":
        return None
    row = predicate_for(verb, None)
    if verb == "prefer":
        return _made(
            Kind.PREFERENCE,
            slug("prefers", thing.split()[-1]),
            answer,
            f"The user prefers {answer} as {thing}",
            rest,
            single=True,
        )
    tail = f" {rest}" if rest else ""
    ends_in_preposition = re.fullmatch(r"(?:in|at|for|on|with|to|from)", rest)
    if ends_in_preposition:
        row = predicate_for(verb, rest)
        name = row.name if row else slug(third_person(verb), rest)
        return _made(
            Kind.SEMANTIC, name, answer, f"The user {third_person(verb)} {rest} {answer} ({thing})", "", single=False
        )
    name = row.name if row else slug(third_person(verb))
    return _made(
        row.kind if row else Kind.SEMANTIC,
        name,
        answer,
        f"The user {third_person(verb)} {_with_article(answer)} as {thing}{tail}",
        "",
        single=False,
    )


def _where(asked: str, answer: str) -> Candidate | None:
    hit = _WHERE.match(asked)
    if hit is None:
        return None
    verb, rest, wh = hit["verb"].lower(), (hit["rest"] or "").strip(), hit["wh"].lower()
    if verb in ("think", "mean", "want", "need", "feel", "say") or (wh == "what" and verb == "do" and not rest):
        return None
    if wh == "where":
        row = predicate_for(verb, "in") if verb != "work" else predicate_for(verb, "at")
        if not re.match(r"^(?:in|at|on|near)\b", answer, re.IGNORECASE):
            answer = f"{'at' if verb == 'work' else 'in'} {answer}"
        bare = canonical(_OPENING.sub("", answer, count=1))
        name = row.name if row else slug(third_person(verb), answer.split()[0])
        return _made(
            Kind.SEMANTIC,
            name,
            bare,
            f"The user {third_person(verb)} {f'{rest} ' if rest else ''}{answer}",
            "",
            single=bool(row and row.cardinality is SINGLE),
        )
    if wh == "what" and verb == "do" and rest in ("for a living", "for work"):
        return _made(Kind.SEMANTIC, "occupation", answer, f"The user works as {_with_article(answer)}", "", single=True)
    preposition = re.match(r"(as|for|with|on|at|in)$", rest)
    row = predicate_for(verb, preposition[1] if preposition else None)
    name = row.name if row else slug(third_person(verb), preposition[1] if preposition else "")
    said = f"{rest} {answer}" if preposition else f"{answer}{f' {rest}' if rest else ''}"
    return _made(
        row.kind if row else Kind.SEMANTIC,
        name,
        answer,
        f"The user {third_person(verb)} {said}",
        "",
        single=bool(row and row.cardinality is SINGLE),
    )


def _what_is(asked: str, answer: str) -> Candidate | None:
    hit = _WHAT_IS.match(asked)
    if hit is None:
        return None
    thing = hit["thing"].strip()
    kind = Kind.PREFERENCE if re.match(r"favou?rite|preferred", thing, re.IGNORECASE) else Kind.SEMANTIC
    return _made(kind, slug(thing), answer, f"The user's {thing} is {answer}", "", single=True)


def _with_article(answer: str) -> str:
    return f"{answer[:1].lower()}{answer[1:]}" if re.match(r"^(?:A|An|The|My)\s", answer) else answer


def _made(kind: Kind, predicate: str, answer: str, claim: str, rest: str, *, single: bool) -> Candidate:
    text = f"{claim}{f' {rest}' if rest else ''}"
    return Candidate(
        kind=kind,
        subject="user",
        predicate=predicate,
        object=canonical(answer),
        claim=f"{text.rstrip(' .')}.",
        confidence=0.85,
        importance=0.6,
        cardinality=SINGLE if single else MANY,
    )
