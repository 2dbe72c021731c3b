"""What speaks against keeping a candidate: it was quoted, supposed, guessed, of the moment, or leans on other sentences."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from lethe.authorship import attributed, spoken_quotes
from lethe.extraction.anchors import anchored, counted, owned
from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.meanings import is_mood
from lethe.extraction.predicates import MOODS, VAGUE_OBJECTS, lemma_of
from lethe.extraction.sentences import Mood, Piece, quotation_marks
from lethe.extraction.setting import Setting
from lethe.extraction.standing import Standing
from lethe.extraction.values import Meaning
from lethe.extraction.words import words
from lethe.records import Reason

POINTING = words("he she it they him her them his its their theirs hers this that these those one ones")
TIME_NOUNS = words(
    "morning afternoon evening week month year weekend summer winter spring autumn time monday tuesday wednesday thursday "
    "friday saturday sunday project quarter semester season"
)


_GOOD_INTENTIONS = words(
    "keep give let make quit stop do be see check try think remember forget support know get help send continue"
)
# Feelings that say what somebody is set on or attached to.
_LEANINGS = words(
    "excited thrilled stoked pumped proud thankful grateful determined motivated eager keen hopeful interested lucky blessed "
    "passionate nervous worried anxious inspired open ready off busy up"
)
_STATES = words("be have feel need want get look seem work stay like love know think hope")
_MOMENTARY = re.compile(
    r"\b(?:right now|at the moment|just now|today|tonight|this (?:morning|afternoon|evening)|in a (?:minute|moment|sec)|for now)\b",
    re.IGNORECASE,
)


def doubts_of_piece(piece: Piece) -> frozenset[Reason]:
    """What the sentence as a whole says against its clauses."""
    out = set()
    if piece.quoted or any(start == 0 for start, _ in attributed(piece.text)):
        out.add(Reason.QUOTED_CONTENT)
    if piece.mood in (Mood.QUESTION, Mood.SUPPOSED):
        out.add(Reason.NOT_ASSERTED)
    if piece.mood is Mood.SMALL_TALK:
        out.add(Reason.SMALL_TALK)
    return frozenset(out)


def doubts_of_clause(
    clause: Clause, said: Meaning, put: dict[int, str], setting: Setting, when: datetime | None
) -> frozenset[Reason]:
    out = set()
    if clause.standing is Standing.SPECULATIVE:
        out.add(Reason.SPECULATIVE)
    elif clause.standing is Standing.SUPPOSED and not said.predicate.startswith(("prefers", "would_rather")):
        out.add(Reason.NOT_ASSERTED)
    if quotation_marks(clause.verb.doc.text[: clause.verb.idx]) % 2 or _others_say_so(clause) or _cites(clause):
        out.add(Reason.QUOTED_CONTENT)
    if _momentary(clause, setting, when, dated=bool(put)):
        out.add(Reason.TRANSIENT)
    empty = clause.subject.lower_ in ("it", "there")
    if not self_contained(clause, put | {clause.subject.i: ""} if empty else put):
        out.add(Reason.NOT_SELF_CONTAINED)
    return frozenset(out)


def _others_say_so(clause: Clause) -> bool:
    """ "Ann says that I own a boat": what Ann says is no word of the author's."""
    return any(start <= clause.verb.idx < end for start, end in attributed(clause.verb.doc.text))


def _cites(clause: Clause) -> bool:
    """ "The sign reads 'I own a boat'": what is told is somebody's sentence."""
    return any(True for _ in spoken_quotes("".join(token.text_with_ws for token in clause.tokens)))


def _momentary(clause: Clause, setting: Setting, when: datetime | None, dated: bool) -> bool:
    if is_mood(clause):
        return not _mood_about_something(clause, setting)
    text = " ".join(token.text for token in clause.tokens)
    if clause.tense in (Tense.PRESENT, Tense.PROGRESSIVE) and _MOMENTARY.search(text):
        lemma = lemma_of(clause.verb)
        happens = clause.tense is Tense.PRESENT and dated and lemma not in _STATES
        return not happens and not (lemma in ("have", "own", "get") and counted(clause.complement))
    if clause.tense is not Tense.FUTURE or when is not None:
        return False
    if anchored(clause.complement) and not clause.negated:
        return False
    return setting.to_assistant or lemma_of(clause.verb) in _GOOD_INTENTIONS


def _mood_about_something(clause: Clause, setting: Setting) -> bool:
    """ "worried about the exam on 3 May" tells of the exam; "excited to get started" tells nothing."""
    feeling = next((c for c in clause.verb.children if c.lower_ in MOODS and c.i > clause.verb.i), clause.verb)
    about = [token for token in clause.complement if token.i > feeling.i]
    if anchored(about):
        return feeling.lower_ not in ("sure", "unsure", "certain", "uncertain")
    if setting.to_assistant and not owned(about):
        return False
    nouns = [token for token in about if token.pos_ == "NOUN" and token.lemma_.lower() not in VAGUE_OBJECTS]
    return feeling.lower_ in _LEANINGS and bool(nouns) and not any(token.lower_ == "you" for token in about)


def self_contained(clause: Clause, put: dict[int, str]) -> bool:
    seen_noun = False
    for token in clause.tokens:
        lower = token.lower_
        if token.i in put or (token.i == clause.subject.i and clause.antecedent is not None):
            continue
        if lower == "there" and token.dep_ == "advmod" and token.head.i == clause.verb.i and not seen_noun:
            return False
        if lower in POINTING and token.dep_ not in ("expl", "mark") and token.tag_ not in ("WDT", "IN"):
            determiner = token.dep_ == "det"
            if determiner and token.head.lower_ in TIME_NOUNS:
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
