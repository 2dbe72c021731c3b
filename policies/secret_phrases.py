"""Secrets that people tell in words: "my password is …", "the door code", "PIN", a key after its name, a seed phrase.

Each rule is a name for the secret, a few words of room, and a value; what may be a value differs by kind, so that
"my password manager is X", "the password expires" and "pin the dependency" hold none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from policies.grounds import word_set

Span = tuple[int, int, str]

_ROOM = r"(?:\s+(?!(?:is|are|was|to|it|as|and|but|or)\b)[\w'’.@/&+-]{1,40}){0,7}?"
_LINK = (
    r"(?:\s*(?:=>|->|→|:=|==?|:|–|—)\s*|\s*,?\s+(?:is|are|was|were|will be|would be|should be|remains|stays|reads|it['’]?s|to|as|equals|"
    r"at|with|changed to|set to|now|called)\s+(?:(?:now|still|currently|just|simply|always|set to|changed to|going to be|the same|:)\s+)*)"
)
_VALUE = r"(?P<value>\"[^\"\n]{3,120}\"|'[^'\n]{3,120}'|“[^”\n]{3,120}”|`[^`\n]{3,120}`|[^\s\"'“”`<>]{3,200})"

_PASSWORD = (
    r"(?:(?:pass(?:word|phrase|code|wd)s?|pass\s(?:phrase|code)s?|pwd|pw|psk|passwort|kennwort|contraseña|contrasenya|senha|wachtwoord|"
    r"lösenord|salasana|hasło|mot de passe)(?![\w-]))"
)
_LOCK = (
    r"(?:door|gate|garage|alarm|entry|entrance|building|access|lobby|lift|elevator|safe|vault|lock|locker|padlock|keypad|key\s?box|"
    r"lock\s?box|key\s?safe|cabinet|shed|front\sdoor|back\sdoor|disarm|luggage|suitcase|bike\slock)"
)
_CODE = (
    rf"(?:{_LOCK}(?:'s|’s)?(?:\s+\w+)?\s+(?:code|combination|combo|pin|number)|combination(?:\s+(?:of|for|to)\s+[\w\s'’]{{2,40}}?)?|"
    r"(?:my|the|our|your|user's|user’s|new|old|card|sim|bank|phone|screen|voicemail|parental|debit|credit|atm|app|login|unlock|tablet|laptop|"
    r"account|transaction|signing)\s+(?:pin|puk)(?:\s?(?:code|number))?|PIN(?:\s?(?:code|number))?|PUK|CVV2?|CVC2?|CSC|"
    r"(?:card\s+)?security\s+code|unlock(?:ing)?\s+code|voicemail\s+code|screen\s+lock\s+code|passcode|card\s+verification\s+(?:code|value))(?![\w-])"
)
_RECOVERY = (
    r"(?:(?:recovery|back-?up|emergency|rescue|one[ -]time|2fa|mfa|two[ -]factor|otp|authenticator|verification|login|log-in|sign-in|"
    r"reset|scratch|activation|transfer|pairing|totp)\s+(?:code|key|token|secret)s?|otp|tan)(?![\w-])"
)
_KEY = r"(?:(?:[\w.-]{1,30}[ _-])?(?:key|token|secret|credential|apikey)s?(?:\s+id)?)(?![\w-])"

_SEED = re.compile(
    r"\b(?:seed|mnemonic|recovery|backup|secret|wallet|twelve|twenty-four|12|24)\b[^\n]{0,80}?"
    r"(?P<value>\b[a-z]{3,8}(?:[ ,]{1,2}(?:\d{1,2}[.)]\s?)?[a-z]{3,8}){11,23})\b"
)
_FUNCTION_WORD = re.compile(
    r"\b(?:the|and|that|with|for|you|are|was|have|has|not|but|this|his|her|they|from|which|when|what|who|how|all|can|will)\b"
)

_ANSWER = re.compile(
    r"\bmaiden name\b(?:\s+of\s+[\w'’ ]{2,30}?)?\s*(?:is|was|:|=)\s*(?P<value>[^\W\d_][\w'’-]{1,40})"
    r"|\b(?:security|secret|recovery)\s+question\b[^\n]{0,80}?\b(?:is|answer|with)\b:?\s+(?:is\s+)?(?P<other>\"[^\"\n]{2,60}\"|[^\n.!?,;]{2,60})",
    re.IGNORECASE,
)
_TYPED = re.compile(
    rf"\b(?:{_LOCK}|code|combination)\b[^\n.!?]{{0,80}}?\b(?:type|enter|press|dial|punch(?:\s+in)?|key\s+in|opens?\s+(?:at|with|on|to|by)|unlocks?\s+(?:at|with)|use|is|takes)\s+"
    r"(?P<value>[#*]?\d(?:[\d*#]|[-\s./](?=\d)){2,20}[#*]?)"
    rf"|\b(?:type|enter|press|dial|punch(?:\s+in)?|key\s+in)\s+(?P<other>[#*]?\d(?:[\d*#]|[-\s./](?=\d)){{2,20}}[#*]?)[^\n.!?]{{0,50}}?\b{_LOCK}\b",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:log-?in|sign-?in|credentials?|creds|username|user\s?name|user)\b(?:\s+(?:is|are|for|to|with|as|details|data|[\w.-]{1,20}))?\s*[:=]?\s+"
    r"['\"`]?[\w.@+-]{2,60}['\"`]?\s*(?:/|:|,|\s(?:and|with|pass(?:word)?|pw|pwd))\s*['\"`]?(?P<value>[^\s'\"`]{5,100})",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"(?<![\w.])(?P<name>[A-Za-z_][\w.-]{1,60})[\"']?\s?(?:=>|:=|==?|:)\s?(?P<value>\"[^\"\n]{4,400}\"|'[^'\n]{4,400}'|`[^`\n]{4,400}`|[^\s\"'`,;(){}]{4,400}(?![\w]*\())"
)
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SECRET_NAMES = word_set(
    "password passwd pwd passphrase secret token apikey credential credentials auth authtoken psk passcode pw"
)
_KEY_BEFORE = word_set(
    "api secret access private auth encryption signing storage account master client shared license service app"
)

_NO_VALUE = word_set(
    "the a an my our your his her their its this that these those it in on at of for to from by with and or but not no none null nil true "
    "false yes very too so as if be been being is are was were has have had will would can could should must may might hidden here there "
    "where what when which who how why now then today tomorrow still again already also only just always never often strong weak old new "
    "long short safe secure insecure secret private public wrong correct right same different invalid valid unknown empty missing optional "
    "mandatory required needed saved stored kept written changed reset rotated expired blocked locked forgotten lost stolen leaked broken "
    "good bad easy hard simple complex unique random fine ok okay ready set shared personal available due more less at least between "
    "string text str input value password passwd secret token key username user login something anything nothing everything enough"
)
_AFTER_PASSWORD = re.compile(
    r"\s*[- ]?(?:manager|polic(?:y|ies)|length|strength|field|resets?|rules?|requirements?|generator|hash(?:es|ing)?|prompt|hint|page|"
    r"form|expir\w*|change|protect\w*|less|vault|store|app|check\w*|input|box|complexity|history|reuse|based|sharing|service|dialog|screen)\b",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"\b(?:commit|revision|hash|sha\d*|checksum|digest|branch|foreign|primary|public|partition|sort|piano|musical|answer|cache|row|version|"
    r"build|object|keyboard|house|car|order|ticket|takeaway|point|bucket)\b",
    re.IGNORECASE,
)
_LITERAL = re.compile(
    r"^(?:https?://|ftp://|/|\./|~/|[<{$%*•]|\W*$)|^[\w.-]+\.(?:py|js|ts|json|ya?ml|toml|txt|md|pem|p12|crt|cfg|ini|env|html?|png|jpe?g|svg|go|rs|sh)$"
    r"|(?i:your|example|placeholder|changeme_|xxxx|\.\.\.)|^\d{4}-\d\d-\d\d|^\d{1,2}[:.]\d\d$|\u25a1",
)
_DOTTED_NAME = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")
_UUID = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)
_VERSION = re.compile(r"^v?\d+(?:\.\d+)+(?:[-+.]\w+)*$")
_END = re.compile(
    r"\s*(?:[.,;!?)]|$|\s(?:and|please|remember|so|but|for|on|in|now|note|keep|save|don't|do not)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    pattern: re.Pattern[str]
    is_value: Callable[[str, str], bool]  # (value, what stands between its name and it) -> is it one?


def phrases(text: str) -> Iterator[Span]:
    """Spans of the values that the text itself calls a secret."""
    for rule in _RULES:
        for match in rule.pattern.finditer(text):
            span = _trimmed(text, *match.span("value"))
            if rule.is_value(
                text[span[0] : span[1]], text[match.start() : span[0]] + "\0" + text[span[1] : span[1] + 20]
            ):
                yield (*span, rule.kind)
    for pattern, kind in ((_ANSWER, "security answer"), (_TYPED, "code")):
        for match in pattern.finditer(text):
            group = "value" if match.group("value") else "other"
            yield (*_trimmed(text, *match.span(group)), kind)
    for match in _SEED.finditer(text):
        if not _FUNCTION_WORD.search(match.group("value")):
            yield (*match.span("value"), "seed phrase")
    yield from _assigned(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without quotation marks around it and the punctuation of the sentence after it."""
    if end - start > 1 and text[start] in "\"'“`" and text[end - 1] in "\"'”`":
        return start + 1, end - 1
    while end > start and text[end - 1] in ".,;:?)]}'’\"":
        end -= 1
    if (
        end - start > 1
        and text[end - 1] == "!"
        and text[end : end + 1] in ("", " ", "\n")
        and text[start:end].count("!") == 1
    ):
        end -= 1
    return start, end


