"""Consolidation beside everything else: whatever changes an input meanwhile wins, and nothing is ever half done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from lethe.keys import Keyring
from lethe.lifecycle.consolidation import running
from lethe.lifecycle.consolidation.finding import Asked
from lethe.lifecycle.deletion.requests import Reach
from lethe.lifecycle.forgetting.keeping import pin
from lethe.rules import Rules
from tests.conftest import Database
from tests.integration.merging_line import MODEL, MergingLine
from tests.integration.test_consolidation import CHOIR, FULLEST, HORN
from tests.integration.test_deletion import everything, forget


@pytest.fixture
def line(engine: Engine, rules: Rules, keys: Keyring) -> MergingLine:
    return MergingLine(engine, rules, keys)


@pytest.fixture
def reach(engine: Engine, rules: Rules, keys: Keyring, database: Database, tmp_path: Path) -> Reach:
    return Reach(engine, rules, keys, tmp_path, database.admin_url)


class Meanwhile:
    """The model, and what happens while it works."""

    name = MODEL.name

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def embed(self, texts: Sequence[str]) -> Any:
        if texts:
            self._happens()
        return MODEL.embed(texts)


def consolidate(line: MergingLine, meanwhile: Callable[[], object]) -> list[str | None]:
    """Refusals of a run during which something happens."""
    plan = running.Plan(line.engine, line.rules, Meanwhile(meanwhile), line.now)
    made = running.consolidate(plan, Asked(line.tenant)).made
    return [each.refusal.reason.value if each.refusal else None for each in made]


def test_an_input_that_changed_while_the_model_worked_voids_the_merge(line: MergingLine) -> None:
    line.says(*HORN)
    name = line.memories()[0]["memory"]
    assert consolidate(line, lambda: pin(line.engine, line.tenant, name, line.rules, line.now)) == ["inputs_changed"]
    assert len(line.current()) == 3
    assert [each["output"] is None for each in line.consolidate()["groups"]] == [False]


def test_an_input_that_was_superseded_meanwhile_is_not_merged(line: MergingLine) -> None:
    line.says(*HORN)
    ends = line.turn("end", "I no longer play the horn in a brass band.", 20)
    assert consolidate(line, lambda: line.take(ends)) == ["inputs_changed"]
    assert FULLEST not in line.current() and not any(row["derived_from"] for row in line.memories())


def test_a_deletion_meanwhile_leaves_no_word_in_any_output(line: MergingLine, reach: Reach) -> None:
    line.says(*CHOIR)
    assert consolidate(line, lambda: forget(reach, turn="t2", session="s2")) == ["inputs_changed"]
    assert "Wilhelmina" not in everything(line)
    assert len(line.current()) == 2


def test_of_two_runs_at_once_one_merges(line: MergingLine) -> None:
    line.says(*HORN, *CHOIR)
    with ThreadPoolExecutor(4) as pool:
        outcomes = [found.result() for found in [pool.submit(line.consolidate) for _ in range(4)]]
    merged = [group for each in outcomes for group in each["groups"] if group["output"]]
    assert len(merged) == 2
    assert {group["refused"] for each in outcomes for group in each["groups"] if not group["output"]} <= {
        "inputs_changed"
    }
    assert len(line.current()) == 2
    assert line.execute("select memories from owners")[0].memories == 2


def test_turns_and_merges_at_once_end_where_turns_alone_would(line: MergingLine) -> None:
    turns = [line.turn(f"t{n}", text, n) for n, text in enumerate((*HORN, *CHOIR))]
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(line.take, turn) for turn in turns]
        waiting += [pool.submit(line.consolidate) for _ in range(4)]
        for each in waiting:
            each.result()
    line.drain()
    line.consolidate()
    line.index()
    for run in reversed(line.consolidations()):
        line.revert(run["consolidation"])
    assert len(line.current()) == 6 and not any(row["derived_from"] for row in line.memories())
    assert line.execute("select memories from owners")[0].memories == 6


def test_two_reverts_at_once_are_one(line: MergingLine) -> None:
    line.says(*HORN)
    before = line.tables()
    run = line.consolidate()["consolidation"]
    with ThreadPoolExecutor(3) as pool:
        answers = [found.result() for found in [pool.submit(line.revert, run) for _ in range(3)]]
    assert sorted(len(answer["restored"]) for answer in answers) == [0, 0, 3]
    assert line.tables() == before


# --- killed anywhere ----------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process is gone."""


@contextmanager
def killed_at(engine: Engine, statement: int) -> Iterator[list[int]]:
    """Nothing after so many statements is executed; yields a list that grows with each one."""
    seen: list[int] = []

    def count(*_: Any) -> None:
        seen.append(1)
        if len(seen) > statement:
            raise Killed

    sa.event.listen(engine, "before_cursor_execute", count)
    try:
        yield seen
    finally:
        sa.event.remove(engine, "before_cursor_execute", count)


def through_every_kill(line: MergingLine, work: Callable[[], object], wholes: list[Any]) -> None:
    """Kill `work` after each of its statements in turn: what stands then is one of `wholes`, which grows by the end."""
    statement = 0
    while True:
        with killed_at(line.engine, statement) as seen:
            try:
                work()
                break
            except Killed:
                pass
        assert line.tables() in wholes
        assert len(seen) > statement
        statement += 1
    assert statement > 10


def test_a_killed_run_leaves_all_or_nothing_of_each_group(line: MergingLine) -> None:
    line.says(*HORN)
    before = line.tables()
    through_every_kill(line, lambda: consolidate(line, lambda: None), [before, _Merged(line)])
    assert line.current() == [FULLEST]


class _Merged:
    """Equal to tables in which the merge is whole: the output with its vector and lineage, its inputs behind it, the count right."""

    def __init__(self, line: MergingLine) -> None:
        self._line = line

    def __eq__(self, _: object) -> bool:
        [row] = (
            self._line.execute("""select (select count(*) from lineage) as lineage, (select count(*) from vectors) as vectors,
          (select count(*) from memories where retired_as = 'consolidated') as inputs, (select memories from owners) as counted,
          (select count(*) from consolidation_groups where output is not null) as groups""")
        )
        return (row.lineage, row.vectors, row.inputs, row.counted, row.groups) == (3, 4, 3, 1, 1)

    __hash__ = None  # type: ignore[assignment]


def test_a_killed_revert_leaves_all_or_nothing(line: MergingLine) -> None:
    line.says(*HORN)
    before = line.tables()
    run = line.consolidate()["consolidation"]
    merged = line.tables()
    through_every_kill(line, lambda: line.revert(run), [merged, before])
    assert line.tables() == before
