"""Fifth step: a clause with its meaning becomes a candidate, with the signals that speak against keeping it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from lethe.extraction.anchors import anchored
from lethe.extraction.changes import says_that_something_changed
from lethe.extraction.claims import sentence
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.dated import dates_of, lies_ahead, looks_ahead, takes_a_date, worded_dates
from lethe.extraction.dates import end_of
from lethe.extraction.deadlines import deadline
from lethe.extraction.doubts import TIME_NOUNS, doubts_of_clause, doubts_of_piece, self_contained
from lethe.extraction.impersonal import impersonal
from lethe.extraction.instructions import Instruction
from lethe.extraction.joining import remark
from lethe.extraction.meanings import meaning
from lethe.extraction.measures import is_quantity, measure
from lethe.extraction.occasions import happens_once, has_a_deadline, is_over_with_its_day
from lethe.extraction.possessions import is_copula
from lethe.extraction.predicates import (
    DENIED_ONLY,
    MANY,
    VAGUE_OBJECTS,
    lemma_of,
    third_person,
    unmarked_past,
)
from lethe.extraction.references import ones_meant, taken_up_by
from lethe.extraction.sentences import Mood, Piece
from lethe.extraction.setting import Setting
from lethe.extraction.standing import Standing
from lethe.extraction.talk import steers_the_talk
from lethe.extraction.values import Meaning, canonical, slug, value
from lethe.extraction.words import words
from lethe.records import Act, Candidate, Cardinality, Kind, Reason

_PROJECT_WORDED = re.compile(
    r"\b(?:(?:for|in|on) (?:this|the|our) (?:project|repo(?:sitory)?|codebase)|(?:for|in|on) project [\w-]+)\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r",?\s+(?:and )?not\s+(?:in |at |on |for |as |to |from |a |an |the )*(?P<old>[^,.;]+?)(?:\s+any ?more)?[.!]*$",
    re.IGNORECASE,
)
_PICTURES = words("photo pic picture shot snap")
_MOVED = words("moved_to moved_into relocated_to")
_LONG_AGO = timedelta(days=730)
_BARE_MOVE = re.compile(
    r"The user(?: and others)?(?: ha(?:s|ve))?(?: \w+ly| just)? (?:moved|relocated) (?:back )?(?:in)?to (?:[A-Z][\w’'.-]*[ ,]*)+\."
)


def from_instruction(order: Instruction, piece: Piece, setting: Setting) -> Candidate:
    """A standing instruction as a candidate."""
    shared = setting.project is not None and bool(_PROJECT_WORDED.search(piece.text))
    replaces = order.meaning.replaces
    return _candidate(
        order.meaning,
        order.claim,
        shared=shared,
        replaces=replaces,
        cue=piece.cue or replaces is not None,
        signals=doubts_of_piece(piece),
    )


def from_mention(said: Meaning, claim: str, piece: Piece) -> Candidate:
    """What a sentence takes for granted; that it stands in a question speaks in no way against it."""
    quoted = frozenset({Reason.QUOTED_CONTENT}) if piece.quoted else frozenset()
    return _candidate(said, claim, cue=says_that_something_changed(claim), confidence=0.85, signals=quoted)


def from_clause(clause: Clause, sent: Any, piece: Piece, setting: Setting) -> Candidate | None:
    """What the clause proposes, or None where it says nothing of its own."""
    bare = impersonal(clause, setting.voices, {}) is not None if clause.tokens else False
    if not clause.tokens or (steers_the_talk(clause, setting) and not bare):
        return None
    once = happens_once(clause.verb, clause.subject, clause.tokens)
    dated = dates_of(clause, sent, setting.observed_at, looks_ahead(clause, sent, once))
    put = worded_dates(clause, dated, fixed=once or has_a_deadline(clause.tokens)) | _described(clause, setting)
    put |= _resolved(clause, setting, put)
    if (
        clause.tense is Tense.PRESENT
        and unmarked_past(clause.verb)
        and dated
        and dated[0][0].when < setting.observed_at
    ):
        clause.tense, put[clause.verb.i] = Tense.PAST, clause.verb.text
    said = deadline(clause, setting.voices, put, [moment for moment, _ in dated])
    due = said is not None
    measured = measure(clause, setting.voices, put) if said is None else None
    said = said or (measured[0] if measured else None)
    said = said or (impersonal if bare else meaning)(clause, setting.voices, put)
    if said is None or not said.object or len(said.object) > 400:
        return None
    planned = once and lies_ahead(dated, setting)
    if planned and said.kind is Kind.SEMANTIC:
        due = due or is_over_with_its_day(clause.verb, clause.subject)
    claim = _claim(clause, setting, put)
    if len(claim.split()) < 3:
        return None
    replaces, said, claim = _corrected(clause, said, claim)
    days = [moment for moment, _ in dated]
    meant = (max(days, key=end_of) if due else days[0]) if days else None
    when = meant.when if meant is not None and takes_a_date(clause, said, due or planned, meant, setting) else None
    granted = clause.verb.dep_ == "relcl" and piece.mood is Mood.QUESTION
    doubts = doubts_of_clause(clause, said, put, setting, when) - ({Reason.TRANSIENT} if due or planned else set())
    signals = (frozenset() if granted else doubts_of_piece(piece)) | doubts
    return _candidate(
        said,
        claim,
        act=Act.END if clause.ended and lemma_of(clause.verb) not in DENIED_ONLY else Act.ASSERT,
        event_at=when,
        expires_at=end_of(meant) if due and meant is not None else None,
        replaces=replaces or said.replaces,
        cue=piece.cue
        or clause.cue
        or bool(replaces)
        or measured is not None
        or is_quantity(said)
        or says_that_something_changed(claim),
        shared=setting.project is not None and setting.to_assistant and _for_the_project(clause, piece),
        confidence=_confidence(clause, said),
        signals=signals,
    )


def with_home(said: Candidate, setting: Setting) -> list[Candidate]:
    """The candidate; of a move to a place, the event and that the user lives there from then on.

    A move of long ago, or into another role, tells nothing of today; one of which nothing but the place is told is no event worth
    keeping beside the home, since the next one would leave it standing.
    """
    if said.kind is not Kind.EPISODIC or said.predicate not in _MOVED or said.subject != "user":
        return [said]
    event = replace(said, replaces=None)
    old = said.event_at is not None and setting.observed_at - said.event_at > _LONG_AGO
    if old or said.negated or not said.object[:1].isupper() or " when " in said.claim:
        return [event]
    home = replace(
        said,
        kind=Kind.SEMANTIC,
        predicate="lives_in",
        claim=f"The user lives in {said.object}.",
        importance=0.9,
        cardinality=Cardinality.SINGLE,
        cue=True,
    )
    return [home] if _BARE_MOVE.fullmatch(said.claim) else [event, home]


def from_remark(clause: Clause, sent: Any, setting: Setting) -> str | None:
    """What a clause about "it" or "they" adds to the statement before it."""
    if not clause.tokens:
        return None
    return remark(clause, setting, worded_dates(clause, dates_of(clause, sent, setting.observed_at, False)))


def from_taken_up(clause: Clause, sent: Any, piece: Piece, setting: Setting) -> Candidate | None:
    """What a clause says of the one person or thing that its "it", "she" or "they" can mean."""
    who = taken_up_by(clause.subject, setting.here, setting.earlier)
    if who is None or not (anchored(clause.complement) or clause.subject.lower_ in ("he", "she")):
        return None
    dated = dates_of(clause, sent, setting.observed_at, False)
    put = worded_dates(clause, dated) | {clause.subject.i: who}
    put |= _resolved(clause, setting, put)
    past = clause.tense in (Tense.PAST, Tense.PERFECT)
    said = Meaning(
        Kind.EPISODIC if past else Kind.SEMANTIC,
        who.replace("the user's", "user's").removeprefix("the "),
        slug(clause.verb.lower_ if past or is_copula(clause.verb) else third_person(lemma_of(clause.verb))),
        value(clause.complement, setting.voices, put),
        MANY,
        0.4,
        clause.negated,
        clause.subject.lower_ in ("he", "she"),
        event=past,
    )
    if not said.object or not self_contained(clause, put):
        return None
    when = dated[0][0].when if dated and past else None
    claim = sentence(clause.tokens, setting.voices, put)
    cue = piece.cue or says_that_something_changed(claim)
    return _candidate(said, claim, confidence=0.85, event_at=when, cue=cue, signals=doubts_of_piece(piece))


def _confidence(clause: Clause, said: Meaning) -> float:
    if clause.standing is Standing.SUPPOSED and said.kind is Kind.PREFERENCE:
        return 0.85  # "I would rather …" is how a preference is told
    if clause.standing is not Standing.ASSERTED:
        return 0.5
    return 0.9 if clause.tense in (Tense.PRESENT, Tense.PAST) else 0.85


def _candidate(said: Meaning, claim: str, **more: Any) -> Candidate:
    return Candidate(
        kind=said.kind,
        subject=said.subject[:200],
        predicate=said.predicate[:100],
        object=said.object[:2000],
        claim=claim[:4000],
        negated=said.negated,
        importance=said.importance,
        cardinality=said.cardinality,
        third_party=said.third_party,
        **more,
    )


def _resolved(clause: Clause, setting: Setting, put: dict[int, str]) -> dict[int, str]:
    """ "I bought it in May": what it means, where the sentences before leave no choice."""
    if self_contained(clause, put):
        return {}
    found = {}
    for token in clause.tokens:
        if token.tag_ in ("PRP", "PRP$") and token.i not in put and token.dep_ != "expl":
            meant = taken_up_by(token, setting.here, setting.earlier)
            if meant is not None:
                found[token.i] = meant
        elif token.lower_ == "ones" and (several := ones_meant(token, setting.earlier)) is not None:
            found[token.i] = several
    return found


def _described(clause: Clause, setting: Setting) -> dict[int, str]:
    """Between two people "this apple pie" is a thing shown, and its description stands for it: "an apple pie"."""
    put: dict[int, str] = {}
    for token in clause.tokens:
        noun = token.head
        if token.dep_ != "det" or token.lower_ not in ("this", "that", "these", "those"):
            continue
        if token.lower_ == "this" and token.nbor().lower_ == "one" and token.i + 1 < noun.i:
            put[token.i], put[token.i + 1] = "a", ""
            continue
        if any(c.dep_ == "relcl" for c in noun.children) and noun.i > clause.verb.i:
            put[token.i] = "the"
            continue
        behind = noun.i > clause.verb.i or clause.tokens.index(token) > clause.tokens.index(clause.verb)
        if token.lower_ in ("those", "that") and behind and _says_which(noun):
            put[token.i] = "" if noun.tag_ in ("NNS", "NNPS") else "the"
            continue
        if setting.to_assistant:
            continue
        if (
            noun.lower_ in TIME_NOUNS
            or noun.i < clause.verb.i
            or not (noun.lower_ in _PICTURES or any(c.dep_ in ("amod", "compound") for c in noun.children))
        ):
            continue
        plural = noun.tag_ in ("NNS", "NNPS")
        put[token.i] = "" if plural else "an" if token.nbor().lower_[:1] in "aeiou" else "a"
    return put


def _says_which(noun: Any) -> bool:
    """ "those silver candlesticks at the auction": told by what it is, whatever was pointed at."""
    described = [c for c in noun.children if c.dep_ in ("amod", "compound") and c.pos_ in ("ADJ", "NOUN", "PROPN")]
    return bool(described) and noun.lower_ not in TIME_NOUNS and noun.lemma_.lower() not in VAGUE_OBJECTS


def _claim(clause: Clause, setting: Setting, put: dict[int, str]) -> str:
    tokens = clause.tokens
    if tokens[-1].lower_ == "now" and tokens[-1].i in clause.fillers and clause.tense is Tense.PRESENT:
        tokens = tokens[:-1]  # whenever the claim is read, that is another now
    if clause.antecedent is not None:
        antecedent = [t for t in clause.antecedent.subtree if t.i < clause.subject.i and not t.is_punct]
        tokens = antecedent + [t for t in tokens if t.i != clause.subject.i and t.i > clause.subject.i]
    return sentence(tokens, setting.voices, put)


def _corrected(clause: Clause, said: Meaning, claim: str) -> tuple[str | None, Meaning, str]:
    """ "in Kemi, not in Oulu": the value that is named as outdated leaves the object and the claim."""
    text = " ".join(token.text for token in clause.tokens)
    hit = _CORRECTED.search(claim.rstrip("."))
    if hit is None or (clause.negated and "," not in text) or clause.ended or said.replaces:
        return None, said, claim
    if "," not in claim[: hit.start() + 2]:
        return None, said, claim
    old = canonical(hit["old"])
    kept = canonical(_CORRECTED.sub("", said.object))
    negated = False if clause.negated and not clause.never else said.negated
    return old, replace(said, object=kept or said.object, negated=negated), f"{claim[: hit.start()].rstrip(' ,')}."


def _for_the_project(clause: Clause, piece: Piece) -> bool:
    worded = any(token.lower_ in ("we", "our", "us") for token in clause.tokens)
    return worded or bool(_PROJECT_WORDED.search(piece.text))
