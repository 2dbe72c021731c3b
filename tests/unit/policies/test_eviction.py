"""Who makes room: numbers in, ids out, whatever the order of the rows."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lethe.records import Basis, Kind
from policies.eviction import Kept, evict, protection, retention
from policies.policy import parse
from workers.wiring import default_text

POLICY = parse(default_text(), "default")
NOW = datetime(2027, 6, 1, tzinfo=UTC)
SHARE = st.floats(0, 1)


def kept(number: int, *, days: float = 100, written: float | None = None, **fields: object) -> Kept:
    touched = NOW - timedelta(days=days)
    values: dict[str, object] = {
        "kind": Kind.SEMANTIC, "basis": Basis.STATED, "pinned": False, "confidence": 0.9, "importance": 0.5, "independent": 1,
        "uses": 0, "touched_at": touched, "written_at": touched if written is None else NOW - timedelta(days=written),
    }  # fmt: skip
    return Kept(id=UUID(int=number), **{**values, **fields})  # type: ignore[arg-type]


MEMORY = st.builds(
    lambda number, days, uses, confidence, importance, kind, basis, pinned: kept(
        number, days=days, uses=uses, confidence=confidence, importance=importance, kind=kind, basis=basis, pinned=pinned
    ),
    st.integers(1, 10**6), st.floats(0, 2000), st.integers(0, 50), SHARE, SHARE,
    st.sampled_from([Kind.PREFERENCE, Kind.INSTRUCTION, Kind.SEMANTIC, Kind.EPISODIC]), st.sampled_from(list(Basis)), st.booleans(),
)  # fmt: skip
MEMORIES = st.lists(MEMORY, max_size=40, unique_by=lambda each: each.id)


@given(MEMORIES, st.integers(0, 60), st.randoms())
def test_the_order_of_the_rows_does_not_matter(rows: list[Kept], excess: int, chance: random.Random) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)
    assert evict(rows, excess, NOW, POLICY) == evict(mixed, excess, NOW, POLICY)


@given(MEMORIES, st.integers(0, 60))
def test_as_many_go_as_are_too_many(rows: list[Kept], excess: int) -> None:
    assert len(set(evict(rows, excess, NOW, POLICY))) == min(excess, len(rows))


@given(MEMORIES, st.integers(0, 60))
def test_the_better_protected_go_last(rows: list[Kept], excess: int) -> None:
    gone = set(evict(rows, excess, NOW, POLICY))
    stays = [protection(each) for each in rows if each.id not in gone]
    goes = [protection(each) for each in rows if each.id in gone]
    assert not goes or not stays or max(goes) <= min([level for level in stays if level >= max(goes)], default=2)
    assert all(level >= max(goes, default=0) for level in stays)


@given(MEMORIES, st.integers(1, 40), st.integers(1, 40))
def test_a_run_in_two_steps_takes_the_same_as_one(rows: list[Kept], first: int, second: int) -> None:
    """A night that is killed in between and goes on ends where an undisturbed one does."""
    old = [each for each in rows if each.uses or NOW - each.written_at > timedelta(days=POLICY.cap.grace_days)]
    some = evict(old, first, NOW, POLICY)
    rest = [each for each in old if each.id not in set(some)]
    assert some + evict(rest, second, NOW, POLICY) == evict(old, first + second, NOW, POLICY)


@given(MEMORY, st.integers(1, 100))
def test_use_never_weakens(each: Kept, more: int) -> None:
    from dataclasses import replace

    assert retention(replace(each, uses=each.uses + more), NOW, POLICY) >= retention(each, NOW, POLICY)


@given(MEMORY, st.floats(0.01, 1000))
def test_retention_falls_with_time(each: Kept, days: float) -> None:
    assert retention(each, NOW + timedelta(days=days), POLICY) <= retention(each, NOW, POLICY)


@given(MEMORY)
def test_retention_is_a_share(each: Kept) -> None:
    assert 0 <= retention(each, NOW, POLICY) <= 1


def test_what_was_just_written_is_not_first_to_go() -> None:
    used = [kept(number, uses=5, importance=0.9) for number in range(1, 6)]
    new = kept(9, days=1, importance=0.0, confidence=0.5)
    assert evict([*used, new], 1, NOW, POLICY) != [new.id]


def test_a_flood_of_new_rows_does_not_stand_above_what_proved_itself() -> None:
    proved = [kept(number, days=20, uses=30, importance=0.9) for number in range(1, 6)]
    flood = [kept(number, days=1, importance=0.1, confidence=0.8) for number in range(100, 130)]
    assert not set(evict([*proved, *flood], 20, NOW, POLICY)) & {each.id for each in proved}


def test_instructions_and_confirmed_memories_go_after_all_others_and_pinned_ones_last() -> None:
    rows = [
        kept(1, pinned=True),
        kept(2, basis=Basis.CONFIRMED),
        kept(3, kind=Kind.INSTRUCTION),
        kept(4, uses=50, days=0),
    ]
    order = [each.int for each in evict(rows, 4, NOW, POLICY)]
    assert order[0] == 4
    assert set(order[1:3]) == {2, 3}
    assert order[3] == 1
