"""Secrets and identifiers: found and taken out whole; what only looks like one stays."""

from __future__ import annotations

import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lethe.records import Reason
from policies.secrets import find, reasons_in, redact

SECRETS = [
    ("My locker PIN is 8265.", "8265", "code"),
    ("The pin for my debit card is 3071.", "3071", "code"),
    ("PUK 83012745", "83012745", "code"),
    ("CVV is 481", "481", "code"),
    ("Press 4410# at the gate.", "4410#", "code"),
    ("The luggage lock opens with 31-07-22", "31-07-22", "code"),
    ("The code for the cellar door is 559102.", "559102", "code"),
    ("the alarm code changed to 7712", "7712", "code"),
    ("My passphrase is velvet anchor mosaic tundra.", "velvet anchor mosaic tundra", "password"),
    ("My password is marigold.", "marigold", "password"),
    ("The wifi password is otterly-9-Brook, remember it.", "otterly-9-Brook", "password"),
    ("I use Lagoon_77 as the password for the printer.", "Lagoon_77", "password"),
    ("My login is bob / Kestrel!29", "Kestrel!29", "password"),
    ("Das WLAN-Passwort ist Nebel-47-Horn.", "Nebel-47-Horn", "password"),
    ("パスワード:Tanuki!88", "Tanuki!88", "password"),
    ("postgres://app:Mire44fen@db.example:5432/shop", "Mire44fen", "password"),
    ("Server=tcp:db.example;Database=x;User Id=app;Password=Gr1ffin!Moss;", "Gr1ffin!Moss", "password"),
    ("curl -u bob:Marsh_mallow9 https://x.example", "Marsh_mallow9", "password"),
    ("Authorization: Basic Ym9iOk1hcnNoX21hbGxvdzk=", "Ym9iOk1hcnNoX21hbGxvdzk=", "password"),
    ("Our recovery code: 4KQ9-ZZ71-PL02", "4KQ9-ZZ71-PL02", "recovery code"),
    ("My weather API key is 77ab01c9ef3355d2aa", "77ab01c9ef3355d2aa", "key"),
    ('"client_secret": "pq92-mmz-100-aa7"', "pq92-mmz-100-aa7", "key"),
    ("https://files.example/a?sig=QmFzZTY0U2lnbmF0dXJl01", "QmFzZTY0U2lnbmF0dXJl01", "key"),
    ("The answer to my security question is Pontefract.", "Pontefract", "security answer"),
    ("My mother's maiden name is Oyelaran.", "Oyelaran", "security answer"),
    (
        "Seed phrase: harbor velvet planet magnet ribbon saddle window copper meadow lantern basket tunnel",
        "harbor velvet planet magnet ribbon saddle window copper meadow lantern basket tunnel",
        "seed phrase",
    ),
    ("-----BEGIN PRIVATE KEY-----\nQUJDREVGRw==\nSElKSw==\n-----END PRIVATE KEY-----", "QUJDREVGRw==", "private key"),
]
MARKED = [  # by the mark of their maker; put together here, so that no scanner takes this file for a leak
    ("ghp_", "a1B2" * 9),
    ("xoxb-", "123456789012-abcdEFGH1234"),
    ("sk_live_", "Zz09" * 7),
    ("glpat-", "Ab3_" * 5),
    ("AKIA", "QZ7X" * 4),
    ("AIza", "b9_C" * 9),
    ("npm_", "k4Lm" * 9),
    ("dop_v1_", "0af9" * 16),
    ("eyJhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz"),
]
IDENTIFIERS = [
    ("My card is 5555 5555 5555 4444, exp 12/27.", "5555 5555 5555 4444", "card number"),
    ("Pay with 378282246310005 please", "378282246310005", "card number"),
    ("My IBAN is GB82 WEST 1234 5698 7654 32.", "GB82 WEST 1234 5698 7654 32", "iban"),
    ("Pay to DE89370400440532013000 please", "DE89370400440532013000", "iban"),
    ("My bank account number is 20458813.", "20458813", "bank account"),
    ("Routing number 021000021", "021000021", "bank account"),
    ("My SSN is 219-09-9999.", "219-09-9999", "social security number"),
    ("NI number QQ 12 34 56 C", "QQ 12 34 56 C", "social security number"),
    ("numéro de sécurité sociale 2 95 10 99 126 111 93", "2 95 10 99 126 111 93", "social security number"),
    ("AHV 756.9217.0769.85", "756.9217.0769.85", "social security number"),
    ("My Steuer-ID is 86 095 742 719.", "86 095 742 719", "tax id"),
    ("codice fiscale RCCMNL83S18D969H", "RCCMNL83S18D969H", "tax id"),
    ("I am 390.533.447-05", "390.533.447-05", "tax id"),
    ("PESEL 44051401359", "44051401359", "national id"),
    ("My BSN is 111222333", "111222333", "national id"),
    ("54362315K is mine", "54362315K", "national id"),
    ("NIE X2482300W", "X2482300W", "national id"),
    ("hetu 131052-308T", "131052-308T", "national id"),
    ("Aadhaar: 2345 6789 0124", "2345 6789 0124", "national id"),
    ("passport K0123456Z", "K0123456Z", "passport number"),
    ("My driving licence number is MORGA657054SM9IJ.", "MORGA657054SM9IJ", "driving licence"),
    ("NHS number 943 476 5919", "943 476 5919", "health number"),
]
HARMLESS = [
    "I keep my passwords in a manager.", "My password manager is KeePassXC 2.7.", "The password must have 12 characters.",
    "My password is too long.", "The password is required.", "The password reset takes 24 hours.", "Please never ask me for my password.",
    "Please pin the dependency to 2.4.1.", "Pin numpy to 1.26 in requirements.", "The PIN pad is broken.", "My pin collection has 214 pieces.",
    "The error code is 50013.", "HTTP status code 404 is returned.", "The zip code is 94110.", "Our dress code is casual.",
    "The promo code is SPRING24.", "My order number is 4417-2290.", "My tracking number is 1Z999AA10123456784.",
    "Invoice 1234 5678 9012 is due.", "Ticket 20-45-77 is closed.", "ISBN 978-3-16-148410-0 is on my shelf.",
    "The uuid is 550e8400-e29b-41d4-a716-446655440000.", "The fix is in 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.",
    "We run version 10.15.7 on all machines.", "Call me at +49 30 1234567.", "I was born on 03-04-1985.", "My train leaves at 14:35 from gate 22.",
    "The key point is that 2024 was dry.", "The primary key is user_id_2024_v2.", "Public key fingerprint SHA256:abcDEF123",
    "The secret to good bread is time.", "The piano piece is in the key of C.", "The safe is in the cellar.", "The door is painted RAL 7016.",
    "My passport expires in 2031.", "My driving licence expires in 2030.", "My card has a blue stripe.", "The account has 250000 followers.",
    "Log in with a token and use 2FA.", "The API key should be rotated every 90 days.", "The private key is stored in a vault.",
    "password = settings.PASSWORD", "password = getpass.getpass()", "secret_length = X25519.secret_length", "token: ${TOKEN}",
    "https://user:${PASSWORD}@host.example/", "The emergency number is 112.", "The training plan is 3-5-7 on weekdays.",
    "My favourite long word is honorificabilitudinitatibus.", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "kind"), SECRETS, ids=[text[:30] for text, _, _ in SECRETS])
