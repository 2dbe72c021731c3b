"""Two statements of one key: the same in other words, contrary, an update, or different. False merges are the worst error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.likeness import Likeness, Statement, compare
from policies.likeness_words import ANTONYMS, are_antonyms, meanings


def likeness(first: str, second: str, **marks: bool) -> Likeness:
    """Of two sentences that are claim and object at once."""
    return compare(Statement(first, first), Statement(second, second, marks.get("negated", False)))


SAME = [
    ("The nurse is walking to the shop.", "A nurse walks to the store"),
    ("Two sisters run a bakery near the harbour", "2 sisters run a bakery close to the harbor"),
    ("the plumber repaired the boiler on Friday", "On Friday the plumber fixed the boiler"),
    ("The gardener is watering the roses", "the roses are being watered by the gardener"),
    ("the roses are being watered by the gardener", "The gardener is watering the roses"),
    ("a red and blue kite is flying", "a blue and red kite is flying"),
    ("the old tram is crossing the bridge slowly", "the old tram is slowly crossing the bridge"),
    ("a huge parcel is standing in the hall", "an enormous parcel is standing in the hall"),
    ("the lift isn't working", "the elevator is not working"),
    ("twenty-five guests are staying at the inn", "25 guests are staying at the inn"),
    ("the budget is 1,200 euros", "the budget is €1200"),
    ("the dog, which is brown, is sleeping", "the brown dog is sleeping"),
    ("a cup of tap water", "a cup of water from the tap"),
    ("sofa", "couch"),
    ("her cell phone", "mobile phone"),
]

NEVER_SAME = [
    ("the meeting takes 30 minutes", "the meeting takes 45 minutes"),
    ("the flat has 2 rooms", "the flat has two and a half rooms"),
    ("the parcel weighs 5 kg", "the parcel weighs 5 pounds"),
    ("the visa expires on 2026-03-01", "the visa expires on 2026-03-11"),
    ("the train leaves at 9:15", "the train leaves at 9:50"),
    ("the review is in March", "the review is in May"),
    ("the report goes to Anna", "the report goes to Hanna"),
    ("the flight goes from Oulu to Turku", "the flight goes from Turku to Oulu"),
    ("the cat is chasing the dog", "the dog is chasing the cat"),
    ("the cat is chasing the dog", "the cat is being chased by the dog"),
    ("a red kite and a blue balloon are flying", "a blue kite and a red balloon are flying"),
    ("all invoices are checked", "some invoices are checked"),
    ("every invoice is checked", "most invoices are checked"),
    ("the backup always runs at night", "the backup usually runs at night"),
    ("the server may restart tonight", "the server will restart tonight"),
    ("the server restarts every night", "the server might restart every night"),
    ("the clinic is open", "the clinic is not open"),
    ("she takes the tablets with food", "she takes the tablets without food"),
    ("the invoice was sold to Kaja", "the invoice was sold by Kaja"),
    ("the shop opens before noon", "the shop opens after noon"),
    ("the painter works at the mill", "the painter worked at the mill"),
    ("a singer owns a house", "a singer owns houses"),
    ("first floor", "third floor"),
    ("his car is in the garage", "her car is in the garage"),
    ("the red door is locked", "the door is locked"),
    ("two dogs", "three dogs"),
    ("care home", "car home"),
    ("the tower is in North Korea", "the tower is in South Korea"),
    (
        "der Ausschuss der Stadt hat den langen Plan für die neue Brücke über den Fluss genehmigt",
        "der Ausschuss der Stadt hat den langen Plan für die neue Brücke über den Fluss nicht genehmigt",
    ),
    (
        "the former head of the mill approved the careful plan for the long bridge over the valley",
        "the head of the mill approved the careful plan for the long bridge over the valley",
    ),
    (
        "the committee of the northern district approved the plan for the new bridge over the river Ems",
        "the committee of the southern district approved the plan for the new bridge over the river Ems",
    ),
    (
        "the committee of the northern district approved the plan for the new bridge over the river Ems",
        "the committee of the northern district approved the plan for the new bridge over the river Spree",
    ),
    (
        "the old committee of the district approved the careful plan for the long bridge over the valley",
        "the old committee of the district approved the careful plan for the long tunnel over the valley",
    ),
]

CONTRARY = [
    ("the clinic is open on Sunday", "the clinic is not open on Sunday"),
    ("a waiter is carrying a tray", "there is no waiter carrying a tray"),
    ("somebody is playing the piano", "nobody is playing the piano"),
    ("a man is riding a black horse in the park", "the man is not riding a horse"),
    ("the singer loves the sea", "the singer cannot stand the sea"),
    ("the museum is near the station", "the museum is far from the station"),
    ("the tank is full", "the tank is empty"),
    ("the sisters are always late", "the sisters are never late"),
    ("the front door is painted red", "the front door is painted green"),
    ("the parcel weighs 5 kg", "the parcel weighs 7 kg"),
    ("the team is meeting on Monday", "the team is meeting on Thursday"),
    ("the archive is in Norway", "the archive is in New Zealand"),
    ("the report goes to Anna", "the report goes to Hanna"),
    ("the office is on the 2nd floor", "the office is on the ninth floor"),
    ("a boy is practising the violin in the attic", "a boy is practising the trumpet in the attic"),
    ("the team agrees with the plan", "the team disagrees with the plan"),
]

COEXIST = [
    ("Danish", "Welsh"),
    ("red wine", "white wine"),
    ("two goats", "three goats"),
    ("hiking in the mountains in summer", "hiking in the mountains in winter"),
    ("raisins in bread", "raisins"),
    ("the nurse is reading a letter", "the singer is reading a letter"),
    ("the tall nurse is reading a letter in the park", "the tall nurse is writing a poem in the park"),
    ("a man is riding a horse", "there is no man driving a car"),
    ("a dog is running in the field", "two women are talking in the field"),
    ("the shop sells bread", "the shop does not open before eight"),
    ("a man is not riding a horse in the rain", "a man is riding a horse"),
    ("the archive was founded in Norway", "the mill is not in Norway"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_in_other_words(first: str, second: str) -> None:
    assert likeness(first, second) is Likeness.SAME
    assert likeness(second, first) is Likeness.SAME


@pytest.mark.parametrize(("first", "second"), NEVER_SAME)
def test_texts_that_differ_in_what_counts_are_never_the_same(first: str, second: str) -> None:
    assert likeness(first, second) is not Likeness.SAME
    assert likeness(second, first) is not Likeness.SAME


@pytest.mark.parametrize(("first", "second"), CONTRARY)
def test_a_denial_an_opposite_and_another_value_of_one_slot_are_contrary(first: str, second: str) -> None:
    assert likeness(first, second) is Likeness.CONTRARY
    assert likeness(second, first) is Likeness.CONTRARY


@pytest.mark.parametrize(("first", "second"), COEXIST)
def test_what_may_hold_side_by_side_is_different(first: str, second: str) -> None:
    assert likeness(first, second) is Likeness.DIFFERENT
    assert likeness(second, first) is Likeness.DIFFERENT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the choir rehearses in the cellar", "Actually, the choir now rehearses in the old brewery"),
        ("the front door is painted red", "the front door is now painted green"),
        ("the clinic is open on Sunday", "the clinic is no longer open on Sunday"),
        ("the choir isn't looking for a tenor", "the choir is looking for a tenor these days"),
    ],
)
def test_a_contrary_that_is_worded_as_a_change_is_an_update(first: str, second: str) -> None:
    assert likeness(first, second) is Likeness.UPDATE


def test_a_cue_alone_makes_no_update_of_another_statement() -> None:
    assert likeness("the choir rehearses in the cellar", "the baker now sells rye bread") is Likeness.DIFFERENT
    assert likeness("Danish", "Now I speak Welsh") is Likeness.DIFFERENT
    assert likeness("the shop sells bread", "the shop now also sells cake") is Likeness.DIFFERENT
    assert likeness("running in the park on Sundays", "now running in the park with Anna") is Likeness.DIFFERENT


def test_the_mark_of_a_denial_counts_where_the_words_hold_none() -> None:
    assert compare(Statement("", "liquorice"), Statement("", "liquorice", negated=True)) is Likeness.CONTRARY
    assert compare(Statement("", "sofa"), Statement("", "couch", negated=True)) is Likeness.CONTRARY
    denied = Statement("", "the lift is not working", negated=True)
    assert compare(Statement("", "the elevator isn't working", negated=False), denied) is Likeness.SAME


def test_claims_of_one_value_are_against_each_other_by_their_verbs() -> None:
    loves, hates = (Statement(f"The user {verb} liquorice.", "liquorice") for verb in ("loves", "cannot stand"))
    assert compare(loves, hates) is Likeness.CONTRARY
    there, here = (Statement(f"{name} gave the user a bike.", "bike") for name in ("Anna", "Paul"))
    assert compare(there, here) is Likeness.SAME, "the value is what the key is about"
    assert compare(loves, Statement("The user is fond of liquorice.", "Liquorice")) is Likeness.SAME


def test_less_strict_is_only_more_of_the_same() -> None:
    long = "the committee approved the plan for the new bridge over the valley after a debate"
    longer = "after a debate the committee finally approved the plan for the new bridge over the valley"
    assert compare(Statement("", long), Statement("", longer), loose=0) is Likeness.DIFFERENT
    assert compare(Statement("", long), Statement("", longer), loose=0.1) is Likeness.SAME


def test_no_word_is_the_opposite_of_a_word_of_the_same_meaning() -> None:
    assert not [(one, other) for one, other in ANTONYMS if meanings(one) & meanings(other)]
    assert are_antonyms("happy", "unhappy")


WORDS = st.lists(
    st.sampled_from(["the", "a", "dog", "cat", "is", "not", "no", "riding", "red", "blue", "two", "3", "March", "Oslo", "in", "by", "and", "without", "never", ",", "'s", "%", "’"]), max_size=12
).map(" ".join)  # fmt: skip


@given(WORDS | st.text(max_size=40), WORDS | st.text(max_size=40))
def test_any_two_texts_get_an_answer_and_either_way_round_agrees_on_sameness(first: str, second: str) -> None:
    there, back = likeness(first, second), likeness(second, first)
    assert (there is Likeness.SAME) == (back is Likeness.SAME)
    assert (there is Likeness.DIFFERENT) == (back is Likeness.DIFFERENT)


@given(WORDS | st.text(max_size=40))
def test_a_statement_is_the_same_as_itself(text: str) -> None:
    assert likeness(text, text.upper()) is Likeness.SAME or text.upper().casefold() != text.casefold()
