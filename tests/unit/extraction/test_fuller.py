"""One full claim a statement: what feelings, aims and requests are about, what remarks add, what replaces what."""

from __future__ import annotations

import sys

import pytest

from lethe.records import Cardinality, Reason
from tests.unit.extraction.saying import candidates, kept, key, only, turn


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I'm worried about the audit by Brandt & Co on 9 June.", "The user is worried about the audit by Brandt & Co on 9 June."),
        ("I'm trying to finish 40 watercolours by 9 June.", "The user is trying to finish 40 watercolours by 9 June."),
        ("I think I'll take the Skagen course.", "The user will take the Skagen course."),
    ],
)  # fmt: skip
def test_a_feeling_or_an_aim_is_kept_for_what_it_is_about(text: str, claim: str) -> None:
    assert [candidate.claim for candidate in kept(text)] == [claim]


@pytest.mark.parametrize(
    "text", ["I'm worried.", "I'm excited to get started.", "I'm not sure how this works.", "I want to get it right."]
)
def test_a_feeling_or_an_aim_about_nothing_is_not(text: str) -> None:
    assert kept(text) == []


def test_what_was_done_to_a_thing_is_told_whatever_is_asked_of_the_thing() -> None:
    claims = [candidate.claim for candidate in kept("I'm not sure if the kiln that I bought in Delft is any good.")]
    assert claims == ["The user bought the kiln in Delft."]


def test_a_thing_named_in_a_request_comes_with_what_describes_it() -> None:
    found = only("Can you help me sort my shelf of 60 herbals, including Gerard and Culpeper?")
    assert found.claim == "The user has a shelf of 60 herbals, including Gerard and Culpeper."


def test_a_remark_joins_the_claim_before_it() -> None:
    found = only("I met Ruth in Delft on 9 June. She lent me 200 glass plates.")
    assert found.claim == "The user met Ruth in Delft on 9 June; she lent the user 200 glass plates."


def test_praise_adds_nothing_to_a_claim() -> None:
    assert only("I met Ruth in Delft. It was great.").claim == "The user met Ruth in Delft."


def test_a_pronoun_is_taken_up_where_one_thing_alone_can_be_meant() -> None:
    assert "The user got the boots on 5 February." in [
        c.claim for c in kept("I need to return some boots. I got them on 5 February.")
    ]
    both = candidates("I need to return some boots and some gloves. I got them on 5 February.")
    assert all(Reason.NOT_SELF_CONTAINED in candidate.signals for candidate in both if " them " in candidate.claim)


def test_no_fragment_stands_beside_the_claim_that_holds_it() -> None:
    claims = [candidate.claim for candidate in kept("I sold the loom that I built in 2019 to Ruth.")]
    assert claims == ["The user sold the loom that the user built in 2019 to Ruth."]


@pytest.mark.parametrize(
    ("first", "later", "predicate", "value"),
    [
        ("I raised my rowing goal to 60 km.", "I extended my rowing goal to 80 km.", "rowing_goal", "80 km"),
        ("I lowered my rent to 700 euros.", "I raised my rent from 700 to 750 euros.", "rent", "750 euros"),
        ("I want to stay within my seed budget of $90.", "I'm trying to stay within my increased seed budget of $95.", "seed_budget", "$95"),
    ],
)  # fmt: skip
def test_a_quantity_said_again_lands_on_its_key(first: str, later: str, predicate: str, value: str) -> None:
    before, after = only(first), only(later)
    assert before.predicate == after.predicate == predicate
    assert (after.object, after.cardinality, after.cue) == (value, Cardinality.SINGLE, True)


def test_a_quantity_names_the_value_that_it_had() -> None:
    assert only("I raised my rent from 700 to 750 euros.").replaces == "700"


def test_a_former_quantity_is_none() -> None:
    assert all(
        candidate.cardinality is Cardinality.MANY for candidate in kept("I'm trying to forget my old budget of $90.")
    )


def test_every_candidate_carries_its_sentence_as_it_was_said() -> None:
    found = kept("Hello! I keep bees. My name is Ilse.")
    assert [candidate.said for candidate in found] == ["I keep bees.", "My name is Ilse."]
    assert only("Oulu.", [turn("Where do you live?", "assistant")]).said == "Oulu."


def test_torch_can_still_be_imported_after_a_parse() -> None:
    only("I keep bees.")
    assert sys.modules.get("torch", sys) is not None


def test_keys_of_plain_statements_stay_as_they_were() -> None:
    assert key(only("I own a kiln.")) == ("user", "owns", "kiln")


def test_a_photo_says_what_a_pronoun_beside_it_means() -> None:
    window = [turn("What have you been up to?", speaker="Rosa")]
    found = only("I painted this for my mother. [shares a photo: a photo of a heron on a weir]", window, speaker="Ben")
    assert found.claim == "The user painted this for the user's mother (shown in a photo of a heron on a weir)."


