"""The simulation: the same seed gives the same words and the same picture, and the real line stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import redis
from sqlalchemy.engine import Engine

from lethe.embedded import valkey
from lethe.embedded.places import Home
from lethe.keys import Keyring
from lethe.lifecycle.deletion.requests import Reach
from lethe.recall.uses import UseBuffer
from lethe.rules import Rules
from lethe.simulation.picture import draw
from lethe.simulation.population import population
from lethe.simulation.report import report
from lethe.simulation.running import Look, Parts, simulate
from tests.integration.recall_rows import WordModel
from workers.jobs import final_deletion


@pytest.fixture
def parts(home: Home, engine: Engine, rules: Rules, keys: Keyring, tmp_path: Path) -> Iterator[Parts]:
    valkey.start(home)
    delete = final_deletion(Reach(engine, rules, keys, tmp_path))
    with redis.Redis.from_url(valkey.cache_url(home)) as cache:
        cache.flushdb()
        yield Parts(engine, rules, keys, WordModel(), UseBuffer(cache), delete)
    valkey.stop(home)


def test_the_same_seed_gives_the_same_words() -> None:
    assert population(3, 60, 7) == population(3, 60, 7)
    assert population(3, 60, 7) != population(3, 60, 8)


def test_what_is_replaced_holds_until_then(tmp_path: Path) -> None:
    said = [each for each in population(2, 400, 1) if each.user == "u0" and each.slot == "home"]
    assert len(said) > 1
    for before, after in pairwise(said):
        assert before.holds(before.at)
        assert not before.holds(after.at)


def test_two_people_through_two_months(parts: Parts) -> None:
    looks = simulate(parts, users=2, days=63, seed=1)
    assert [look.day for look in looks] == [28, 56, 63]
    assert 0 < looks[-1].size < looks[-1].everything_size
    assert report(looks)["current_share"] > report(looks)["everything_current_share"]


def test_the_same_looks_give_the_same_picture(tmp_path: Path) -> None:
    looks = [Look(28 * step, 100 * step, 20, 19, 400 * step, 20, 10) for step in range(1, 20)]
    draw(looks, tmp_path / "one.png")
    draw(looks, tmp_path / "two.png")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
