"""What may be a password, a code, a key: tests of a value that stands where one is expected."""

from __future__ import annotations

import re
from dataclasses import dataclass

from policies.grounds import word_set

_NO_VALUE = word_set(
    "the a an my our your his her their its this that these those it in on at of for to from by with and or but not no none null nil true "
    "false yes very too so as if be been being is are was were has have had will would can could should must may might hidden here there "
    "where what when which who how why now then today tomorrow still again already also only just always never often strong weak old new "
    "long short safe secure insecure secret private public wrong correct right same different invalid valid unknown empty missing optional "
    "mandatory required needed saved stored kept written changed reset rotated expired blocked locked forgotten lost stolen leaked broken "
    "good bad easy hard simple complex unique random fine ok okay ready set shared personal available due more less at least between "
    "string text str input value password passwd secret token key username user login something anything nothing everything enough"
)
_OTHER_THING = re.compile(
    r"\s*[- ]?(?:manager|polic(?:y|ies)|length|strength|field|resets?|rules?|requirements?|generator|hash(?:es|ing)?|"
    r"prompt|hint|page|form|expir\w*|change|protect\w*|less|vault|store|app|check\w*|input|"
    r"box|complexity|history|reuse|based|sharing|service|dialog|screen)\b",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"(?<![a-z])(?:commit|revision|hash|sha\d*|checksum|digest|branch|foreign|primary|public|partition|sort|piano|"
    r"musical|answer|cache|row|version|build|object|keyboard|house|car|order|ticket|takeaway|"
    r"point|bucket|index|map|dict|column|field|event|route|routing|translation|locale|feature|config)(?![a-z])",
    re.IGNORECASE,
)
_NAMES_A_KEY = re.compile(
    r"\b(?:api|secret|access|private|auth|license|licence|product|wpa|wi-?fi|network|client|token|gateway|service)",
    re.IGNORECASE,
)
LOCK = (
    r"(?:(?:front |back |garage )?doors?|gates?|garage|alarm|entry|entrance|building|access|lobby|lift|elevator|safe|"
    r"vault|lock|locker|padlock|"
    r"keypad|key ?box|lock ?box|cash ?box|key ?safe|cabinet|shed|disarm|luggage|suitcase|roof|cellar|strongbox)"
)
_OF_A_LOCK = re.compile(
    rf"\b(?:{LOCK}|security|unlock(?:ing)?|voicemail|screen lock|sim|card verification|parental)(?:['’]s)?(?: \w+)? \Z"
    rf"|\b{LOCK}\b[^\n.!?]{{0,30}}\b(?:opens?|unlocks?|needs?|takes|wants|has|uses?)\b[^\n.!?]{{0,12}}\Z",
    re.IGNORECASE,
)
_FOR_A_LOCK = re.compile(rf"\s+(?:for|to|of|at|on) (?:[\w'’]+ ){{0,3}}?{LOCK}\b", re.IGNORECASE)
_SOMEBODYS_PIN = re.compile(
    r"\b(?:my|the|our|your|his|her|user['’]s|new|old|card|sim|bank|phone|screen|voicemail|parental|debit|credit|atm|"
    r"app|login|unlock|tablet|laptop|account|"
    r"transaction|signing|watch|lock|door|gate|alarm|safe)\s+\Z",
    re.IGNORECASE,
)
_RECOVERS = re.compile(
    r"\b(?:recovery|back-?up|emergency|rescue|one[ -]time|2fa|mfa|two[ -]factor|otp|authenticator|verification|login|"
    r"log-in|sign-in|reset|scratch|activation|transfer|pairing|totp)\s+\Z",
    re.IGNORECASE,
)
_LITERAL = re.compile(
    r"^(?:https?://|ftp://|/|\./|~/|"
    r"[<{$%*•]|\W*$)|^[\w./-]+\.(?:py|js|ts|json|ya?ml|toml|txt|md|pem|p12|crt|cfg|ini|env|html?|png|jpe?g|svg|go|rs|sh)$|(?i:your[_-]|[_-]here$|^example|^placeholder|x{4}|\.\.\.)"
    r"|^\d{4}-\d\d-\d\d|^\d{1,2}[:.]\d\d$|\u25a1"
)
_DOTTED_NAME = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")
_UUID = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)
_VERSION = re.compile(r"^v?\d+(?:\.\d+)+(?:[-+.]\w+)*$")
_CLOSES = re.compile(
    r"\s*(?:[.,;!?)]|$|\s(?:and|please|remember|so|but|for|on|in|now|note|keep|save|don't|do not)\b)", re.IGNORECASE
)
_SYMBOLS = frozenset("!@#$%^&*+?~")
_AS_PURPOSE = re.compile(r"\b(?:to|as)\s+\Z", re.IGNORECASE)
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_EXPRESSION = re.compile(r"^[A-Za-z_][A-Za-z_.]*(?:$|[(\[=])|^[\[({]")


