"""The dates of a clause: which one a bare weekday means, how the claim words it, and whether the fact takes place on it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from lethe.extraction.clauses import Clause, Tense
from lethe.extraction.dates import Moment, end_of, moments
from lethe.extraction.possessions import is_copula
from lethe.extraction.predicates import lemma_of
from lethe.extraction.setting import Setting
from lethe.extraction.values import Meaning
from lethe.extraction.words import words
from lethe.records import Kind

_DEADLINE = re.compile(r"deadline|(?<!\bwas)(?<!\bwere) due (?!to |for )", re.IGNORECASE)
# "I missed my deadline on Friday" is over; "we moved the deadline to Friday" is not.
_OVER = words("have miss meet beat hit")


def dates_of(clause: Clause, sent: Any, observed_at: datetime, ahead: bool) -> list[tuple[Moment, list[Any]]]:
    """Dates of the clause, each with its tokens."""
    out = []
    for moment in moments(sent.text, observed_at, ahead=ahead):
        start, end = moment.start + sent.start_char, moment.end + sent.start_char
        inside = [token for token in clause.tokens if start <= token.idx < end]
        if inside:
            out.append((moment, inside))
    return out


def looks_ahead(clause: Clause, sent: Any, once: bool) -> bool:
    """Where a bare weekday is the next one: of a plan, a deadline, an occasion; not of one that was."""
    if clause.tense in (Tense.FUTURE, Tense.PROGRESSIVE, Tense.MODAL):
        return True
    if clause.tense is Tense.PAST and (is_copula(clause.verb) or lemma_of(clause.verb) in _OVER):
        return False
    has = clause.tense is Tense.PRESENT or (clause.tense is Tense.PERFECT and clause.verb.lower_ == "got")
    return (once and has) or bool(_DEADLINE.search(sent.text))


def lies_ahead(dated: list[tuple[Moment, list[Any]]], setting: Setting) -> bool:
    """The first date of the clause is not over yet when the turn is observed."""
    return bool(dated) and end_of(dated[0][0]) > setting.observed_at


def takes_a_date(clause: Clause, said: Meaning, due: bool, first: Moment, setting: Setting) -> bool:
    """Events and deadlines happen on a date; so does what is under way only if its date lies ahead."""
    if said.event or due or said.kind is Kind.EPISODIC:
        return True
    return clause.tense in (Tense.PROGRESSIVE, Tense.FUTURE) and first.when > setting.observed_at


def worded_dates(clause: Clause, dated: list[tuple[Moment, list[Any]]], *, fixed: bool = False) -> dict[int, str]:
    """Dates as a claim words them. In the present a bare weekday tells a habit, unless it is `fixed` which one is meant."""
    put: dict[int, str] = {}
    for moment, tokens in dated:
        if moment.bare and lemma_of(clause.verb) == "bear" and clause.person == "i":
            continue  # "I was born in May": of all years not the last one
        if moment.worded is None or (moment.bare and clause.tense is Tense.PRESENT and not fixed):
            continue
        put[tokens[0].i] = moment.worded
        put.update({token.i: "" for token in tokens[1:]})
    return put
