"""Which words of a question and a claim meet."""

from __future__ import annotations

import pytest

from lethe.recall.lexicon import Lexicon
from lethe.recall.words import terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lives", "living"),
        ("lived", "live"),
        ("cities", "city"),
        ("running", "runs"),
        ("planned", "plan"),
        ("boxes", "box"),
        ("e-mail", "email"),
        ("Café", "CAFÉ"),
        ("weekly", "weekly"),
        ("studies", "studied"),
    ],
)
def test_forms_of_a_word_meet(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("one", "other"), [("thing one", "user"), ("Oslo", "Oulu"), ("v2.1", "v2.2"), ("1,000", "1,001")]
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert not set(terms(one)) & set(terms(other))


def test_who_is_spoken_of_says_nothing() -> None:
    assert terms("What is my name?") == terms("the user's name") == ["nam"]


def test_a_script_without_spaces_is_compared_by_pairs_of_letters() -> None:
    assert set(terms("我住在上海")) & set(terms("上海"))


def test_names_and_versions_stay_whole() -> None:
    assert terms("王") == ["王"]
    assert terms("v2.1.3 and 10:30") == ["v2.1.3", "10:30"]


def lexicon(*claims: str) -> Lexicon:
    return Lexicon.of([frozenset(terms(claim)) for claim in claims])


def test_coverage_is_the_share_of_what_was_asked() -> None:
    held = lexicon("The user plays chess.", "The user plays the horn in Oulu.", "The user lives in Oulu.")
    cover = held.coverage(terms("Does the user play the horn?"))
    assert cover[1] == pytest.approx(1)
    assert 0 < cover[0] < cover[1]
    assert cover[2] == 0


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    cover = lexicon("plays chess", "plays golf", "plays squash", "likes tennis").coverage(terms("plays tennis"))
    assert cover[3] > cover[0]


def test_a_question_without_content_words_covers_nothing() -> None:
    assert lexicon("The user plays chess.").coverage(terms("What about me?")).tolist() == [0]


def test_missing_is_the_share_of_names_that_do_not_occur() -> None:
    held = lexicon("Anna plays chess.", "Anna and Bea play golf.", "The user plays golf.")
    assert held.missing(terms("Anna Bea")).tolist() == [0.5, 0, 1]
    assert held.missing([]).tolist() == [0, 0, 0]
