"""The steps in order: segments, sentences, parse, clauses, meanings, claims."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lethe.extraction.answers import short_answer
from lethe.extraction.candidates import (
    from_clause,
    from_instruction,
    from_mention,
    from_remark,
    from_taken_up,
    with_home,
)
from lethe.extraction.clauses import Clause, clauses
from lethe.extraction.frames import framed
from lethe.extraction.instructions import instruction
from lethe.extraction.joining import (
    Told,
    goes_on,
    grown,
    leans_on_what_was_said,
    photo_of,
    with_its_photo,
    without_fragments,
)
from lethe.extraction.language import unsupported_language
from lethe.extraction.measures import presupposed
from lethe.extraction.mentions import mentions, plain_things
from lethe.extraction.moved import MOVED, moved
from lethe.extraction.observed import observed
from lethe.extraction.parsing import parsed
from lethe.extraction.references import Mention, carried, named_in
from lethe.extraction.retractions import retracted
from lethe.extraction.segments import segments, without_attachments
from lethe.extraction.sentences import Mood, Piece, pieces
from lethe.extraction.setting import Setting, without_vocative
from lethe.extraction.several import each_of
from lethe.records import Author, Candidate, Turn

MOST_CANDIDATES = 12  # a turn
MOST_REFUSED = 4  # of them, candidates that only explain to the ledger why nothing was kept

_TAKES_FOR_GRANTED = re.compile(r"\b(?:which|that|who|whom) (?:I|we|my)\b|\bmy (?:[\w'-]+ ){0,4}?(?:[A-Z0-9])")
_ANCHOR = re.compile(r"\d|(?<=[a-z,] )[A-Z][a-z]|[\"“]\w")
_LEANS_BACK = re.compile(r"\bones\b")
_THING_OF_MINE = re.compile(r"\b(?:my|My) (?:[a-z-]+ ){1,3}[a-z]+")
_FIRST_PERSON = re.compile(r"\b(?:I|i|me|my|mine|we|our|us)\b")
_WORTH_A_PARSE = re.compile(
    r"\b(?:i|i'm|me|my|mine|we|our|us|you|your|always|never|please|don't|do not|stop|avoid|use|call|keep|round|write|answer|due|deadline)\b"
    r"|^(?:it|he|she|they)\b(?!['’]s (?:so |really |very |such )*(?:a )?(?:\w+)[.!]*$)|^(?:format|spell|sign|abbreviate|capitali[sz]e|"
    r"cite|quote|express|convert|measure|number|date|label|put|phrase|address|indent|name|state|present|style|structure|include|"
    r"add|mention|show|highlight|list|offer|note|point|check|reply|respond|speak|begin|start|end|limit|make|give|explain|remember)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A turn and the pieces of it that are worth a parse."""

    turn: Turn
    window: Sequence[Turn]
    pieces: tuple[Piece, ...]
    answer: Candidate | None = None


def extract(turn: Turn, window: Sequence[Turn]) -> list[Candidate]:
    """What the turn says that could be remembered. `window`: up to four earlier turns of its session, oldest first."""
    return extract_many([(turn, window)])[0]


def extract_many(pairs: Sequence[tuple[Turn, Sequence[Turn]]]) -> list[list[Candidate]]:
    """`extract` for many turns at once, in the order given; sentences are parsed in batches."""
    plans = [_planned(turn, window) for turn, window in pairs]
    documents = parsed(piece.text for plan in plans for piece in plan.pieces)
    return [_read(plan, [next(documents) for _ in plan.pieces]) for plan in plans]


def _planned(turn: Turn, window: Sequence[Turn]) -> _Plan:
    text = without_attachments(turn.text)
    if turn.author is Author.TOOL:
        return _Plan(turn, window, _reported(text) if turn.verified else ())
    if turn.author is not Author.USER or unsupported_language(text):
        return _Plan(turn, window, ())
    text = without_vocative(text, Setting.of(turn, window))
    answer = short_answer(text, window)
    if answer is not None:
        return _Plan(turn, window, (), answer)
    found: list[Piece] = []
    for segment in segments(text):
        found.extend(pieces(segment.text, quoted=segment.quoted))
    return _Plan(turn, window, tuple(_worth_parsing(found)))


