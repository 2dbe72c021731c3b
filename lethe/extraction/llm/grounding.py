"""Is what a model proposes in the turn? Its names, numbers and dates must stand there, and words enough to rest on.

The checks know nothing of meaning and never ask a model. What fails one is kept as a proposal with the reason in its
signals, so that the gate refuses it and the ledger tells why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from lethe.extraction.dates import Moment, moments
from lethe.extraction.language import unsupported_language
from lethe.extraction.llm.said import TOKEN, Said, folded, implies, numbers, plain_number, spelled, stems
from lethe.extraction.llm.schema import Proposed
from lethe.extraction.words import words
from lethe.records import Reason

LEAST_SHARE = 1 / 3  # of a claim's words that must stand in the turn or in what helps to read it
USER = "user"

_OPENERS = words(
    "the a an in on at by for from since until before after during as when while if each every all always never no only "
    "user user's users this these there both some any it its their his her to with about what how"
)
_ENGLISH = words(
    "the has have does and with from not that when where would should wants their who"
)  # and of no neighbour
_FORGETS = re.compile(
    r"\b(?:forget|disregard|delete|erase|remove|(?:don't|do not|stop) (?:remember|remembering|save|saving|store|storing|keep|keeping))\b"
)
_ENDS = re.compile(
    r"\b(?:no longer|not|n't|any ?more|never|stop(?:s|ped)?|quit|gave up|given up|used to|former(?:ly)?|ended?|over|left|sold|cancel\w*"
    r"|finished|done with|instead|switched|replaced|moved|without|past)\b|n't\b"
)
_DENIES = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|hates?|hated|dislikes?|loathes?|detests?|avoids?|refuses?"
    r"|stop\w*|lacks?|against|rather than|instead of|allergic|any ?more|un\w+|fail\w*)\b|n't\b"
)
_DENIED_BY_ITS_AUTHOR = re.compile(
    r"\b(?:i|we)(?:'m| am|'re| are)? (?:really |just |absolutely )?"
    r"(?:not|never|don't|do not|can't|cannot|can not|won't|will not|didn't|did not|haven't|have not|wouldn't)\b"
    r"(?! (?:forget|mind|think|believe|know|wait|only|just|help but))"
)
_UNCASED = re.compile(
    r"[^\W\d_a-zA-Z\u00c0-\u052f\u1e00-\u1fff]+"
)  # scripts without capitals: a run of them is taken for a name
_MONTHS_AND_DAYS = words("jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun")


def doubts(proposed: Proposed, said: Said) -> frozenset[Reason]:
    """What speaks against a proposal when it is held against its turn; empty: it is grounded."""
    found = set()
    if not _grounded(proposed, said):
        found.add(Reason.NOT_GROUNDED)
    if not names_its_subject(proposed):
        found.add(Reason.NOT_SELF_CONTAINED)
    return frozenset(found)


def names_its_subject(proposed: Proposed) -> bool:
    """A claim about the user says "user"; one about somebody or something else names it."""
    claim = folded(proposed.claim)
    if proposed.subject == USER:
        return bool(re.search(r"\busers?\b", claim))
    return stems(folded(proposed.subject)) <= stems(claim)


def _grounded(proposed: Proposed, said: Said) -> bool:
    fields = [proposed.claim, proposed.object, proposed.subject, proposed.replaces or ""]
    return (
        folded(proposed.quote).strip(" .!?\"'…") in said.own
        and all(field_stands(field, said) for field in fields)
        and _day_stands(proposed.event_date, said)
        and _day_stands(proposed.expires_date, said)
        and _rests_on_words(proposed, said)
        and _acts_as_said(proposed, said)
        and _in_english(proposed.claim, said)
    )


# --- names, numbers, dates ----------------------------------------------------------------------------------------


def field_stands(text: str, said: Said) -> bool:
    """Do all names, numbers and dates of a field stand in what was said?"""
    rest, dates = _without_dates(text, said.observed_at)
    if not all(_date_stands(words_of, moment, said) for words_of, moment in dates):
        return False
    return all(_token_stands(token, said) for token in _tokens_to_check(rest))


def _without_dates(text: str, observed_at: datetime) -> tuple[str, list[tuple[str, Moment]]]:
    """The text without its dates, and each of them as worded."""
    found = {
        (each.start, each.end, each.iso): each
        for ahead in (False, True)
        for each in moments(text, observed_at, ahead=ahead)
    }
    rest = list(text)
    for each in found.values():
        rest[each.start : each.end] = " " * (each.end - each.start)
    spans: dict[tuple[int, int], tuple[str, Moment]] = {}
    for each in found.values():
        spans.setdefault((each.start, each.end), (text[each.start : each.end], each))
    return "".join(rest), list(spans.values())


def _date_stands(worded: str, moment: Moment, said: Said) -> bool:
    """As worded, or as a date that the text implies, told as exactly or less so."""
    parts = TOKEN.findall(folded(worded))
    if all(_part_of_date_stands(part, said) for part in parts):
        return True
    first = moment.when.date()
    same = {"year": 4, "month": 7, "season": 7}.get(moment.grain, 10)
    wanted = first.isoformat()[:same]
    return any(wanted in (start.isoformat()[:same], end.isoformat()[:same]) for start, end in said.days) or (
        same == 10 and implies(said.days, first)
    )


def _part_of_date_stands(part: str, said: Said) -> bool:
    digits = re.match(r"\d+", part)
    if digits:
        return plain_number(digits[0]) in said.numbers
    if part[:3] in _MONTHS_AND_DAYS:
        return re.search(rf"\b{part[:3]}", said.helped) is not None
    return True


def _tokens_to_check(text: str) -> Iterator[str]:
    """Names (capitals, or a script without them), numbers and identifiers; not the word that merely opens a sentence."""
    opening = True
    for hit in TOKEN.finditer(text.replace("’", "'")):
        token = hit[0]
        plain = folded(token).removesuffix("'s")
        if _is_name(token, plain, opening) or any(letter.isdigit() for letter in token) or _counts(plain):
            yield plain
        opening = text[hit.end() : hit.end() + 1] in (".", "!", "?", ":")


def _is_name(token: str, plain: str, opening: bool) -> bool:
    if plain in ("i", "i'm") or (opening and plain in _OPENERS):
        return False
    return any(letter.isupper() for letter in token) or _UNCASED.search(token) is not None


def _counts(word: str) -> bool:
    """Is it a number in letters? "One" is mostly a pronoun, "both" says no more than "the"."""
    return word not in ("one", "zero", "both") and any(spelled(word))


def _token_stands(token: str, said: Said) -> bool:
    if re.fullmatch(r"[\d.,:]+", token):
        return all(number in said.numbers or _is_year(number, said) for number in numbers(token))
    if any(number in said.numbers for number in spelled(token)):
        return True
    if _UNCASED.fullmatch(token):
        return token in said.helped
    if (
        _stands(token, said.helped)
        or _stands(token.removesuffix("s"), said.helped)
        or _stands(f"{token}s", said.helped)
    ):
        return True
    joined = re.fullmatch(r"(\d+(?:[.,]\d+)*)([^\W\d_]+)", token)
    if joined:  # "5km" for "5 km", "14th" for "14"
        return plain_number(joined[1]) in said.numbers and (
            joined[2] in ("st", "nd", "rd", "th") or _stands(joined[2], said.helped)
        )
    parts = re.split(r"[.'&/+@-]", token)
    return len(parts) > 1 and all(_token_stands(part, said) for part in parts if part)


def _is_year(number: str, said: Said) -> bool:
    return len(number) == 4 and any(number == str(first.year) for first, _ in said.days)


def _stands(token: str, text: str) -> bool:
    return bool(token) and re.search(rf"(?<![^\W_]){re.escape(token)}(?![^\W_])", text) is not None


def _day_stands(given: str | None, said: Said) -> bool:
    return given is None or implies(said.days, date.fromisoformat(given))


# --- words, acts, language ----------------------------------------------------------------------------------------


def _rests_on_words(proposed: Proposed, said: Said) -> bool:
    """Of the claim's own words some stand in the turn itself, and enough with what helps to read it. A turn in another
    language shares none with a claim in English."""
    if not said.english:
        return True
    if not stems(folded(proposed.subject)) | stems(folded(proposed.replaces or "")) <= said.stems:
        return False
    told = stems(folded(proposed.claim)) | stems(folded(proposed.object))
    told -= {date_word for date_word in told if date_word[:3] in _MONTHS_AND_DAYS or date_word.isdigit()}
    if not told:
        return folded(proposed.object) in said.helped
    enough = len(told & said.stems) >= LEAST_SHARE * len(told)
    return enough and (said.affirms or bool(told & said.own_stems))


def _acts_as_said(proposed: Proposed, said: Said) -> bool:
    """What takes something back, ends or denies it needs a word for that in the turn, and a denial is not turned round."""
    if proposed.act == "retract":
        return _FORGETS.search(said.own) is not None
    if proposed.act == "end":
        return _ENDS.search(said.own) is not None
    if not said.english:
        return True
    if proposed.negated:
        return _DENIES.search(said.own) is not None
    denied = _DENIED_BY_ITS_AUTHOR.search(folded(proposed.quote))
    return denied is None or _DENIES.search(folded(proposed.claim)) is not None


def _in_english(claim: str, said: Said) -> bool:
    """Claims are in English, whatever language the turn is in: the gate reads no other."""
    plain = folded(claim)
    told = bool(_ENGLISH & set(TOKEN.findall(plain))) or (said.english and stems(plain) <= said.stems)
    return told and not unsupported_language(claim)