# --- what may be a value ------------------------------------------------------------------------------------------


def _is_password(value: str, around: str) -> bool:
    before, after = around.split("\0", 1)
    if _AFTER_PASSWORD.match(re.split(_PASSWORD, before, maxsplit=1, flags=re.IGNORECASE)[-1]):
        return False
    if _no_literal(value) is False or value.casefold() in _NO_VALUE:
        return False
    if _is_mixed(value):
        return True
    linked = bool(
        re.search(r"(?:[:=>→–—]|\b(?:is|to|it['’]?s|be|now|still|as|was))\s*[\"'“`]?$", before, re.IGNORECASE)
    )
    if value.isdigit():
        return linked and len(value) >= 4
    plain = len(value) >= 5 and not value.endswith(("ed", "ing", "able", "ful")) and bool(_END.match(after))
    return linked and (plain or before.rstrip()[-1:] in "\"'“`")


def _is_mixed(value: str) -> bool:
    """Letters with digits or symbols among them, as no word and no number has them."""
    if len(value) < 5 or _VERSION.match(value) or _EMAIL.match(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    symbols = any(letter in "!@#$%^&*_=+?~|<>{}[]\\" for letter in value)
    shifted = value[1:] != value[1:].lower() and value != value.upper()
    return (
        (digits and letters)
        or (symbols and (letters or digits))
        or (shifted and letters and "-" not in value and len(value) >= 8)
    )


def _is_code(value: str, around: str) -> bool:
    digits = sum(map(str.isdigit, value))
    before = around.split("\0", 1)[0]
    if not 3 <= digits <= 14 or (_VERSION.match(value) and "." in value):
        return False
    if re.match(r"pin\b", before) and not re.search(r"[:=]|\bis\b", before):
        return False
    return bool(re.fullmatch(r"[A-Z0-9*#\-\s./]+", value)) or _is_mixed(value)


def _is_recovery(value: str, around: str) -> bool:
    return _no_literal(value) is not False and sum(map(str.isdigit, value)) >= 1 and len(value) >= 4


def _is_key(value: str, around: str) -> bool:
    before = around.split("\0", 1)[0]
    if _no_literal(value) is False or _VERSION.match(value) or _EMAIL.match(value) or _DOTTED_NAME.match(value):
        return False
    named = bool(
        re.search(
            r"\b(?:api|secret|access|private|auth|license|licence|product|wpa|wi-?fi|network|client|token|secret)",
            before,
            re.IGNORECASE,
        )
    )
    if _NO_KEY.search(before) or (_UUID.match(value) and not named):
        return False
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if not re.fullmatch(r"[A-Za-z0-9_\-./+=~:%@!#$]+", value) or not digits or not letters:
        return False
    return len(value) >= 16 or (named and len(value) >= 8 and (digits >= 2 or _is_mixed(value)))


def _no_literal(value: str) -> bool | None:
    """False: a path, address, date, place-holder or name in code, and no value."""
    return False if _LITERAL.search(value) or _EMAIL.match(value) else None


def _assigned(text: str) -> Iterator[Span]:
    """`DB_PASSWORD=…`, `"client_secret": "…"`: the last part of the name says that it is one."""
    for match in _ASSIGNED.finditer(text):
        if not _names_a_secret(match.group("name")):
            continue
        start, end = _trimmed(text, *match.span("value"))
        value = text[start:end]
        quoted = text[match.start("value")] in "\"'`"
        if len(value) < 4 or _no_literal(value) is False or value.casefold() in _NO_VALUE or text[end : end + 1] == "(":
            continue
        if _DOTTED_NAME.match(value) and not quoted:
            continue
        if any(map(str.isdigit, value)) or _is_mixed(value) or (quoted and " " not in value and len(value) >= 6):
            yield start, end, "password" if match.group("name")[-1:].lower() in "dw" else "key"


def _names_a_secret(name: str) -> bool:
    parts = [part.casefold() for part in _NAME_PART.findall(name)]
    if not parts:
        return False
    last = parts[-1]
    return last in _SECRET_NAMES or (last == "key" and len(parts) > 1 and parts[-2] in _KEY_BEFORE)


_CODE_VALUE = r"(?P<value>[#*]?\d(?:[\d*#]|[-\s./](?=\d)){2,20}[#*]?|(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{2,11}|[#*]\d[\d*#]{2,12})(?![\w])"
_GROUPS = r"(?P<value>[A-Za-z0-9]{4,40}(?:[- ](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{3,12}){0,7})(?![\w])"

_RULES = (
    _Rule("password", re.compile(rf"(?<![\w-]){_PASSWORD}{_ROOM}{_LINK}{_VALUE}", re.IGNORECASE), _is_password),
    _Rule("password", re.compile(rf"(?<![\w-]){_PASSWORD}\s+{_VALUE}", re.IGNORECASE), _is_password),
    _Rule(
        "password",
        re.compile(
            rf"(?P<value>[^\s\"'“”`<>]{{5,100}})[\"'”`]?\s+(?:is|as|for|was)\s+(?:(?:my|the|our|a|new|old|your)\s+)+(?:[\w'’-]+\s+){{0,3}}{_PASSWORD}",
            re.IGNORECASE,
        ),
        lambda value, around: _is_mixed(value) and _no_literal(value) is not False,
    ),
    _Rule("password", _LOGIN, lambda value, around: _is_mixed(value) and _no_literal(value) is not False),
    _Rule("code", re.compile(rf"(?<![\w-]){_CODE}{_ROOM}(?:{_LINK}|\s+){_CODE_VALUE}", re.IGNORECASE), _is_code),
    _Rule(
        "recovery code",
        re.compile(rf"(?<![\w-]){_RECOVERY}{_ROOM}(?:{_LINK}|\s+){_GROUPS}", re.IGNORECASE),
        _is_recovery,
    ),
    _Rule("key", re.compile(rf"(?<![\w-]){_KEY}{_ROOM}(?:{_LINK}|\s+){_VALUE}", re.IGNORECASE), _is_key),
)
