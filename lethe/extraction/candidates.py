"""Fifth step: a clause with its meaning becomes a candidate, with the signals that speak against keeping it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from lethe.extraction.claims import sentence, subject_of
from lethe.extraction.clauses import Clause, Standing, Tense
from lethe.extraction.dates import Moment, end_of_day, moments
from lethe.extraction.deadlines import deadline
from lethe.extraction.instructions import Instruction
from lethe.extraction.meanings import is_mood, meaning
from lethe.extraction.predicates import (
    DENIED_ONLY,
    FACTIVE_VERBS,
    TALK_VERBS,
    TASK_VERBS,
    TROUBLES,
    VAGUE_OBJECTS,
    lemma_of,
    unmarked_past,
)
from lethe.extraction.sentences import Mood, Piece
from lethe.extraction.setting import Setting
from lethe.extraction.values import Meaning, canonical
from lethe.extraction.words import words
from lethe.records import Act, Candidate, Kind, Reason

_MOMENTARY = re.compile(
    r"\b(?:right now|at the moment|just now|today|tonight|this (?:morning|afternoon|evening)|in a (?:minute|moment|sec)|for now)\b",
    re.IGNORECASE,
)
_POINTING = words("he she it they him her them his its their theirs hers this that these those one ones")
_TIME_NOUN = words(
    "morning afternoon evening week month year weekend summer winter spring autumn time monday tuesday "
    "wednesday thursday friday saturday sunday project quarter semester season"
)
_PROJECT_WORDED = re.compile(
    r"\b(?:(?:for|in|on) (?:this|the|our) (?:project|repo(?:sitory)?|codebase)|(?:for|in|on) project [\w-]+)\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r",?\s+(?:and )?not\s+(?:in |at |on |for |as |to |from |a |an |the )*(?P<old>[^,.;]+?)(?:\s+any ?more)?[.!]*$",
    re.IGNORECASE,
)
_MOVES_A_DATE = words("shift move extend postpone change push reschedule bring delay")
_TALK_WITH_OBJECT = words("forget see know remember hear feel")


def from_instruction(order: Instruction, piece: Piece, setting: Setting) -> Candidate:
    """A standing instruction as a candidate."""
    shared = setting.project is not None and bool(_PROJECT_WORDED.search(piece.text))
    return _candidate(order.meaning, order.claim, shared=shared, cue=piece.cue, signals=_mood_signals(piece))


def from_mention(said: Meaning, claim: str, piece: Piece) -> Candidate:
    """What a sentence takes for granted; that it stands in a question speaks in no way against it."""
    quoted = frozenset({Reason.QUOTED_CONTENT}) if piece.quoted else frozenset()
    return _candidate(said, claim, confidence=0.85, signals=quoted)


def from_clause(clause: Clause, sent: Any, piece: Piece, setting: Setting) -> Candidate | None:
    """What the clause proposes, or None where it says nothing of its own."""
    if not clause.tokens or _is_talk(clause, setting):
        return None
    ahead = (
        clause.tense in (Tense.FUTURE, Tense.PROGRESSIVE, Tense.MODAL)
        or "deadline" in sent.text.lower()
        or " due " in sent.text.lower()
    )
    dated = _dates(clause, sent, setting.observed_at, ahead)
    put = _put(clause, dated, sent) | _described(clause, setting) | _resolved(clause, setting)
    if (
        clause.tense is Tense.PRESENT
        and unmarked_past(clause.verb)
        and dated
        and dated[0][0].when < setting.observed_at
    ):
        clause.tense, put[clause.verb.i] = Tense.PAST, clause.verb.text
    said = deadline(clause, setting.voices, put, [moment for moment, _ in dated])
    due = said is not None
    said = said or meaning(clause, setting.voices, put)
    if said is None or not said.object or len(said.object) > 400:
        return None
    claim = _claim(clause, setting, put)
    if len(claim.split()) < 3:
        return None
    replaces, said, claim = _corrected(clause, said, claim)
    when = dated[0][0].when if dated and (said.event or due or said.kind is Kind.EPISODIC) else None
    granted = clause.verb.dep_ == "relcl" and piece.mood is Mood.QUESTION
    signals = (frozenset() if granted else _mood_signals(piece)) | _signals(clause, said, put, setting, when)
    return _candidate(
        said,
        claim,
        act=Act.END if clause.ended and lemma_of(clause.verb) not in DENIED_ONLY else Act.ASSERT,
        event_at=when,
        expires_at=end_of_day(when) if due and when is not None else None,
        replaces=replaces or said.replaces,
        cue=piece.cue or clause.cue or bool(replaces) or (due and lemma_of(clause.verb) in _MOVES_A_DATE),
        shared=setting.project is not None and setting.to_assistant and _for_the_project(clause, piece),
        confidence=0.9 if clause.tense in (Tense.PRESENT, Tense.PAST) else 0.85,
        signals=signals,
    )


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


def _is_talk(clause: Clause, setting: Setting) -> bool:
    """The clause steers the conversation: an opinion verb, a wish for help."""
    if clause.verb.lower_ == "got" and any(token.lower_ == "ta" for token in clause.tokens):
        return True
    if clause.person == "you" or clause.subject.lower_ in (
        "it",
        "this",
        "that",
        "there",
        "they",
        "he",
        "she",
        "what",
        "who",
    ):
        return clause.antecedent is None
    lemma = lemma_of(clause.verb)
    children = {child.dep_ for child in clause.verb.children if child.i > clause.verb.i}
    if clause.person in ("i", "we"):
        if (
            lemma in TALK_VERBS
            and not _insight(clause)
            and not (lemma in _TALK_WITH_OBJECT and "dobj" in children and "ccomp" not in children)
        ):
            return True
        if lemma in FACTIVE_VERBS and "ccomp" in children and not _insight(clause):
            return True
        if _names_nothing(clause, setting):
            return True
        if setting.to_assistant and lemma in TASK_VERBS and _asks_for_help(clause, children) and not _anchored(clause):
            return True
    return False


def _asks_for_help(clause: Clause, children: set[str]) -> bool:
    lemma = lemma_of(clause.verb)
    if lemma in ("like", "love"):
        return clause.modal == "would"
    if lemma == "want":
        return not any(t.lower_ in ("as", "in") for t in clause.complement) or "xcomp" in children
    if lemma == "try":
        return "xcomp" in children and clause.tense is not Tense.PAST
    if lemma in ("look", "search"):
        return any(t.lower_ in ("for", "to", "into", "at", "forward") for t in clause.verb.children)
    return True


def _insight(clause: Clause) -> bool:
    """ "I've learned that breaks keep me sane": what was learned is no fact about the author of its own."""
    inner = next((c for c in clause.verb.children if c.dep_ == "ccomp" and c.i > clause.verb.i), None)
    if inner is None or lemma_of(clause.verb) not in ("learn", "realise", "realize", "discover"):
        return False
    subject = subject_of(inner)
    return subject is not None and subject.pos_ != "PRON" and clause.tense in (Tense.PAST, Tense.PERFECT)


def _names_nothing(clause: Clause, setting: Setting) -> bool:
    """ "I'm having trouble with …", "I've got a lot on": nothing to remember."""
    direct = next((c for c in clause.verb.children if c.dep_ == "dobj" and c.i > clause.verb.i), None)
    if direct is None:
        return False
    if setting.to_assistant and direct.lemma_.lower() in TROUBLES:
        return True
    concrete = any(token.pos_ == "PROPN" or token.like_num for token in clause.complement)
    liked = lemma_of(clause.verb) in ("like", "love", "enjoy", "cherish", "hate") and len(clause.complement) > 2
    concrete = concrete or liked
    return direct.lemma_.lower() in VAGUE_OBJECTS and not concrete


def _anchored(clause: Clause) -> bool:
    """ "I'm trying to finish my grant report by 3 May": work of the author's own with a date or an amount, no mere request."""
    if lemma_of(clause.verb) not in ("try", "work") or clause.tense is Tense.PAST:
        return False
    own = any(token.lower_ in ("my", "our") for token in clause.tokens)
    return own and any(token.like_num or token.shape_.startswith("d") for token in clause.tokens)