def test_the_time_that_a_sentence_opens_with_belongs_to_what_happened() -> None:
    found = only("Yesterday was wild - I met the mayor of Visby!")
    assert found.claim == "On 14 August 2024 the user met the mayor of Visby."


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("I've never met Ruth at any fair before.", "met", "Ruth"),
        ("I have never attended any tastings with Ruth, which is odd.", "attended", "tastings with Ruth"),
        ("I've never solved any chess problems.", "solved", "chess problems"),
    ],
)
def test_never_denies_the_thing_itself(text: str, predicate: str, value: str) -> None:
    found = only(text)
    assert (found.predicate, found.object, found.negated) == (predicate, value, True)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("It took me 5 hours to glaze everything in the barn.", "It took the user 5 hours to glaze everything in the barn."),
        ("There are 12 pots in my kiln.", "There are 12 pots in the user's kiln."),
        ("I'm thinking of joining the Visby choir.", "The user is thinking of joining the Visby choir."),
        ("I will visit Visby and buy the Visby flag.", "The user will buy the Visby flag."),
    ],
)  # fmt: skip
def test_further_ways_to_tell(text: str, claim: str) -> None:
    assert claim in [candidate.claim for candidate in kept(text)]


def test_an_idea_about_nothing_in_particular_is_not_kept() -> None:
    assert kept("I'm thinking of trying something else.") == []


def test_a_quantity_that_a_question_takes_for_granted_is_told() -> None:
    found = only("What is the best way to spend the revised budget of $900 for oak shelves?")
    assert (found.predicate, found.object) == ("budget", "$900")
    assert found.claim == "The revised budget for oak shelves is $900."


def test_why_something_is_so_leaves_no_doubt_that_it_is() -> None:
    assert only("I don't understand why I have never sailed to Visby.").claim == "The user has never sailed to Visby."


def test_between_two_people_what_is_shown_is_told() -> None:
    window = [turn("What have you been up to?", speaker="Rosa")]
    found = only("Here's a picture of my boat! [shares a photo: a photo of a boat at a pier]", window, speaker="Ben")
    assert found.claim == "The user shared a photo of a boat at a pier: Here's a picture of the user's boat."


def test_between_two_people_a_sentence_that_goes_on_is_one_claim() -> None:
    window = [turn("What have you been up to?", speaker="Rosa")]
    found = only("I packed the kiln and drove to Visby.", window, speaker="Ben")
    assert found.claim == "The user packed the kiln; the user drove to Visby."


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I'd like to add that I own two looms.", "The user owns two looms."),
        ("Let me just mention that I own two looms.", "The user owns two looms."),
        ("I should also point out that I own two looms.", "The user owns two looms."),
        ("I still remember that I left my loom in Delft.", "The user left the user's loom in Delft."),
    ],
)
def test_what_only_leads_up_to_a_statement_is_left_out(text: str, claim: str) -> None:
    assert [candidate.claim for candidate in kept(text)] == [claim]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I bought those silver candlesticks at the Delft auction.", "The user bought silver candlesticks at the Delft auction."),
        ("I bought that oak desk at the Delft auction.", "The user bought the oak desk at the Delft auction."),
    ],
)  # fmt: skip
def test_a_thing_that_is_pointed_at_and_described_is_told_by_its_description(text: str, claim: str) -> None:
    assert [candidate.claim for candidate in kept(text)] == [claim]


@pytest.mark.parametrize("text", ["I bought that at the Delft auction.", "I bought those things in Delft."])
def test_a_thing_that_is_only_pointed_at_is_nothing_to_keep(text: str) -> None:
    assert kept(text) == []


def test_as_what_somebody_speaks_is_what_they_are() -> None:
    assert "The user is a night nurse." in [c.claim for c in kept("As a night nurse, I own two alarm clocks.")]
    for text in (
        "As a result, I own two looms.",
        "As a user, I want to log in.",
        "As a baker, you would know. I own two looms.",
    ):
        assert not [c.claim for c in kept(text) if c.predicate == "is"], text


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I started working on a model of a Tiger I tank.", "The user started working on a model of a Tiger I tank."),
        ("I bought a few dresses and tops in Delft.", "The user bought a few dresses and tops in Delft."),
        ("I focus on lace from Delft.", "The user focuses on lace from Delft."),
    ],
)
def test_a_name_or_a_plural_is_no_pronoun_and_no_verb(text: str, claim: str) -> None:
    assert [candidate.claim for candidate in kept(text)] == [claim]


@pytest.mark.parametrize(
    ("text", "value", "negated"),
    [
        ("I'm severely allergic to sesame.", "sesame", False),
        ("I am badly allergic to horses.", "horses", False),
        ("I'm not allergic to sesame after all, the nurse said it was a mistake.", "sesame", True),
    ],
)
def test_how_much_and_a_cue_are_no_part_of_what_somebody_is_allergic_to(text: str, value: str, negated: bool) -> None:
    found = next(candidate for candidate in kept(text) if candidate.predicate == "allergic_to")
    assert (found.object, found.negated) == (value, negated)


def test_what_the_author_said_before_are_the_authors_words() -> None:
    assert "sesame" in [c.object for c in kept("As I said, no snacks: I'm allergic to sesame.")]


def test_what_stands_for_a_secret_cuts_no_sentence_in_two() -> None:
    claims = [candidate.claim for candidate in candidates("My router token is [redacted: api key], please store it.")]
    assert all("[redacted]" in claim for claim in claims if "redacted" in claim or "token" in claim)
