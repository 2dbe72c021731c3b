"""What a later statement says of an amount or a day replaces what an earlier one said of the same, whatever name that went by."""

from __future__ import annotations

from itertools import permutations

import pytest

from lethe.records import Kind, Proposal
from policies.amounts import Amount, amounts
from tests.unit.policies.across_cases import became, current, did, replaced


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            did("allocated", "$700 for office chairs", 1),
            became("budget", "$900", 2, "The increased budget for office chairs is $900."),
            id="money set aside, and its budget",
        ),
        pytest.param(
            did("joined", "winter rowing challenge aiming for 10 races", 1),
            became(
                "challenge_goal", "12 races", 2, "The user has extended the user's rowing challenge goal to 12 races."
            ),
            id="so many of a thing",
        ),
        pytest.param(
            did("has", "dentist appointment with Dr. Okafor on March 22 at 3 PM", 1, kind=Kind.SEMANTIC),
            became("was", "x", 2, "The dentist appointment with Dr. Okafor got moved to March 22 at 4:30 PM."),
            id="another hour of the same day",
        ),
        pytest.param(
            did("booked", "pottery kiln with Ilse for July 12-15", 1),
            became("is_extended_to", "July 16", 2, "The pottery kiln booking with Ilse got extended to July 16."),
            id="a longer booking",
        ),
        pytest.param(
            became(
                "deadline_first_sprint", "2026-04-01", 1, "The user has a deadline of April 1 for the first sprint."
            ),
            became(
                "deadline_sprint",
                "2026-04-05",
                2,
                "The user wants help to update the plan and reflect the new sprint deadline of April 5.",
            ),
            id="the name of the quantity is enough",
        ),
        pytest.param(
            did("leads", "choir of 4 tenors at the mill", 1, kind=Kind.SEMANTIC),
            did("enjoys", "x", 2, "The user enjoys that the user now leads a choir of five tenors.", cue=True),
            id="a number in words, within a liking",
        ),
        pytest.param(
            did(
                "leads",
                "choir of 4 tenors",
                1,
                "The user leads a choir of 4 tenors in the old mill.",
                kind=Kind.SEMANTIC,
            ),
            did(
                "enjoys",
                "x",
                2,
                "The user enjoys the evenings at home, especially since the user now leads a choir of five tenors.",
                cue=True,
            ),
            id="in a clause of its own",
        ),
        pytest.param(
            did("has", "long list of 20 operas to hear", 1, kind=Kind.SEMANTIC),
            did("got", "x", 2, "The user has got a lot of operas on the list to hear, currently 25.", cue=True),
            id="what is counted stands elsewhere",
        ),
        pytest.param(
            did("plays", "darts", 1, "The user's highest score in darts so far is 124 points.", kind=Kind.SEMANTIC),
            did("got", "x", 2, "The user got the highest score in darts yet, 132 points.", cue=True),
            id="a record",
        ),
        pytest.param(
            became("coverage", "60%", 1, "The test coverage of the parser is 60%."),
            became("parser_coverage", "75%", 2, "The parser test coverage has improved to 75%."),
            id="a share",
        ),
    ],
)
def test_an_amount_that_changed_replaces_the_earlier_one(older: Proposal, newer: Proposal) -> None:
    assert replaced(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            did("spent", "$700 on office chairs", 1),
            became("budget", "$900", 2, "The increased budget for office chairs is $900."),
            id="what was spent stays spent",
        ),
        pytest.param(
            became("travel_budget", "$700", 1, "The travel budget for the fair is $700."),
            became("office_budget", "$900", 2, "The user has raised the office budget to $900."),
            id="the budget of something else",
        ),
        pytest.param(
            became("subscription_fee", "$70", 1, "The monthly fee for drawing software is $70."),
            became("software_budget", "$900", 2, "The user has raised the budget for drawing software to $900."),
            id="another measure of the same thing",
        ),
        pytest.param(
            did("has", "meeting with Ana about the kiln on March 4", 1, kind=Kind.SEMANTIC),
            became("hears", "x", 2, "The meeting with Ilse about the kiln was moved to March 9."),
            id="with somebody else",
        ),
        pytest.param(
            became("deadline_kiln", "2026-03-04", 1, "The deadline for the kiln application is March 4."),
            became("got", "x", 2, "The user has a new kiln, bought on March 9 for the application."),
            id="a new thing and some date",
        ),
        pytest.param(
            did("has", "a kiln meeting with Ilse on March 4", 1, kind=Kind.SEMANTIC),
            became("hears", "x", 2, "The user's kiln meeting with Ilse was moved from March 20 to April 1."),
            id="of what was on another day",
        ),
        pytest.param(
            did("owns", "4 rowing boats", 1, kind=Kind.SEMANTIC),
            became("keeps", "x", 2, "The user now keeps 12 races of pigeons."),
            id="other things counted",
        ),
        pytest.param(
            did(
                "leads",
                "choir of 4 tenors",
                1,
                "The user leads a choir of 4 tenors in the old mill.",
                kind=Kind.SEMANTIC,
            ),
            did(
                "is",
                "x",
                2,
                "The user is glad of the evenings, especially since the user's brother now leads a choir of five tenors.",
                cue=True,
            ),
            id="in a clause about somebody else",
        ),
        pytest.param(
            did("leads", "choir of 4 tenors", 1, "The user leads a choir of 4 tenors.", kind=Kind.SEMANTIC),
            did("leads", "x", 2, "The user now leads the other choir of five tenors.", kind=Kind.SEMANTIC, cue=True),
            id="another one",
        ),
    ],
)
def test_an_amount_of_something_else_replaces_nothing(older: Proposal, newer: Proposal) -> None:
    assert current(older, newer) == {older.claim, newer.claim}