def _dates(clause: Clause, sent: Any, observed_at: datetime, ahead: bool) -> list[tuple[Moment, list[Any]]]:
    """Dates of the clause, each with its tokens."""
    out = []
    for moment in moments(sent.text, observed_at, ahead=ahead):
        start, end = moment.start + sent.start_char, moment.end + sent.start_char
        inside = [token for token in clause.tokens if start <= token.idx < end]
        if inside:
            out.append((moment, inside))
    return out


def _put(clause: Clause, dated: list[tuple[Moment, list[Any]]], sent: Any) -> dict[int, str]:
    put: dict[int, str] = {}
    for moment, tokens in dated:
        if moment.worded is None:
            continue
        put[tokens[0].i] = moment.worded
        put.update({token.i: "" for token in tokens[1:]})
    return put


def _resolved(clause: Clause, setting: Setting) -> dict[int, str]:
    """ "I got it a month ago": the object is the thing of the sentence before."""
    if not setting.voices.it or clause.person != "i":
        return {}
    pronouns = [t for t in clause.tokens if t.lower_ in _POINTING and t.tag_ == "PRP"]
    if (
        len(pronouns) != 1
        or pronouns[0].lower_ != "it"
        or pronouns[0].dep_ != "dobj"
        or pronouns[0].head.i != clause.verb.i
    ):
        return {}
    return {pronouns[0].i: setting.voices.it}


