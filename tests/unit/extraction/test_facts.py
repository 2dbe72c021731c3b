"""First-person statements become facts under canonical keys."""

from __future__ import annotations

import pytest

from lethe.records import Cardinality, Kind
from tests.unit.extraction.saying import candidates, kept, key, only, turn


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I live in Tartu.", "lives_in", "Tartu"),
        ("My home is in Tartu.", "lives_in", "Tartu"),
        ("I live in Tartu now.", "lives_in", "Tartu"),
        ("I work for Lund Optics.", "works_for", "Lund Optics"),
        ("I work at Lund Optics.", "works_for", "Lund Optics"),
        ("I'm employed by Lund Optics.", "works_for", "Lund Optics"),
        ("I work as a glazier.", "occupation", "glazier"),
        ("I'm a glazier.", "occupation", "glazier"),
        ("My name is Ilse.", "name", "Ilse"),
        ("I'm 41 years old.", "age", "41 years old"),
        ("I'm from Galway.", "comes_from", "Galway"),
        ("My birthday is on 9 March.", "birthday", "9 March"),
        ("My favorite colour is teal.", "favourite_colour", "teal"),
    ],
)
def test_the_same_fact_in_other_words_lands_on_one_single_valued_key(text: str, predicate: str, value: str) -> None:
    found = only(text)
    assert key(found) == ("user", predicate, value)
    assert found.cardinality is Cardinality.SINGLE


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I breed alpacas.", "breeds", "alpacas"),
        ("I bind my own books.", "binds", "own books"),
        ("I repair sewing machines.", "repairs", "sewing machines"),
        ("I tune the church organ on Saturdays.", "tunes", "church organ on Saturdays"),
        ("I go rowing every Sunday.", "goes", "rowing on Sundays"),
        ("I speak Latvian at home.", "speaks", "Latvian at home"),
        ("I have used Emacs since 2011.", "uses", "Emacs"),
        ("I have been learning Basque for two years.", "learns", "Basque"),
        ("I'm short-sighted.", "is", "short-sighted"),
        ("I'm allergic to walnuts.", "allergic_to", "walnuts"),
        ("I sing in the harbour choir.", "sings_in", "harbour choir"),
    ],
)
def test_a_verb_without_a_row_in_the_table_names_a_many_valued_predicate(text: str, predicate: str, value: str) -> None:
    found = only(text)
    assert key(found) == ("user", predicate, value)
    assert found.cardinality is Cardinality.MANY


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("My scooter is green.", "scooter", "green"),
        ("My workshop is behind the bakery.", "workshop_location", "bakery"),
        ("My tablet runs Android.", "tablet_runs", "Android"),
        ("My reading group meets on Tuesdays.", "reading_group_meets", "Tuesdays"),
        ("My boat is called Petrel.", "boat_name", "Petrel"),
    ],
)
def test_what_is_said_of_a_thing_of_the_user_belongs_to_the_user(text: str, predicate: str, value: str) -> None:
    found = only(text)
    assert key(found) == ("user", predicate, value)
    assert found.cardinality is Cardinality.SINGLE


def test_a_relative_by_name_belongs_to_the_user_and_leaves_room_for_others() -> None:
    found = only("My cousin is called Tove.")
    assert key(found) == ("user", "cousin", "Tove")
    assert found.cardinality is Cardinality.MANY


@pytest.mark.parametrize("text", ["My uncle hates cricket.", "My aunt paints barns.", "My boss is a glazier."])
def test_what_others_do_is_theirs(text: str) -> None:
    found = only(text)
    assert found.subject.startswith("user's ")
    assert found.third_party
    assert found.claim.startswith("The user's ")


def test_names_stay_verbatim_in_any_script() -> None:
    assert only("My name is Ольга Šímová.").object == "Ольга Šímová"
    assert "Åkergränd" in only("I live in Åkergränd, beside Herr Öberg.").claim
    assert only("My sister is called 美咲.").object == "美咲"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I've got two sons.", "The user has got two sons."),
        ("I'm learning to weld.", "The user is learning to weld."),
        ("I don't eat meat.", "The user does not eat meat."),
        ("I was born in Bergen.", "The user was born in Bergen."),
        ("I teach my children Danish myself.", "The user teaches the user's children Danish themselves."),
        ("I never take calls after nine.", "The user never takes calls after nine."),
        ("I loved The Last of Us.", "The user loved The Last of Us."),
    ],
)
def test_claims_are_worded_in_the_third_person(text: str, claim: str) -> None:
    assert claim in [candidate.claim for candidate in candidates(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Can you plan my week? By the way, I keep bees.",
        "I keep bees, can you suggest a good book?",
        "What should I plant, considering I keep bees?",
        "Remember that I keep bees.",
        "Oh, and I keep bees!",
        "FYI: I keep bees.",
        "I live next to a mill and keep bees.",
    ],
)
def test_a_fact_is_found_beside_a_request_and_in_subordinate_clauses(text: str) -> None:
    assert ("user", "keeps", "bees") in [key(candidate) for candidate in kept(text)]


def test_what_a_request_takes_for_granted_is_told() -> None:
    claims = [candidate.claim for candidate in kept("Can you find a stand for my Yamaha P45, which I bought in 2021?")]
    assert claims == ["The user bought the user's Yamaha P45 in 2021."]
    assert only("Any ideas for my 30 pocket watches?").claim == "The user has 30 pocket watches."


def test_it_takes_up_the_one_thing_of_the_sentence_before() -> None:
    claims = [candidate.claim for candidate in kept("I bought a lathe. I use it every day.")]
    assert claims == ["The user bought a lathe.", "The user uses the lathe every day."]


@pytest.mark.parametrize(
    "text", ["Nora Lindt plays the oboe in Ghent.", "The barn door measures 3 metres at the base."]
)
def test_a_plain_statement_about_a_named_thing_is_kept_under_its_name(text: str) -> None:
    found = only(text)
    assert found.subject in ("Nora Lindt", "barn door")
    assert found.claim == text
    assert not found.third_party


def test_statements_of_a_team_are_shared_in_a_project() -> None:
    found = only("We run the nightly tests on OpenBSD.", project="wren")
    assert found.shared
    assert found.claim == "The team runs the nightly tests on OpenBSD."
    assert not only("I run OpenBSD.", project="wren").shared


def test_a_decision_is_a_fact() -> None:
    found = only("We decided to use SQLite.", project="wren")
    assert (found.kind, found.predicate) == (Kind.SEMANTIC, "decided")


def test_two_people_talk_without_an_assistant() -> None:
    window = [turn("How was your weekend?", speaker="Rosa")]
    found = only("I went rowing with you last Saturday, Rosa!", window, speaker="Ben")
    assert found.claim.startswith("The user went rowing with Rosa on 10 August 2024")
    assert kept("Never give up and always believe in yourself!", window, speaker="Ben") == []


def test_a_statement_framed_by_a_named_thing_belongs_to_that_thing() -> None:
    found = only('In my opera "Salt", a diver finds a bell.')
    assert key(found) == ("user's opera Salt", "notes", "a diver finds a bell")
    assert found.claim == 'In the user\'s opera "Salt", a diver finds a bell.'


def test_a_cancelled_plan_is_told_of_the_plan() -> None:
    found = only("Ignore what I said about the Malta trip, it is cancelled.")
    assert (found.subject, found.claim) == ("Malta trip", "The Malta trip is cancelled.")
