"""Numbers by which a bank or a state knows a person: by checksum where there is one, by their name where there is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

Span = tuple[int, int, str]
ROOM = 20  # characters beside digits that may belong to the same number

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

# Digits that could be anything: one when its name stands shortly before it.  kind | hints, lower case | name | shape
_NAMED: tuple[tuple[str, str, str, str], ...] = (
    ("social security number", "ssn|social|itin",
     r"ssn|social security(?: number| no)?|itin|my social", r"\d{3}[- .]?\d{2}[- .]?\d{4}"),
    ("social security number", "national insurance|nino|ni n",
     r"national insurance(?: number| no)?|nino|ni (?:number|no)", r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]?"),
    ("social security number", "social insurance|sin|s.i.n",
     r"social insurance(?: number| no)?|s\.i\.n\.|sin(?: number| is|:)", r"\d{3}[- ]?\d{3}[- ]?\d{3}"),
    ("social security number", "sécu|versicherungs|seguridad|ahv",
     r"sécu(?:rité sociale)?|sozialversicherungs\w*|rentenversicherungs\w*|seguridad social|ahv\w*", r"[0-9A-Z][0-9A-Z ./-]{7,20}\d"),
    ("passport number", "passport|reisepass|passeport|pasaporte|passaporto|paspoort",
     r"passports?|reisepass\w*|passeport|pasaporte|passaporto|paspoort\w*", r"(?=(?:[A-Z]*\d){3})[A-Z0-9]{6,10}"),
    ("driving licence", "licen|führerschein|permis",
     r"driv(?:ing|er|ers|er['’]s) licen[cs]e|licen[cs]e (?:number|no)|führerschein\w*|permis de conduire",
     r"(?=[A-Z -]{0,6}\d[A-Z -]{0,3}\d)[A-Z0-9](?:[ -]?[A-Z0-9]){5,19}"),
    ("tax id", "tax|tin|utr|tfn|ein|steuer|idnr|cpf|cnpj|nif|vat|codice|partita|pan ",
     r"tax (?:payer )?(?:id|number|no|identification|file|reference)\w*(?: number| no)?|tin|utr|tfn|ein|steuer-?(?:id|nummer|identifikationsnummer)\w*|"
     r"idnr|cpf|cnpj|nif|vat id|codice fiscale|partita iva|pan (?:card|number)",
     r"(?=[A-Z /-]{0,6}\d)[A-Z0-9](?:[ ./-]?[A-Z0-9]){6,19}"),
    ("national id", "pesel", r"pesel", r"\d{11}"),
    ("national id", "bsn|burgerservice", r"bsn|burgerservicenummer", r"\d{3}[. ]?\d{3}[. ]?\d{3}|\d{8,9}"),
    ("national id", "aadha|adhaar", r"aadha?ar|adhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}"),
    ("national id",
     "dni|nie|cédula|cedula|nric|hkid|curp|personnummer|cpr|fødsels|hetu|henkilö|amka|jmbg|rodné|cnp|egn|isikukood|pps|id card|identity|national id|personal id|"
     "personalausweis|ausweis|id number|citizen",
     r"dni|nie|c[ée]dula|nric|hkid|curp|personnummer|cpr(?:[- ]?n\w+)?|fødselsnummer|hetu|henkilötunnus|amka|jmbg|rodné číslo|cnp|egn|isikukood|ppsn?|"
     r"id card|identity card|national id\w*|identity (?:number|no|document)|personal (?:id|identity|identification)(?: number| code)?|personalausweis\w*|"
     r"ausweisnummer|carte d['’]identité|id number|citizen (?:number|card)",
     r"(?=[A-Z /(+-]{0,6}\d)[A-Z0-9](?:[ ./()+-]?[A-Z0-9]){6,18}\)?"),
    ("health number", "nhs|medicare|medicaid|health|krankenvers|insurance|medical record|mrn|ehic",
     r"nhs(?: number| no)?|medicare|medicaid|health (?:insurance |card |plan )?(?:number|id|no|card)|krankenversicher\w*|insurance (?:member |policy )?(?:id|number)|"
     r"medical record(?: number| no)?|mrn|ehic",
     r"(?=[A-Z -]{0,6}\d)[A-Z0-9](?:[ -]?[A-Z0-9]){5,18}"),
    ("bank account", "routing|sort code|aba|bsb|transit|blz|bankleitzahl",
     r"routing(?: number| no)?|sort code|aba(?: number)?|bsb|transit number|blz|bankleitzahl", r"\d{2}[- ]?\d{2}[- ]?\d{2}|\d{3}[- ]?\d{3,6}|\d{8,9}"),
    ("bank account", "account|acct|konto|clabe|rib",
     r"(?:bank|checking|savings|giro|current|salary|payroll|deposit) ?(?:account|acct|konto)(?: number| no| nr)?|account (?:number|no|nr)|acct|konto(?:nummer|nr)?|clabe",
     r"\d(?:[ -]?\d){6,19}"),
    ("iban", "iban", r"iban", r"[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}"),
    ("card number", "card|pan",
     r"(?:credit|debit|payment|bank|company|visa|master|amex|my) ?card(?: number| no)?|card (?:number|no)",
     r"\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3,4}|\d{4}[ -]?\d{6}[ -]?\d{4,5}"),
)  # fmt: skip

_NO_IDENTIFIER = re.compile(
    r"\b(?:order|ticket|invoice|booking|article|isbn|ean|doi|version|commit|tracking|part|model|serial|product|quote|case)\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d\D{0,3}\d\D{0,3}\d")
_MANY_DIGITS = re.compile(r"\d(?:[^\d\n]{0,3}\d){4,}")


@dataclass(frozen=True, slots=True)
class _Named:
    kind: str
    hints: tuple[str, ...]
    name: re.Pattern[str]
    value: re.Pattern[str]


def identifiers(text: str) -> Iterator[Span]:
    """Spans of cards, accounts and the numbers of a person."""
    if not _DIGITS.search(text):
        return
    yield from _cards(text)
    yield from _ibans(text)
    for run in _MANY_DIGITS.finditer(text):
        yield from _alone_in(text, max(0, run.start() - ROOM), min(len(text), run.end() + ROOM))
    lower = text.lower()
    for named in _named():
        if any(hint in lower for hint in named.hints):
            yield from _named_in(text, named)


def _alone_in(text: str, start: int, end: int) -> Iterator[Span]:
    for kind, pattern, checked in _alone():
        for match in pattern.finditer(text, start, end):
            before = text[max(0, match.start() - 25) : match.start()]
            if (checked is None or _is_valid(checked, match.group())) and not _NO_IDENTIFIER.search(before):
                yield match.start(), match.end(), kind


def _named_in(text: str, named: _Named) -> Iterator[Span]:
    for name in named.name.finditer(text):
        window = text[name.end() : name.end() + 2 * ROOM + 30].partition("\n")[0]
        value = named.value.search(window)
        if value and value.start() <= 2 * ROOM and sum(map(str.isdigit, value.group())) >= 3:
            yield name.end() + value.start(), name.end() + value.end(), named.kind


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
def _named() -> tuple[_Named, ...]:
    return tuple(
        _Named(
            kind,
            tuple(hints.split("|")),
            re.compile(rf"(?<!\w)(?:{name})(?!\w)", re.IGNORECASE),
            re.compile(rf"(?<![\w.])(?:{shape})(?!\w|[.-]\d)"),
        )
        for kind, hints, name, shape in _NAMED
    )