def _described(clause: Clause, setting: Setting) -> dict[int, str]:
    """Between two people "this apple pie" is a thing shown, and its description stands for it: "an apple pie"."""
    put: dict[int, str] = {}
    for token in clause.tokens:
        noun = token.head
        if setting.to_assistant or token.dep_ != "det" or token.lower_ not in ("this", "that", "these", "those"):
            continue
        if (
            noun.lower_ in _TIME_NOUN
            or noun.i < clause.verb.i
            or not any(c.dep_ in ("amod", "compound") for c in noun.children)
        ):
            continue
        plural = noun.tag_ in ("NNS", "NNPS")
        put[token.i] = "" if plural else "an" if token.nbor().lower_[:1] in "aeiou" else "a"
    return put


def _claim(clause: Clause, setting: Setting, put: dict[int, str]) -> str:
    tokens = clause.tokens
    if clause.antecedent is not None:
        antecedent = [t for t in clause.antecedent.subtree if t.i < clause.subject.i and not t.is_punct]
        tokens = antecedent + [t for t in tokens if t.i != clause.subject.i and t.i > clause.subject.i]
    return sentence(tokens, setting.voices, put)


def _corrected(clause: Clause, said: Meaning, claim: str) -> tuple[str | None, Meaning, str]:
    """ "in Hollola, not in Lahti": the value that is named as outdated leaves the object and the claim."""
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


def _mood_signals(piece: Piece) -> frozenset[Reason]:
    out = set()
    if piece.quoted:
        out.add(Reason.QUOTED_CONTENT)
    if piece.mood in (Mood.QUESTION, Mood.SUPPOSED):
        out.add(Reason.NOT_ASSERTED)
    if piece.mood is Mood.SMALL_TALK:
        out.add(Reason.SMALL_TALK)
    return frozenset(out)


def _signals(
    clause: Clause, said: Meaning, put: dict[int, str], setting: Setting, when: datetime | None
) -> frozenset[Reason]:
    out = set()
    if clause.standing is Standing.SPECULATIVE:
        out.add(Reason.SPECULATIVE)
    elif clause.standing is Standing.SUPPOSED and said.kind is not Kind.PREFERENCE:
        out.add(Reason.NOT_ASSERTED)
    if _momentary(clause, setting, when):
        out.add(Reason.TRANSIENT)
    if not _self_contained(clause, put):
        out.add(Reason.NOT_SELF_CONTAINED)
    return frozenset(out)


def _momentary(clause: Clause, setting: Setting, when: datetime | None) -> bool:
    if is_mood(clause) and clause.person in ("i", "we"):
        return True
    text = " ".join(token.text for token in clause.tokens)
    if clause.tense in (Tense.PRESENT, Tense.PROGRESSIVE) and _MOMENTARY.search(text):
        return True
    return clause.tense is Tense.FUTURE and setting.to_assistant and when is None


def _self_contained(clause: Clause, put: dict[int, str]) -> bool:
    seen_noun = False
    for token in clause.tokens:
        lower = token.lower_
        if token.i in put or (token.i == clause.subject.i and clause.antecedent is not None):
            continue
        if lower == "there" and token.dep_ == "advmod" and token.head.i == clause.verb.i and not seen_noun:
            return False
        if lower in _POINTING and token.dep_ not in ("expl", "mark") and token.tag_ not in ("WDT", "IN"):
            determiner = token.dep_ == "det"
            if determiner and token.head.lower_ in _TIME_NOUN:
                continue
            if lower in ("one", "ones") and (
                token.dep_ in ("nummod", "compound") or any(c.lower_ == "of" for c in token.children)
            ):
                continue
            bare = token.tag_ == "PRP" and not _in_an_inner_clause(token, clause)
            if determiner or lower in ("this", "that", "these", "those") or not seen_noun or bare:
                return False
        elif token.pos_ in ("NOUN", "PROPN"):
            seen_noun = True
    return True


def _in_an_inner_clause(token: Any, clause: Clause) -> bool:
    """Inside a subordinate clause a pronoun can lean on a noun of the main one."""
    above = token.head
    for _ in range(10):
        if above.i == clause.verb.i or above.dep_ == "ROOT":
            return False
        if above.dep_ in ("relcl", "advcl", "ccomp", "acl", "xcomp", "pcomp"):
            return True
        above = above.head
    return False