def _worth_parsing(found: Sequence[Piece]) -> Iterable[Piece]:
    """The pieces that may tell something, and those that the next one leans on ("I own four small ones")."""
    worth = [_worth_a_parse(piece) for piece in found]
    for place, piece in enumerate(found):
        leant_on = place + 1 < len(found) and worth[place + 1] and _LEANS_BACK.search(found[place + 1].text)
        if worth[place] or leant_on:
            yield piece


def _reported(text: str) -> tuple[Piece, ...]:
    if text.lstrip().startswith(("{", "[")):
        return ()
    return tuple(piece for segment in segments(text) if not segment.quoted for piece in pieces(segment.text))


def _worth_a_parse(piece: Piece) -> bool:
    if MOVED.search(piece.text):
        return True
    if piece.mood is Mood.QUESTION:
        asks_fact = re.match(
            r"(?:should|shall|am|do|did|have|was|will|would|could|can|may|might) (?:i|we)\b", piece.text, re.IGNORECASE
        )
        orders = re.match(
            r"(?:can|could|would|will) you (?:please )?(?:always|never|from now on|stop)\b", piece.text, re.IGNORECASE
        )
        owned = re.search(r"\d", piece.text) or (_FIRST_PERSON.search(piece.text) and _ANCHOR.search(piece.text))
        owned = owned or _THING_OF_MINE.search(piece.text)
        return bool(asks_fact or orders or owned or _TAKES_FOR_GRANTED.search(piece.text))
    if piece.mood is Mood.SMALL_TALK:
        return bool(_FIRST_PERSON.search(piece.text))
    return bool(_WORTH_A_PARSE.search(piece.text)) or any(
        letter.isupper() or letter.isdigit() for letter in piece.text[1:]
    )


def _read(plan: _Plan, documents: Sequence[Any]) -> list[Candidate]:
    if plan.answer is not None:
        return [replace(plan.answer, said=plan.turn.text)]
    if plan.turn.author is Author.TOOL:
        events = (observed(sent, plan.turn.observed_at) for document in documents for sent in document.sents)
        return _bounded(event for event in events if event is not None)
    setting = Setting.of(plan.turn, plan.window)
    found: list[Candidate] = []
    earlier: tuple[Mention, ...] = ()
    before = 0  # candidates before the previous piece
    alone = sum(not piece.quoted for piece in plan.pieces) <= 2
    last: Any | None = None
    for piece, document in zip(plan.pieces, documents, strict=True):
        here = carried(tuple(named_in(document, setting.voices)), earlier) if not piece.quoted else ()
        placed = replace(setting, earlier=earlier, here=here)
        withdrawn = retracted(piece.text)
        if withdrawn is not None:
            found.extend(_retractions(withdrawn, setting))
            continue
        note = framed(piece)
        if note is not None:
            found.append(replace(note, said=piece.text))
            continue
        start = len(found)
        for sent in document.sents:
            found.extend(_sentence(sent, piece, placed, alone, found if len(found) > before else []))
        if not piece.quoted and piece.mood in (Mood.STATEMENT, Mood.QUESTION) and MOVED.search(piece.text):
            told = [candidate for candidate in found[start:] if not candidate.signals]
            for said, claim in moved(document, last, setting.voices):
                if not any(said.object.split()[0] in candidate.claim for candidate in told):
                    found.append(replace(from_mention(said, claim, piece), cue=True, said=piece.text))
        last = document
        before = start
        earlier = (here or earlier) if not piece.quoted else ()
    if not any(not candidate.signals for candidate in found):
        shown = (photo_of(setting.shown, document, setting) for document in documents)
        found.extend(candidate for candidate in shown if candidate is not None)
    if setting.to_assistant and not any(not candidate.signals for candidate in found):
        found.extend(_things_named(plan, documents, setting))
    return _bounded(found)


