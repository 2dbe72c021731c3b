"""One claim for a group, by rule: the fullest member's words, what others add, a list, or how often and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from lethe.ids import folded
from lethe.merging import Group, Mergeable, Sort, Wording
from policies.merge_groups import frame, listed, strongest, united
from policies.merge_words import COUNTS, MONTHS, without_dates

TRANSFORM = "rules@2"  # a new number whenever grouping or wording changes what comes out
_THE = re.compile(r"^(?:The|In|On|During|At)\b")
_MONTH = re.compile(r"\b(" + "|".join(MONTHS) + r")\b", re.IGNORECASE)


def word(group: Group) -> Wording | None:
    """The claim and object of a group; None where no rule finds one."""
    lead = strongest(group.members)
    if group.sort in (Sort.SAME, Sort.REFINED):
        return _fullest(group.members, lead)
    if group.sort is Sort.REPEATED:
        return _repeated(group.members, lead)
    return _listed(group.members, lead) if group.sort is Sort.EPISODES else None


def _fullest(members: Sequence[Mergeable], lead: Mergeable) -> Wording | None:
    """All that the members say, in the strongest source's words where these say it all."""
    for first in (lead, *members):
        said = united([first, *(each for each in members if each is not first)], members)
        if said is not None:
            return Wording(*said, lead)
    return None


def _listed(members: Sequence[Mergeable], lead: Mergeable) -> Wording | None:
    ordered = sorted(members, key=lambda each: (each.observed_at, each.claim))
    if not all(frame(each) == frame(ordered[0]) is not None for each in ordered):
        return _one_after_the_other(ordered, lead)
    parts = [listed(each) for each in ordered]
    things = in_a_list(list(dict.fromkeys(thing for _, thing, _ in parts)))
    head, _, tail = parts[0]
    return Wording(f"{head}{things}{tail}", things, lead)


def _one_after_the_other(members: Sequence[Mergeable], lead: Mergeable) -> Wording:
    """ "The user bought a tent; the user slept badly in it." """
    claims = [each.claim.strip().rstrip(".") for each in members]
    told = [claims[0], *(_THE.sub(lambda found: found[0].lower(), claim, count=1) for claim in claims[1:])]
    return Wording("; ".join(told) + ".", "; ".join(each.object.strip().rstrip(".") for each in members), lead)


def in_a_list(things: Sequence[str]) -> str:
    """ "a tent", "a tent and a stove", "a tent, a stove and two mats"."""
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"


def _repeated(members: Sequence[Mergeable], lead: Mergeable) -> Wording | None:
    told: dict[str, tuple[date, str]] = {}
    for each in members:
        for said in without_dates(each.claim)[1]:
            said = said[0].lower() + said[1:]
            told.setdefault(folded(said), (_when(said, each), said))
    dates = [said for _, said in sorted(told.values())]
    count = COUNTS.get(len(dates))
    if count is None:
        return None
    core = without_dates(members[0].claim)[0].rstrip(" .!")
    core = core[0].upper() + core[1:]
    object_core = without_dates(members[0].object)[0].rstrip(" .!")
    times = f"{count}: {in_a_list(dates)}"
    return Wording(f"{core} {times}.", f"{object_core} {times}".strip(), lead)


def _when(said: str, memory: Mergeable) -> date:
    """The day that a date of a claim names, as far as it can be read; else when it was said."""
    if found := re.search(r"(\d{4})-(\d{2})-(\d{2})", said):
        return _day(int(found[1]), int(found[2]), int(found[3]), memory)
    year = re.search(r"\b(\d{4})\b", said)
    month = _MONTH.search(said)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", said)
    if month is None and year is None:
        return memory.observed_at.date()
    return _day(
        int(year[1]) if year else memory.observed_at.year,
        MONTHS.index(month[1].casefold()) + 1 if month else 1,
        int(day[1]) if day else 1,
        memory,
    )


def _day(year: int, month: int, day: int, memory: Mergeable) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        return memory.observed_at.date()
