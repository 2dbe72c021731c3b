"""Numbers by which a bank or a state knows a person: by checksum where there is one, by their name where there is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module

Span = tuple[int, int, str]

KINDS = frozenset(
    (
        "card number",
        "iban",
        "bank account",
        "national id",
        "tax id",
        "passport number",
        "driving licence",
        "health number",
        "social security number",
    )
)

_CARD = re.compile(
    r"(?<![\w.-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{12,19})(?![\w-]|\.\d)"
)
_CARD_WORDS = re.compile(
    r"\b(?:card|visa|master\s?card|maestro|amex|american express|discover|diners|jcb|union\s?pay|credit|debit|karte|tarjeta|carte)\b",
    re.IGNORECASE,
)
_NETWORKS = re.compile(
    r"(?:4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|"
    r"6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|(?:2131|1800)\d{11}|(?:50|5[6-9]|6\d)\d{14})"
)
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])", re.IGNORECASE
)


# Shapes that few other things have: a match that the library calls valid is one, whatever stands around it.
_ALONE: tuple[tuple[str, str, str | None], ...] = (
    ("social security number", r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", None),
    ("social security number", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", None),
    (
        "tax id",
        r"[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-EHLMPR-T][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]",
        "it.codicefiscale",
    ),
    ("national id", r"\d{8}-?[A-HJ-NP-TV-Z]", "es.dni"),
    ("national id", r"[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]", "es.nie"),
    ("social security number", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}", "fr.nir"),
    ("tax id", r"\d{3}\.\d{3}\.\d{3}-\d{2}", "br.cpf"),
    ("national id", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", "fi.hetu"),
    ("national id", r"(?:\d\d)?\d{6}[-+]\d{4}", "se.personnummer"),
    ("national id", r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", "be.nn"),
    ("social security number", r"756\.\d{4}\.\d{4}\.\d{2}", "ch.ssn"),
    ("national id", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", "mx.curp"),
    ("tax id", r"[A-Z&Ñ]{3,4}\d{6}[0-9A-Z]{3}", "mx.rfc"),
    ("national id", r"[STFGM]\d{7}[A-Z]", None),
    ("national id", r"\d{6}-[1-8]\d{6}", "kr.rrn"),
    ("national id", r"\d{17}[\dX]", "cn.ric"),
)

# Digits that could be anything: one when its name stands near, and the checksum agrees or the name leaves no doubt.
_NAMED: tuple[tuple[str, str, str, str | None], ...] = (
    ("social security number", r"ssn|social security|itin|social (?:is|number)|as my social", r"\d{3}[- .]?\d{2}[- .]?\d{4}", None),
    ("social security number", r"national insurance|nino|ni (?:number|no)", r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]?", None),
    ("social security number", r"social insurance|s\.?i\.?n\.? (?:number|is)|sin number", r"\d{3}[- ]?\d{3}[- ]?\d{3}", None),
    ("social security number", r"sécu(?:rité sociale)?|sozialversicherungs\w*|rentenversicherungs\w*|seguridad social|n° ?ss|ahv", r"[0-9A-Z][0-9A-Z ./-]{7,20}\d", None),
    ("passport number", r"passports?|reisepass\w*|passeport|pasaporte|passaporto|paspoort", r"(?=[A-Z0-9]*\d{4})[A-Z0-9]{6,10}", None),
    ("driving licence", r"driv(?:ing|er'?s?|er’s) licen[cs]e|licen[cs]e (?:number|no)|driver licen[cs]e|führerschein\w*|permis de conduire", r"(?=[A-Z0-9 -]*\d{3})[A-Z0-9][A-Z0-9 -]{4,18}[A-Z0-9]", None),
    ("tax id", r"tax (?:id|number|identification|file|reference)\w*|tin|utr|tfn|ein|steuer-?(?:id|nummer|identifikationsnummer)\w*|idnr|cpf|cnpj|nif|vat id|codice fiscale|partita iva|pan card|pan number", r"(?=[A-Z0-9 ./-]*\d{4})[A-Z0-9][A-Z0-9 ./-]{5,20}[A-Z0-9]", None),
    ("national id", r"pesel", r"\d{11}", None),
    ("national id", r"bsn|burgerservicenummer", r"\d{3}[. ]?\d{3}[. ]?\d{3}|\d{8,9}", None),
    ("national id", r"aadhaar|aadhar|adhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}", None),
    ("national id", r"dni|nie|cédula|nric|hkid|curp|personnummer|cpr(?:[- ]?n\w+)?|fødselsnummer|hetu|henkilötunnus|amka|emšo|jmbg|rodné číslo|cnp|egn|isikukood|pps ?n?|ppsn|id card|identity card|national id\w*|identity number|identity no|personal (?:id|identity|identification)(?: number| code)?|my number|personalausweis\w*|ausweisnummer|carte d'identité|id number|citizen number", r"(?=[A-Z0-9 ./()+-]*\d{4})[A-Z0-9][A-Z0-9 ./()+-]{5,20}[A-Z0-9)]", None),
    ("health number", r"nhs(?: number| no)?|medicare|medicaid|health (?:insurance |card |plan )?(?:number|id|no|card)|krankenversicher\w*|insurance (?:member )?(?:id|number)|medical record|mrn|ehic", r"(?=[A-Z0-9 -]*\d{4})[A-Z0-9][A-Z0-9 -]{5,18}[A-Z0-9]", None),
    ("bank account", r"routing(?: number)?|sort code|aba|bsb|transit number|blz|bankleitzahl", r"\d{2}[- ]?\d{2}[- ]?\d{2}|\d{3}[- ]?\d{3,6}|\d{8,9}", None),
    ("bank account", r"(?:bank|checking|savings|giro|current|salary|payroll|deposit)\s?(?:account|acct|konto)?(?: number| no| nr)?|account (?:number|no|nr)|acct|konto(?:nummer|nr)?|clabe|rib", r"\d(?:[ -]?\d){6,19}", None),
    ("iban", r"iban", r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}", None),
    ("card number", r"(?:credit|debit|payment|bank|company|visa|master|amex|my) ?card(?: number| no)?|card number|pan", r"\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3,4}|\d{4}[ -]?\d{6}[ -]?\d{4,5}", None),
)  # fmt: skip

_NO_IDENTIFIER = re.compile(
    r"\b(?:order|ticket|invoice|booking|article|isbn|ean|doi|version|commit|tracking|part|model|serial|product|quote|case)\b",
    re.IGNORECASE,
)
_ROOM = r"[^\n\d]{0,40}?"


def identifiers(text: str) -> Iterator[Span]:
    """Spans of cards, accounts and the numbers of a person."""
    if not any(letter.isdigit() for letter in text):
        return
    yield from _cards(text)
    yield from _ibans(text)
    for kind, pattern, checked in _alone():
        for match in pattern.finditer(text):
            if checked is None or _is_valid(checked, match.group()):
                if _NO_IDENTIFIER.search(text[max(0, match.start() - 25) : match.start()]):
                    continue
                yield match.start(), match.end(), kind
    for kind, pattern in _named():
        for match in pattern.finditer(text):
            start, end = match.span("value")
            if sum(map(str.isdigit, text[start:end])) >= 4:
                yield start, end, kind


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if len(set(digits)) == 1 or not _is_valid("luhn", digits):
            continue
        before, near = (
            text[max(0, match.start() - 25) : match.start()],
            text[max(0, match.start() - 60) : match.end() + 40],
        )
        if _CARD_WORDS.search(near) or (_NETWORKS.fullmatch(digits) and not _NO_IDENTIFIER.search(before)):
            yield match.start(), match.end(), "card number"


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        candidate = match.group()
        while len(candidate) >= 15:
            if _is_valid("iban", candidate):
                yield match.start(), match.start() + len(candidate), "iban"
                break
            candidate = candidate.rpartition(" ")[0] if " " in candidate else ""


def _is_valid(checked: str, number: str) -> bool:
    return bool(_validator(checked)(number))


@lru_cache(maxsize=64)
def _validator(name: str) -> Callable[[str], bool]:
    """The check of python-stdnum for a kind of number, loaded when such a number first turns up."""
    return getattr(import_module(f"stdnum.{name}"), "is_valid")  # type: ignore[no-any-return]  # noqa: B009


@lru_cache(maxsize=1)
def _alone() -> tuple[tuple[str, re.Pattern[str], str | None], ...]:
    return tuple(
        (kind, re.compile(rf"(?<![\w.-])(?:{shape})(?![\w-]|\.\d)"), checked) for kind, shape, checked in _ALONE
    )


@lru_cache(maxsize=1)
def _named() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (kind, re.compile(rf"(?<!\w)(?i:{name})(?!\w){_ROOM}(?<![\w.])(?P<value>{shape})(?![\w]|[.-]\d)"))
        for kind, name, shape, _ in _NAMED
    )