@pytest.mark.parametrize(
    ("stated", "changed"),
    [("The permit timeline typically takes 6-9 months in Ulm.", "The permit process was shortened to 5-7 months.")],
)
def test_a_length_that_changed_replaces_the_one_that_was_stated(stated: str, changed: str) -> None:
    older = did("takes", "6-9 months in Ulm", 1, stated, kind=Kind.SEMANTIC, subject="permit timeline")
    newer = did("shortened", "to 5-7 months", 2, changed, cue=True, subject="permit process")
    assert replaced(older, newer)


def test_a_length_of_something_else_stays() -> None:
    older = did("takes", "6-9 months", 1, "The visa process takes 6-9 months.", kind=Kind.SEMANTIC)
    newer = did("shortened", "to 5-7 months", 2, "The permit process was shortened to 5-7 months.", cue=True)
    assert not replaced(older, newer)


def test_without_a_word_of_change_both_amounts_stand() -> None:
    older = did("allocated", "$700 for office chairs", 1)
    newer = did("allocates", "$900 for office chairs", 2, kind=Kind.SEMANTIC)
    assert current(older, newer) == {older.claim, newer.claim}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 left-handed garden gnomes in a row", {Amount("gnome", "12")}),
        ("on July 12-15 at 3 PM", {Amount("date", "07-15"), Amount("clock", "15:00")}),
        ("$1,200 per month, up 5%", {Amount("money", "1200"), Amount("share", "5")}),
        ("900 euros and 250ms", {Amount("money", "900"), Amount("ms", "250")}),
        ("due 2026-03-04 or 5 May", {Amount("date", "03-04"), Amount("date", "05-05")}),
    ],
)
def test_amounts_and_their_units(text: str, expected: set[Amount]) -> None:
    assert amounts(text) == expected


# --- a quantity that is given its value again ---------------------------------------------------------------------


def standing(predicate: str, value: str, day: float, claim: str) -> Proposal:
    """A quantity with its value, told without a word of change."""
    return became(predicate, value, day, claim)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            standing("boat_tax", "15%", 1, "The user has to pay the boat tax, which is 15% on sums above $2,000."),
            standing("rate", "12%", 2, "The rate on sums above $2,000 is 12%."),
            id="from the same sum on",
        ),
        pytest.param(
            did("allocated", "$700 for office chairs", 1),
            standing("budget", "$900", 2, "The user's budget for office chairs is $900."),
            id="money set aside, and its budget",
        ),
        pytest.param(
            standing("annual_budget", "$600", 1, "The user is getting close to the user's $600 annual budget."),
            became("budget", "$650", 2, "The user is thinking of oars with the user's increased budget of $650."),
            id="the only budget there is rose",
        ),
        pytest.param(
            standing("weight", "82 kg", 1, "The user's weight is 82 kg."),
            became("body_weight", "78 kg", 2, "The user has reduced the user's body weight to 78 kg."),
            id="the only one fell",
        ),
    ],
)
def test_a_quantity_of_the_same_has_the_later_value(older: Proposal, newer: Proposal) -> None:
    assert replaced(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(
            standing("boat_tax", "15%", 1, "The user has to pay the boat tax, which is 15% on sums above $2,000."),
            standing("rate", "12%", 2, "The rate on sums above $5,000 is 12%."),
            id="from another sum on",
        ),
        pytest.param(
            standing("boat_tax", "15%", 1, "The user has to pay the boat tax, which is 15% on sums above $2,000."),
            standing("rate", "12%", 2, "The rate on wages above $2,000 is 12%."),
            id="on something else",
        ),
        pytest.param(
            did("allocated", "$700 for office chairs", 1),
            standing("budget", "$900", 2, "The user's budget for office lamps is $900."),
            id="for something else",
        ),
        pytest.param(
            standing("marketing_budget", "$700", 1, "The marketing budget for the spring fair is $700."),
            standing("travel_budget", "$900", 2, "The travel budget for the spring fair is $900."),
            id="another quantity for the same",
        ),
        pytest.param(
            standing("annual_budget", "$600", 1, "The user is getting close to the user's $600 annual budget."),
            became("monthly_budget", "$650", 2, "The user has increased the user's monthly budget to $650."),
            id="of another length",
        ),
        pytest.param(
            standing("annual_budget", "$600", 1, "The user is getting close to the user's $600 annual budget."),
            became("budget", "$500", 2, "The user is thinking of oars with the user's increased budget of $500."),
            id="what rose cannot have been more",
        ),
        pytest.param(
            standing("daily_budget", "$40", 1, "The user keeps to the user's $40 daily budget."),
            became("budget", "$650", 2, "The user is thinking of oars with the user's increased budget of $650."),
            id="too far away",
        ),
        pytest.param(
            standing("budget", "$600", 1, "The user's budget for oars is $600."),
            became("budget_limit", "$650", 2, "The user has raised the budget limit to $650."),
            id="one says what for",
        ),
    ],
)
def test_another_quantity_keeps_its_value(older: Proposal, newer: Proposal) -> None:
    assert current(older, newer) == {older.claim, newer.claim}