@dataclass(frozen=True, slots=True)
class Told:
    """A value with the name it was given, what stands before, between and after them on the line."""

    value: str
    name: str
    before: str
    between: str
    after: str


def closes_the_clause(after: str) -> bool:
    """Does what follows leave the value by itself?"""
    return bool(_CLOSES.match(after))


def is_literal(value: str) -> bool:
    """A path, an address, a date, a place-holder or a word of the language, and no value."""
    return bool(_LITERAL.search(value) or _EMAIL.match(value) or _VERSION.match(value)) or value.casefold() in _NO_VALUE


def is_name_in_code(value: str) -> bool:
    """`settings.SECRET`, `hashed_password` and `request.form[` name a value and are none."""
    return bool(_DOTTED_NAME.match(value) or (not value.isalpha() and _EXPRESSION.match(value)))


def is_mixed(value: str) -> bool:
    """Letters with digits or symbols among them, as no word and no number has them."""
    value = value.rstrip("*")  # Markdown
    if len(value) < 5 or is_name_in_code(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return (digits and letters) or (bool(_SYMBOLS.intersection(value)) and (letters or digits))


def is_strong(value: str) -> bool:
    """A value that needs no link to be taken for a password."""
    return (
        is_mixed(value)
        and not is_literal(value)
        and not re.fullmatch(r"\d+(?:st|nd|rd|th|[a-z]{1,2})", value.casefold())
    )


def is_password(told: Told) -> bool:
    """Behind "is" or ":" a single word is one too, where it ends the clause and describes nothing."""
    value, between = told.value, told.between
    in_code = is_name_in_code(value) and between.rstrip()[-1:] in "=:\"'"
    if _OTHER_THING.match(between) or is_literal(value) or in_code or _CALL.match(value):
        return False
    if is_mixed(value) or (value.isdigit() and len(value) >= 4):
        return True
    if between.rstrip()[-1:] in "\"'“`" or (
        value[1:] != value[1:].lower() and value != value.upper() and len(value) >= 8
    ):
        return True
    if _AS_PURPOSE.search(between):
        return False
    return len(value) >= 5 and not value.endswith(("ed", "ing", "able", "ful")) and closes_the_clause(told.after)


def is_password_at_once(told: Told) -> bool:
    return is_strong(told.value)


def is_pass_phrase(told: Told) -> bool:
    """Some words in a row that make no sentence."""
    return closes_the_clause(told.after) and not _NO_VALUE.intersection(told.value.split())


def is_code(told: Told) -> bool:
    """Digits after a code that opens something, after a PIN that is somebody's, or after its name in capitals."""
    value, name = told.value, told.name
    if not 3 <= sum(map(str.isdigit, value)) <= 14 or ("." in value and _VERSION.match(value)) or "\u25a1" in value:
        return False
    if name.isupper() or name.casefold().startswith(
        ("puk", "cvv", "cvc", "passcode", "pin code", "pin number", "unlock", "swipe", "screen")
    ):
        return True
    if name.casefold() == "pin":
        return bool(_SOMEBODYS_PIN.search(told.before))
    return bool(_OF_A_LOCK.search(told.before) or _FOR_A_LOCK.match(told.between))


def is_spoken_code(told: Told) -> bool:
    """Digits as words: after a code that opens something, or after somebody's PIN."""
    if told.name.casefold() == "pin":
        return bool(_SOMEBODYS_PIN.search(told.before))
    return bool(_OF_A_LOCK.search(told.before) or _FOR_A_LOCK.match(told.between))


def is_spelled(told: Told) -> bool:
    """Letter by letter."""
    return len(set(told.value)) > 3


def is_wireless_key(told: Told) -> bool:
    """A network's code is a word as little as a password is, but more is said of it."""
    return not is_literal(told.value) and (is_mixed(told.value) or (told.value.isdigit() and len(told.value) >= 4))


def is_written_code(value: str) -> bool:
    """As only locks have them: with # or *, or pairs of digits."""
    return bool(re.fullmatch(r"[#*]?\d{3,8}[#*]\d*|[#*]\d{3,10}|\d{1,2}(?:[-/ ]\d{1,2}){2,6}", value))


def is_recovery_code(told: Told) -> bool:
    value = told.value
    named = told.name.isupper() or _RECOVERS.search(told.before)
    return bool(named) and len(value) >= 4 and any(map(str.isdigit, value)) and not is_literal(value)


def is_key(told: Told) -> bool:
    """A token of some length with digits among its letters; a shorter one where the name leaves no doubt."""
    value, around = told.value, f"{told.before[-30:]}{told.name}{told.between}"
    if is_literal(value) or is_name_in_code(value) or _NO_KEY.search(around):
        return False
    named = bool(_NAMES_A_KEY.search(around))
    if _UUID.match(value) and not named:
        return False
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if not re.fullmatch(r"[A-Za-z0-9_\-./+=~:%@!#$]+", value) or not digits or not letters:
        return False
    return len(value) >= 16 or (named and len(value) >= 8 and digits >= 2)