def test_a_secret_is_found_and_taken_out_whole(text: str, value: str, kind: str) -> None:
    clean, found = redact(text)
    assert value not in clean
    assert f"[redacted: {kind}]" in clean
    assert {finding.reason for finding in found} == {Reason.SECRET}


@pytest.mark.parametrize(("mark", "rest"), MARKED, ids=[mark for mark, _ in MARKED])
def test_a_token_is_known_by_the_mark_of_its_maker(mark: str, rest: str) -> None:
    clean, found = redact(f"Deploy with {mark}{rest} on Mondays.")
    assert clean == f"Deploy with [redacted: {found[0].kind}] on Mondays."
    assert found[0].reason is Reason.SECRET


@pytest.mark.parametrize(("text", "value", "kind"), IDENTIFIERS, ids=[text[:30] for text, _, _ in IDENTIFIERS])
def test_an_identifier_of_a_person_is_found_and_named(text: str, value: str, kind: str) -> None:
    clean, found = redact(text)
    assert value not in clean
    assert f"[redacted: {kind}]" in clean
    assert {finding.reason for finding in found} == {Reason.SENSITIVE_IDENTIFIER}


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == (text, [])


@pytest.mark.parametrize("number", ["4111 1111 1111 1112", "5555555555554445"])
def test_a_number_that_fails_its_checksum_is_no_card_without_its_name(number: str) -> None:
    assert find(f"The pallet has the number {number}.") == []
    assert [finding.kind for finding in find(f"My credit card number is {number}.")] == ["card number"]


def test_findings_give_the_span_of_the_value_alone() -> None:
    text = "Hi! My password is Puffin_5512, and my IBAN is DE89370400440532013000."
    assert [text[finding.start : finding.end] for finding in find(text)] == ["Puffin_5512", "DE89370400440532013000"]


def test_a_value_that_stands_in_the_text_again_is_taken_out_everywhere() -> None:
    clean, found = redact("My password is Puffin_5512. Again: Puffin_5512! But Puffin_55123 is a boat.")
    assert clean == "My password is [redacted: password]. Again: [redacted: password]! But Puffin_55123 is a boat."
    assert len(found) == 2


def test_what_is_redacted_keeps_its_reason() -> None:
    assert reasons_in("The PIN is [redacted: code], the card [redacted: card number].") == {
        Reason.SECRET,
        Reason.SENSITIVE_IDENTIFIER,
    }
    assert reasons_in("Nothing to see.") == set()


def test_a_secret_is_found_at_the_end_of_a_long_text() -> None:
    assert [finding.kind for finding in find("We talked of the weather. " * 1000 + "My password is Puffin_5512.")] == [
        "password"
    ]