# --- how many something holds -------------------------------------------------------------------------------------


def added(value: str, day: float) -> Proposal:
    return did("added", value, day, f"The user has added {value}.", cue=True)


SHELVES = did(
    "has", "45 maps, sorted by river", 1, "The user's map cabinet has 45 maps, sorted by river.", kind=Kind.SEMANTIC
)


def test_who_put_more_in_has_no_longer_so_few() -> None:
    assert replaced(SHELVES, added("52 maps to the user's map cabinet", 2))


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(added("3 maps to the user's map cabinet", 2), id="a few more: the sum is not told"),
        pytest.param(added("52 maps to the user's suitcase", 2), id="into something else"),
        pytest.param(added("52 stamps to the user's map cabinet", 2), id="other things"),
        pytest.param(added("52 maps to the map cabinet", 2), id="a cabinet that is not the user's"),
        pytest.param(did("bought", "52 maps", 2, "The user bought 52 maps.", cue=True), id="not put in"),
    ],
)
def test_what_was_put_elsewhere_says_nothing_of_how_many_it_holds(newer: Proposal) -> None:
    assert current(SHELVES, newer) == {SHELVES.claim, newer.claim}


# --- what was called off ------------------------------------------------------------------------------------------


def off(claim: str, day: float, **fields: object) -> Proposal:
    return did("is", "postponed", day, claim, kind=Kind.SEMANTIC, cue=True, **{"subject": "choir rehearsal", **fields})


REHEARSAL = did("has", "a choir rehearsal with Ilse on January 20 at 7 PM", 1, kind=Kind.SEMANTIC)


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(off("The choir rehearsal with Ilse has been rescheduled.", 5), id="without the new day"),
        pytest.param(off("The choir rehearsal has been called off.", 5), id="altogether"),
        pytest.param(off("The choir rehearsal has been moved.", 5), id="moved"),
        pytest.param(
            did("choir_rehearsal_is_cancelled", "x", 5, "The user's choir rehearsal got cancelled.", cue=True),
            id="under a name of its own",
        ),
        pytest.param(
            did(
                "cancelled",
                "choir rehearsal",
                5,
                "The user cancelled the choir rehearsal, because of a cold.",
                cue=True,
            ),
            id="by the user",
        ),
    ],
)
def test_what_was_called_off_has_no_longer_the_day_that_it_had(newer: Proposal) -> None:
    assert replaced(REHEARSAL, newer)


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(off("The choir rehearsal with Ana has been postponed.", 5), id="with somebody else"),
        pytest.param(off("The theatre rehearsal has been postponed.", 5), id="another one"),
        pytest.param(off("The rehearsal has been postponed.", 5), id="too little is said"),
        pytest.param(off("The choir rehearsal has been postponed.", 25), id="it was over by then"),
        pytest.param(
            did("wants", "to cancel the choir rehearsal", 5, kind=Kind.SEMANTIC, cue=True), id="it is only wished"
        ),
        pytest.param(off("The choir rehearsal of Friday has been postponed.", 5), id="the one on a weekday"),
        pytest.param(off("The choir rehearsal has not been postponed.", 5), id="it was not"),
        pytest.param(off("The choir rehearsal is cancelled if it snows.", 5), id="it may be"),
        pytest.param(off("The user is afraid that the choir rehearsal was cancelled.", 5, subject="user"), id="a fear"),
    ],
)
def test_an_occasion_keeps_its_day_when_another_is_called_off(newer: Proposal) -> None:
    assert current(REHEARSAL, newer) == {REHEARSAL.claim, newer.claim}


_STORY = [
    REHEARSAL,
    off("The choir rehearsal has been called off.", 5),
    SHELVES,
    added("52 maps to the user's map cabinet", 2),
    standing("annual_budget", "$600", 1, "The user is getting close to the user's $600 annual budget."),
    became("budget", "$650", 2, "The user is thinking of oars with the user's increased budget of $650."),
]


def test_whatever_came_first_the_later_word_stands() -> None:
    wanted = current(*_STORY)
    assert len(wanted) == 3
    assert all(current(*story) == wanted for story in permutations(_STORY))
