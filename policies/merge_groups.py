"""Which memories say one thing: the same, the same with more detail, one event again, events of one session.

By words alone and in doubt no: two memories that are wrongly kept apart cost a line, two that are wrongly merged cost trust.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from itertools import combinations
from uuid import UUID

from lethe.ids import folded
from lethe.merging import Group, Mergeable, Near, Sort
from lethe.records import WEAKEST_FIRST, Kind
from policies.bounds import narrows
from policies.grounds import word_set
from policies.likeness import Likeness, Statement, compare
from policies.merge_words import (
    COMPANY,
    CONNECTORS,
    DETERMINERS,
    RULING,
    TURNING,
    Token,
    names_differ,
    negations,
    spine,
    tokens,
    without_dates,
)

HEAD = 2  # words of a claim that additions leave alone: who, and does what
LEAST = 3  # words below which a claim is too short to be told apart from another
LONG_OBJECT = 8  # words of an object that can still be listed beside others
_ARTICLE = re.compile(r"(?<!\w)(?:an?|the|some|the user's|his|her|their)\s+$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]\s")
_CLAUSES = TURNING | word_set("and or that which who because since so while where when as")

Pair = tuple[UUID, UUID]


def pair(one: UUID, other: UUID) -> Pair:
    """Two ids, the smaller first."""
    return (one, other) if one < other else (other, one)


def strongest(members: Iterable[Mergeable]) -> Mergeable:
    """The member with the best source: basis, verified, confidence, then the latest."""
    return max(
        members,
        key=lambda each: (WEAKEST_FIRST.index(each.basis), each.verified, each.confidence, each.observed_at, each.id),
    )


def groups(
    candidates: Sequence[Mergeable],
    near: Near,
    apart: frozenset[Pair],
    most: int,
    theme: float,
    for_model: float | None,
) -> list[Group]:
    """The groups among candidates of one owner and kind; `near` holds the pairs worth a look, `theme` how
    near events of one session must be to be one episode, `for_model` how near two must be to be put to a model; None: there is
    none. No memory is in two groups."""
    by_id = {each.id: each for each in candidates}
    related: dict[Sort, list[tuple[Mergeable, Mergeable]]] = {}
    for one, other in sorted(near):
        if one not in by_id or other not in by_id or (one, other) in apart:
            continue
        sort = relation(by_id[one], by_id[other])
        if sort is Sort.EPISODES and near[one, other] < theme:
            sort = None
        if sort is None and _is_for_a_model(by_id[one], by_id[other], near[one, other], for_model):
            sort = Sort.NEAR
        if sort is not None:
            related.setdefault(sort, []).append((by_id[one], by_id[other]))
    taken: set[UUID] = set()
    found: list[Group] = []
    for sort in (Sort.OPPOSED, Sort.REFINED, Sort.REPEATED, Sort.EPISODES, Sort.NEAR):
        pairs = related.get(sort, []) + (related.get(Sort.SAME, []) if sort is Sort.REFINED else [])
        together = {pair(one.id, other.id) for one, other in pairs} if sort in (Sort.EPISODES, Sort.NEAR) else None
        for component in _components([each for each in pairs if not {each[0].id, each[1].id} & taken]):
            for members in _bounded(component, sort, apart, together, most):
                taken |= {each.id for each in members}
                found.append(Group(_named(sort, members), tuple(members)))
    return found


def _is_for_a_model(one: Mergeable, other: Mergeable, likeness: float, least: float | None) -> bool:
    alike = folded(one.subject) == folded(other.subject) and one.negated == other.negated
    same_time = one.kind is not Kind.EPISODIC or one.session == other.session
    return least is not None and likeness >= least and alike and same_time


def relation(one: Mergeable, other: Mergeable) -> Sort | None:
    """What two memories are to each other, as far as merging goes."""
    if one.kind is not other.kind or folded(one.subject) != folded(other.subject):
        return None
    if names_differ(one.claim, other.claim):
        return None
    if one.kind is Kind.EPISODIC:
        return _events(one, other)
    mine, yours = _statement(one), _statement(other)
    likeness = compare(mine, yours)
    if likeness is Likeness.CONTRARY and mine.denies != yours.denies:
        return Sort.OPPOSED
    if likeness is Likeness.SAME and one.negated == other.negated:
        return Sort.SAME
    return Sort.REFINED if refines(one, other) or refines(other, one) else None


def _events(one: Mergeable, other: Mergeable) -> Sort | None:
    if one.negated != other.negated:
        return None
    (core, dates), (other_core, other_dates) = without_dates(one.claim), without_dates(other.claim)
    same_core = _plain(core) == _plain(other_core) and len(_plain(core)) >= LEAST
    if same_core and dates and other_dates:
        return Sort.SAME if {*map(folded, dates)} == {*map(folded, other_dates)} else Sort.REPEATED
    if one.session != other.session:
        return None
    if same_core and not dates and not other_dates:
        return Sort.SAME
    if refines(one, other) or refines(other, one):
        return Sort.REFINED
    return Sort.EPISODES if not one.negated and (_same_frame(one, other) or _is_one_sentence(one, other)) else None


def _is_one_sentence(*members: Mergeable) -> bool:
    """Can they be told one after the other? What was merged before is left as it is."""
    return all(not each.leaves and len(_SENTENCE_END.findall(each.claim.rstrip(". "))) == 0 for each in members)


def refines(fuller: Mergeable, other: Mergeable) -> bool:
    """Does one say all that the other says, and more about it?"""
    return fuller.negated == other.negated and additions(fuller.claim, other.claim) is not None


def additions(fuller: str, other: str) -> list[tuple[int, list[Token]]] | None:
    """What a claim adds to another: runs of words, each with how many of the other's words stand before it. None where it
    does not say all of the other, or where an addition could change what that means."""
    long, short = spine(fuller), spine(other)
    if len(short) < LEAST or len(long) <= len(short) or negations(fuller) != negations(other):
        return None
    runs: list[tuple[int, list[Token]]] = []
    place = 0
    for token in long:
        if place < len(short) and token.plain == short[place].plain:
            place += 1
        elif runs and runs[-1][0] == place:
            runs[-1][1].append(token)
        else:
            runs.append((place, [token]))
    if place < len(short):
        return None
    rules = any(token.plain in RULING for token in short)
    safe = all(at >= HEAD and _is_safe(fuller, run, rules, at == len(short)) for at, run in runs)
    return runs if safe else None


def _is_safe(fuller: str, run: list[Token], rules: bool, ends: bool) -> bool:
    """Does a run only name or describe? What narrows (a time, an amount, a matter, a condition) is another statement."""
    if any(token.plain in TURNING or narrows(token.plain) or token.is_number for token in run):
        return False
    first, *others = run
    if first.plain == "and" or first.plain in COMPANY:
        if rules or any(token.plain in CONNECTORS and token.plain not in ("and", *COMPANY) for token in others):
            return False
        if first.plain == "and":
            return ends and bool(others)
        return any(token.text[0].isupper() for token in others)
    return not ends and all(token.text[0].isupper() for token in run) and _names_a_thing(fuller, run)


def _names_a_thing(fuller: str, run: list[Token]) -> bool:
    """ "the Thornbury quartet" is the quartet; "Polish food" is not all food, nor "New York" York."""
    all_of_it = tokens(fuller)
    before = next((token for token in reversed(all_of_it) if token.end <= run[0].start), None)
    after = next((token for token in all_of_it if token.start >= run[-1].end), None)
    determined = before is not None and (before.plain in DETERMINERS or before.plain.endswith("'s"))
    return determined and after is not None and after.text[0].islower()


def _plain(text: str) -> list[str]:
    return [token.plain for token in spine(text)]


def _statement(memory: Mergeable) -> Statement:
    return _stated(memory.claim, memory.negated)


@lru_cache(maxsize=10_000)  # each is compared with some twenty others
def _stated(claim: str, negated: bool) -> Statement:
    return Statement(claim, claim, negated)


def _same_frame(one: Mergeable, other: Mergeable) -> bool:
    if folded(one.predicate) != folded(other.predicate) or one.negated:
        return False
    mine, yours = frame(one), frame(other)
    return mine is not None and mine == yours and len(tokens(mine[0])) >= HEAD


def frame(memory: Mergeable) -> tuple[str, str] | None:
    """The claim around its object; None where the object is no short thing that could stand in a list."""
    words = tokens(memory.object)
    if not 0 < len(words) <= LONG_OBJECT or any(token.plain in _CLAUSES for token in words) or "," in memory.object:
        return None
    if memory.claim.count(memory.object) != 1:
        return None
    head, _, tail = listed(memory)
    return " ".join(token.plain for token in spine(head)), folded(tail)


def listed(memory: Mergeable) -> tuple[str, str, str]:
    """A claim in three parts: before its object, the object with its article, and what follows."""
    head, _, tail = memory.claim.partition(memory.object)
    article = _ARTICLE.search(head)
    cut = article.start() if article else len(head)
    return head[:cut], head[cut:] + memory.object.strip(), tail


# --- what several say together ------------------------------------------------------------------------------------


def united(members: Sequence[Mergeable], bases: Sequence[Mergeable]) -> tuple[str, str] | None:
    """(claim, object) that say all that the members say: the first one's, with what the others add at their ends to one of
    `bases` that the first says more about, too. None where that cannot be said so."""
    claim, value = members[0].claim, members[0].object
    for each in members[1:]:
        if _covers(members[0], claim, each):
            continue
        added = _addition(each, members[0], claim, bases)
        if added is None or not claim.rstrip(" .").endswith(value.rstrip(" .")):
            return None
        claim = f"{claim.rstrip(' .')}, and {added}."
        value = f"{value.rstrip(' .')}, and {added}"
    return claim, value


def _covers(fullest: Mergeable, claim: str, other: Mergeable) -> bool:
    if additions(claim, other.claim) is not None or _plain(claim) == _plain(other.claim):
        return True
    return compare(_statement(fullest), _statement(other)) is Likeness.SAME


def _addition(each: Mergeable, fullest: Mergeable, claim: str, bases: Sequence[Mergeable]) -> str | None:
    """What a member says after a base: another sort of thing than what stands there already ("alongside Ann", "with Kaja")."""
    for base in bases:
        mine, theirs = additions(each.claim, base.claim), additions(fullest.claim, base.claim)
        if not mine or not theirs or len(mine) != 1 or mine[0][0] != len(spine(base.claim)):
            continue
        run = mine[0][1]
        if run[0].plain in {token.plain for _, other in additions(claim, base.claim) or [] for token in other}:
            continue
        return each.claim[run[0].start :].rstrip(" .")
    return None


# --- components ---------------------------------------------------------------------------------------------------


def _components(pairs: Sequence[tuple[Mergeable, Mergeable]]) -> list[list[Mergeable]]:
    """Memories joined by pairs, whatever the way round; each in the order of its id."""
    root: dict[UUID, UUID] = {}
    known: dict[UUID, Mergeable] = {}

    def find(name: UUID) -> UUID:
        while root.setdefault(name, name) != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for one, other in pairs:
        known |= {one.id: one, other.id: other}
        low, high = sorted((find(one.id), find(other.id)))
        root[high] = low
    found: dict[UUID, list[Mergeable]] = {}
    for name in sorted(known):
        found.setdefault(find(name), []).append(known[name])
    return list(found.values())


def _bounded(
    component: list[Mergeable], sort: Sort, apart: Set[Pair], together: Set[Pair] | None, most: int
) -> list[list[Mergeable]]:
    """A component as groups that hold together: each member fits all that were taken before it, and of what is only near each
    other (`together`) each must be near each."""
    left = sorted(component, key=lambda each: (-len(spine(each.claim)), each.observed_at, each.id))
    made: list[list[Mergeable]] = []
    while len(left) > 1:
        group, rest = [left[0]], list[Mergeable]()
        for each in left[1:]:
            pairs = {pair(each.id, other.id) for other in group}
            fits = len(group) < most and not pairs & apart and (together is None or pairs <= together)
            (group if fits and _belongs(each, group, sort, component) else rest).append(each)
        if len(group) > 1:
            made.append(group)
        left = rest if len(group) > 1 else left[1:]
    return made


def _belongs(each: Mergeable, group: list[Mergeable], sort: Sort, component: Sequence[Mergeable]) -> bool:
    if sort is Sort.REFINED:
        return united([*group, each], component) is not None
    if sort in (Sort.OPPOSED, Sort.NEAR):
        return True
    return all(relation(each, other) in (sort, Sort.SAME) for other in group)


def _named(sort: Sort, members: Sequence[Mergeable]) -> Sort:
    if sort is Sort.REFINED and all(relation(one, other) is Sort.SAME for one, other in combinations(members, 2)):
        return Sort.SAME
    return sort
