"""Seventh step: one full claim rather than several fragments of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lethe.extraction.anchors import anchored
from lethe.extraction.changes import says_that_something_changed
from lethe.extraction.claims import Token, sentence
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.predicates import CANONICAL, MANY, PRAISE, VAGUE_OBJECTS, lemma_of
from lethe.extraction.setting import Setting
from lethe.extraction.standing import Standing
from lethe.extraction.words import words
from lethe.records import Act, Candidate, Kind, Reason

LONGEST_CLAIM = 420  # characters; a claim that would grow beyond it is left as it is

_SHOWS = re.compile(
    r"^(?:here(?:['’]s| is| are)|check (?:it |this |these )?out|(?:take a )?look at)\b[^.!?]{0,80}\b(?:my|our|i|we|i['’]ve)\b",
    re.IGNORECASE,
)
_LEANS = frozenset({Reason.NOT_SELF_CONTAINED})
_PERSONS = words("he she they it")
_EMPTY = words("be seem look sound feel mean make take get go let")


@dataclass(frozen=True, slots=True)
class Told:
    """A clause with what it proposes."""

    clause: Clause
    candidate: Candidate

    @property
    def kept(self) -> bool:
        return not self.candidate.signals


def without_fragments(told: Sequence[Told]) -> list[Told]:
    """Without many-valued claims whose every word stands in another claim of the sentence that is kept."""
    out = []
    for each in told:
        words_of = {token.i for token in each.clause.tokens}
        wider = (
            other
            for other in told
            if other is not each and other.kept and words_of < {token.i for token in other.clause.tokens}
        )
        inside = each.kept and each.candidate.cardinality is MANY and each.candidate.act is Act.ASSERT
        if not inside or next(wider, None) is None:
            out.append(each)
    return out


def goes_on(each: Told) -> bool:
    """Between two people, a further verb under the same subject goes on telling: one claim, unless it has a key of its own."""
    own = each.candidate.kind is Kind.PREFERENCE or each.candidate.predicate in CANONICAL
    return each.kept and each.clause.inherited and each.candidate.cardinality is MANY and not own


def leans_on_what_was_said(each: Told) -> bool:
    """The claim lacks nothing but what a pronoun in it takes up."""
    return each.candidate.signals == _LEANS and _says_something(each.clause)


def remark(clause: Clause, setting: Setting, put: dict[int, str]) -> str | None:
    """What a clause under "it", "he", "she" or "they" adds to the statement before it, or None where it adds nothing."""
    if (
        clause.subject.lower_ not in _PERSONS
        or clause.subject.dep_ == "expl"
        or clause.standing is not Standing.ASSERTED
    ):
        return None
    verb = clause.verb
    nested = verb.dep_ in ("ccomp", "xcomp", "pcomp")
    unfinished = verb.tag_ == "VBG" and clause.tense is Tense.PRESENT
    praise = any(child.dep_ == "acomp" and child.lower_ in PRAISE for child in verb.children)
    if clause.tense is Tense.MODAL or nested or unfinished or not _says_something(clause):
        return None
    if praise and not anchored(clause.complement):
        return None
    text = sentence(clause.tokens, setting.voices, put)
    return text if len(text.split()) > 3 else None


def _says_something(clause: Clause) -> bool:
    after: Sequence[Token] = clause.complement
    if anchored(after):
        return True
    nouns = [token for token in after if token.pos_ == "NOUN" and token.lemma_.lower() not in VAGUE_OBJECTS]
    return bool(nouns) and (lemma_of(clause.verb) not in _EMPTY or len(nouns) > 1)


def with_its_photo(candidate: Candidate, shown: str) -> Candidate:
    """ "I painted this", said beside a photo, tells of what the photo shows."""
    claim = f"{candidate.claim.rstrip(' .')} (shown in a photo of {shown})."
    return replace(candidate, claim=claim, object=f"{candidate.object} ({shown})", signals=frozenset())


def photo_of(shown: str, document: Any, setting: Setting) -> Candidate | None:
    """ "Here's a picture of my boat [shares a photo: a boat at a pier]": what the author shows of their own."""
    if setting.to_assistant or not shown or not _SHOWS.search(document.text):
        return None
    said = sentence([token for token in next(document.sents) if not token.is_space], setting.voices)
    return Candidate(
        kind=Kind.EPISODIC,
        subject="user",
        predicate="shared_photo",
        object=shown,
        claim=f"The user shared a photo of {shown}: {said}",
        confidence=0.85,
        importance=0.3,
        cardinality=MANY,
        event_at=setting.observed_at,
        said=document.text,
    )


def grown(candidate: Candidate, text: str) -> Candidate | None:
    """The candidate with a further remark in its claim, or None where it cannot take one."""
    if candidate.signals or candidate.kind is Kind.INSTRUCTION or candidate.act is not Act.ASSERT:
        return None
    claim = f"{candidate.claim.rstrip(' .')}; {_lowered(text)}"
    cue = candidate.cue or says_that_something_changed(text)
    return replace(candidate, claim=claim, cue=cue) if len(claim) <= LONGEST_CLAIM else None


def _lowered(text: str) -> str:
    """The text without its capital, where that belongs to no name."""
    return f"{text[:1].lower()}{text[1:]}" if re.match(r"(?:The|It|He|She|They|A|An|In|On|At)\b", text) else text