words = st.sampled_from(
    [
        "my",
        "the",
        "password",
        "is",
        "PIN",
        "code",
        "key",
        "token",
        "card",
        "4711",
        ":",
        "=",
        ",",
        ".",
        "and",
        "door",
        "for",
        "a",
        "user",
        "iban",
        "number",
        "secret",
    ]
)
values = st.text(string.ascii_letters + string.digits + "!#_-$", min_size=4, max_size=24)


@given(st.lists(words | values, max_size=30).map(" ".join) | st.text(max_size=200))
def test_nothing_that_was_found_is_left_and_nothing_more_is_found(text: str) -> None:
    clean, found = redact(text)
    for finding in found:
        value = text[finding.start : finding.end]
        assert len(value) < 4 or value not in clean.replace("[redacted: ", "[").split()
    assert redact(clean) == (clean, [])


@given(st.text(max_size=300))
def test_findings_lie_in_the_text_in_order_and_apart(text: str) -> None:
    found = find(text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    "text", ["The gate code is [redacted: code.", "[redacted: password", "It is [redacted: card number]"]
)
def test_what_stands_for_a_secret_is_one_even_where_it_was_cut_short(text: str) -> None:
    assert reasons_in(text)


# Spoken as people speak, with digits in words, and written with characters that are not seen or only look like letters.
SPOKEN = [
    "The wifi code is blue-kettle-42.",
    "The wifi code is 48213377.",
    "Our wifi key is kettle4521blue.",
    "wlan password is Kettle-4521",
    "WLAN-Passwort: Kettle4521",
    "The WLAN key is kettle4521",
    "The alarm code is 4827.",
    "The gate code is 4827#.",
    "The safe combination is 12-34-56.",
    "The safe opens with 12 left, 34 right, 56 left.",
    "The combination to the safe is 12 34 56.",
    "The code for the garage is 9931.",
    "The garage door code: 9931",
    "My PIN is 4411.",
    "my pin: 4 4 1 1",
    "The pin for my card is four four one one.",
    "The alarm code is four eight two seven.",
    "The door code is one nine eight four.",
    "p\u200bassword: Kettle-4521",
    "pass\u200bword is Kettle-4521",
    "My pa\u00adssword is Kettle-4521",
    "my p\u0430ssword is Kettle-4521",
    "My password is K\u200bettle-4521-x",
    "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: Kettle-4521",
    "My PIN is \uff14\uff14\uff11\uff11.",
    "4111\u200b1111\u200b1111\u200b1111",
    "My password is spelled k e t t l e 4 5 2 1.",
    "The lock opens with 4827.",
    "The entry code is B4827.",
    "The key box code is 4827.",
    "The lockbox is 4827.",
    "The locker combination is 7-21-9.",
    "The burglar alarm is disarmed with 4827.",
    "Router password: kettle4521",
    "The guest network password is kettle4521",
    "The hotspot password is kettle4521",
    "My unlock pattern is 1-4-7-8-9.",
    "My voicemail PIN is 2291.",
    "The passcode of my phone is 229144.",
    "To get in, type 4827 at the gate.",
    "The keypad code is 4827.",
]
BESIDE = [
    "The wifi code of conduct is posted in the hall.",
    "The wifi is slow today.",
    "The alarm is at 6:30.",
    "My alarm is set for 0630.",
    "My alarm goes off at 7.",
    "The gate is number 14.",
    "My gate is B42.",
    "The safe is in the cellar.",
    "A safe combination of colours is blue and grey.",
    "The combination of 3 and 4 makes 7.",
    "My post code is 20095.",
    "The zip code is 90210.",
    "The area code is 040.",
    "The country code is DE.",
    "The discount code is SUMMER20.",
    "The error code is 404.",
    "The dress code is casual.",
    "The product code is B4827.",
    "The booking code is X7K2QP.",
    "The source code is in main.",
    "The colour code is 4827.",
    "The dialling code is 0049.",
    "The course code is CS101.",
    "Our network has 42 nodes.",
    "Our router is a FritzBox 7590.",
    "The router is model AX3000.",
    "The locker is number 72.",
    "My phone has 128 GB.",
    "The lock is 40 mm wide.",
    "The key signature is four flats.",
    "The key is under the mat.",
    "The gate opens at 9.",
    "The garage is 12 metres long.",
    "The door is 2100 mm high.",
    "My pin badge is from 1984.",
    "I pinned version 2.4.1.",
    "We met at gate 4827.",
    "The password policy needs 12 characters.",
    "I forgot my password.",
    "My password manager is KeePass.",
    "Café crème costs 4,50.",
]


@pytest.mark.parametrize("text", SPOKEN)
def test_a_spoken_or_disguised_secret_is_found(text: str) -> None:
    assert redact(text)[1]


@pytest.mark.parametrize("text", BESIDE)
def test_its_harmless_neighbour_is_left_alone(text: str) -> None:
    assert redact(text) == (text, [])


def test_a_disguised_value_is_taken_out_whole() -> None:
    assert redact("My p\u200bassword is Kettle\u200b-4521, ok?")[0] == "My p\u200bassword is [redacted: password], ok?"