def _things_named(plan: _Plan, documents: Sequence[Any], setting: Setting) -> Iterable[Candidate]:
    """Of a turn that tells nothing else: the things that it takes for granted the author has."""
    for piece, document in zip(plan.pieces, documents, strict=True):
        if not piece.quoted and piece.mood in (Mood.STATEMENT, Mood.QUESTION):
            for sent in document.sents:
                for meaning, claim in plain_things(sent, setting.voices):
                    yield replace(from_mention(meaning, claim, piece), said=sent.text)


def _retractions(text: str, setting: Setting) -> list[Candidate]:
    from lethe.extraction.retractions import as_retraction

    document = next(parsed([text]))
    said = Piece(text, Mood.STATEMENT)
    return [
        as_retraction(candidate)
        for sent in document.sents
        for candidate in _sentence(sent, said, setting, False, [])[:1]
    ]


def _sentence(sent: Any, piece: Piece, setting: Setting, alone: bool, before: list[Candidate]) -> list[Candidate]:
    """What one sentence proposes. A remark about what stands before it joins the last claim of `before`."""
    tokens = [token for token in sent if not token.is_space]
    if not tokens:
        return []
    if setting.to_assistant and piece.mood in (Mood.STATEMENT, Mood.QUESTION):
        order = instruction(tokens, setting.voices, alone=alone)
        if order is not None:
            return [replace(from_instruction(order, piece, setting), said=sent.text)]
    told, remarks = _told(sent, piece, setting)
    out: list[Candidate] = []
    for each in without_fragments(told):
        leans = leans_on_what_was_said(each) or (not setting.to_assistant and goes_on(each))
        if leans and _joins(each.candidate.claim, out or before):
            continue
        pictured = leans and not each.kept and setting.shown and each.clause.person in ("i", "we")
        out.append(with_its_photo(each.candidate, setting.shown) if pictured else each.candidate)
    joined = False
    for clause, text in remarks if piece.mood is Mood.STATEMENT else []:
        if _joins(text, out or before):
            joined = True
        elif (candidate := from_taken_up(clause, sent, piece, setting)) is not None:
            out.append(candidate)
    if piece.mood is not Mood.SUPPOSED and not joined:
        heard = {token.i for each in told if each.kept for token in each.clause.tokens}
        out.extend(from_mention(meaning, claim, piece) for meaning, claim in mentions(sent, setting.voices, heard))
        if setting.to_assistant:
            taken = presupposed(sent, setting.voices, heard)
            out.extend(replace(from_mention(said, claim, piece), cue=True) for said, claim in taken)
    out = [said for each in out for moved_in in with_home(each, setting) for said in each_of(moved_in)]
    return [replace(candidate, said=sent.text) for candidate in out]


def _told(sent: Any, piece: Piece, setting: Setting) -> tuple[list[Told], list[tuple[Clause, str]]]:
    """The clauses with what they propose, and what others remark about it."""
    told: list[Told] = []
    remarks: list[tuple[Clause, str]] = []
    heard: set[int] = set()
    for clause in clauses(sent):
        candidate = from_clause(clause, sent, piece, setting)
        if candidate is not None:
            told.append(Told(clause, candidate))
            heard.update(token.i for token in clause.tokens if not candidate.signals)
        elif (
            not piece.quoted and clause.verb.i not in heard and (text := from_remark(clause, sent, setting)) is not None
        ):
            remarks.append((clause, text))
    return told, remarks


def _joins(text: str, candidates: list[Candidate]) -> bool:
    """The last claim takes the text up."""
    wider = grown(candidates[-1], text) if candidates else None
    if wider is None:
        return False
    candidates[-1] = wider
    return True


def _bounded(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Distinct candidates in order, kept ones first where there are too many."""
    distinct: Mapping[tuple[str, ...], Candidate] = {
        (c.subject, c.predicate, c.object, c.act, str(c.negated)): c for c in reversed(list(candidates))
    }
    ordered = list(reversed(list(distinct.values())))
    refused = [c for c in ordered if c.signals][:MOST_REFUSED]
    kept = [c for c in ordered if not c.signals][: MOST_CANDIDATES - len(refused)]
    return [c for c in ordered if c in kept or c in refused]
