"""Secrets that people tell in words: "my password is …", "the door code", "PIN", a key after its name, a seed phrase.

A rule is a name for the secret, a link ("is", ":"), a value and a test of the four together; so "my password manager is
X", "the password expires" and "pin the dependency" hold none. Names are found first, and everything else is looked for
within a few words of them, so that the time grows with the length of a text and not faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from policies.secret_values import (
    LOCK,
    Told,
    is_code,
    is_key,
    is_pass_phrase,
    is_password,
    is_password_at_once,
    is_recovery_code,
    is_spelled,
    is_spoken_code,
    is_strong,
    is_wireless_key,
    is_written_code,
)

Span = tuple[int, int, str]
REACH = 110  # characters between the name of a secret and its value
BEFORE = 60  # characters before the name that may say what it is of

_ROOM = re.compile(r"(?:\s+[\w'’.@/&+-]{1,40}){0,8}\s*,?")
_QUOTED = r"\"[^\"\n]{3,120}\"|'[^'\n]{3,120}'|“[^”\n]{3,120}”|`[^`\n]{3,120}`"
_TOKEN = rf"(?:{_QUOTED}|[^\s\"'“”`<>]{{3,200}})"
_CODE = (
    r"(?:[#*]?\d(?:[\d*#]|[-\s./](?=\d)){2,20}[#*]?|[#*]\d[\d*#]{2,12}|(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{2,11})(?!\w)"
)
_DIGIT_WORD = r"(?i:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|double|triple)"
_SPOKEN = rf"(?<!\w){_DIGIT_WORD}(?:[ ,-]{{1,2}}{_DIGIT_WORD}){{2,9}}(?!\w)"
_SPELLED = r"[A-Za-z0-9](?:(?:[ -]|, )[A-Za-z0-9]){5,40}(?!\w)"
_GROUPS = r"[A-Za-z0-9]{4,40}(?:[- ](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{3,12}){0,7}(?!\w)"

_IS = (
    r"(?:\s*(?:=>|->|→|:=|==?|:|–|—)\s*|['’]s\s+|\s*,?\s*\b(?:is|are|was|will be|would be|should be|remains|stays|"
    r"reads|it['’]?s|"
    r"equals|lautet|ist|es|est|är|jest|é|è)\s+)"
    r"(?:(?:now|still|currently|just|simply|always|set to|changed to|going to be|the same|:)\s+){0,2}"
)
_TO = r"\s+(?:to|as)\s+(?!(?:the|my|our|a|an|this|that|your|be|it|all|access|log|use|get)\b)"
_AT_ONCE = r"\A\s+"

_PASSWORD = (
    r"(?<!\d)(?:pass(?:word|phrase|code|wd)s?|passwort|kennwort|contraseña|mot de passe|wachtwoord|salasana|"
    r"lösenord)(?![\w-])"
    r"|(?<![\w-])(?:pass (?:phrase|code)s?|pass(?=:)|pwd|pw|psk|senha|hasło|heslo|jelszó|parola|şifre|пароль|"
    r"κωδικός)(?![\w-])"
    r"|(?:비밀번호|암호|パスワード|暗証番号|密码|密碼|口令)\w{0,2}"
)
_WIRELESS = r"(?<!\w)(?:wi-?fi|wlan|wireless|hotspot|router|modem|internet|network)(?: network)?(?:['’]s)? (?:code|key|pass|pin)(?![\w-])"
_CODE_NAME = r"\b(?:codes?|combination|(?:unlock|swipe|screen) pattern|combo|pin(?:[- ](?:code|number))?|puk|cvv2?|cvc2?|passcode)\b"
_RECOVERY = r"\b(?:codes?|keys?|tokens?|secrets?)\b|(?-i:\bOTP\b|\bTAN\b)"
_KEY = r"(?<![a-z])(?:api)?(?:key|token|secret|credential)s?(?: id)?\b"
_LOGIN = r"\b(?:log[ -]?in|sign[ -]?in|credentials?|creds|user ?name|user(?=\s*[:=]))"
_AND_PASSWORD = (
    r"\A(?:\s+(?:is|are|as|details|data|(?:for|to) [\w.-]{1,30}))?\s*[:=]?\s+['\"`]?[\w.@+-]{2,60}['\"`]?\s*"
    r"(?:/|:|,|\s(?:and|with|pass|pw|pwd))\s*"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of secret: its name, what links the name and a value, and what a value is. Without one of the `hints` in
    the lower-cased text there is no name to look for."""

    kind: str
    hints: tuple[str, ...]
    name: re.Pattern[str]
    link: re.Pattern[str]
    value: re.Pattern[str]
    test: Callable[[Told], bool]


def _rule(kind: str, hints: str, name: str, link: str, value: str, test: Callable[[Told], bool]) -> _Rule:
    flags = re.IGNORECASE
    return _Rule(kind, tuple(hints.split()), re.compile(name, flags), re.compile(link, flags), re.compile(value), test)


_PASSWORD_HINTS = "pass pwd pw psk kennwort contrase senha wachtwoord lösenord salasana hasło heslo jelszó parola şifre парол κωδικ 비밀 암호 パス 暗証 密 口令"
_RULES = (
    _rule("password", _PASSWORD_HINTS, _PASSWORD, f"{_IS}|{_TO}", _TOKEN, is_password),
    _rule("password", _PASSWORD_HINTS, _PASSWORD, _AT_ONCE, _TOKEN, is_password_at_once),
    _rule("password", "phrase", r"\bpass ?phrase\b", _IS, r"[^\W\d_]{2,12}(?: [^\W\d_]{2,12}){2,9}", is_pass_phrase),
    _rule("password", "log sign cred user", _LOGIN, _AND_PASSWORD, _TOKEN, is_password_at_once),
    _rule(
        "password",
        "wifi wi-fi wlan wireless hotspot router modem internet network",
        _WIRELESS,
        f"{_IS}|{_TO}",
        _TOKEN,
        is_wireless_key,
    ),
    _rule("password", _PASSWORD_HINTS, _PASSWORD, rf"{_IS}(?:spel(?:led|t)\s+)?", _SPELLED, is_spelled),
    _rule("code", "code comb pin puk cvv cvc pattern", _CODE_NAME, rf"{_IS}|{_TO}|{_AT_ONCE}", _CODE, is_code),
    _rule("code", "code comb pin", _CODE_NAME, rf"{_IS}|{_TO}", _SPOKEN, is_spoken_code),
    _rule(
        "recovery code",
        "code key token secret otp tan",
        _RECOVERY,
        rf"{_IS}|{_TO}|{_AT_ONCE}",
        _GROUPS,
        is_recovery_code,
    ),
    _rule("key", "key token secret credential", _KEY, rf"{_IS}|{_TO}|{_AT_ONCE}", _TOKEN, is_key),
)

_IS_MY_PASSWORD = re.compile(
    r"(?P<value>[^\s\"'“”`<>]{5,100})[\"'”`]?\s+(?:is|as|for|was)\s+(?:(?:my|the|our|a|new|old|"
    r"your)\s+){1,3}(?:[\w'’-]+\s+){0,3}\Z",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_PRESSED = re.compile(r"(?<![\w.,:/-])[#*]?\d(?:[\d*#]|[-/](?=\d)){2,20}[#*]?(?![\w])")
_LOCK = re.compile(rf"\b{LOCK}\b", re.IGNORECASE)
_TO_PRESS = re.compile(
    r"\b(?:type|enter|press|dial|punch(?: in)?|key in|(?:opens?|opened|unlocks?|unlocked|disarms?|disarmed|armed|switched off) (?:at|with|on|to|by|using))\s+\Z",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\d{1,2} (?:to the )?(?:left|right)(?:[, ]+(?:then |and )*\d{1,2} (?:to the )?(?:left|right)){1,5}", re.IGNORECASE
)
_BOX = re.compile(
    r"\b(?:lock ?box|key ?box|key ?safe|keypad|padlock)(?: code)?\s*(?::|is)\s+(?P<value>[#*]?\d{3,8}[#*]?)(?![\w.,:]\d|\s*(?:mm|cm|m|kg)\b)",
    re.IGNORECASE,
)
_LINKED = re.compile(r"(?:[:=]|\b(?:is|are|to|needs?|takes|now|still|with|at|code|ist|es|est))\s*\Z", re.IGNORECASE)
_CODE_IS = re.compile(r"code\b\W*(?:\w+\W+){0,3}\Z", re.IGNORECASE)
_ANSWER = re.compile(
    r"\bmaiden name\b(?:\s+of\s+[\w'’ ]{2,30}?)?\s*(?:is|was|:|=)\s*(?P<name>[^\W\d_][\w'’-]{1,40})"
    r"|\b(?:security|secret|recovery) question\b[^\n]{0,80}?\b(?:is|answer|"
    r"with)\b:?\s+(?:is\s+)?(?P<answer>\"[^\"\n]{2,60}\"|[^\n.!?,;]{2,60})",
    re.IGNORECASE,
)
_SEED_WORD = (
    r"(?!(?:the|and|that|with|for|you|are|was|have|has|not|but|this|his|her|they|from|which|when|what|who|how|all|"
    r"can|will|please|"
    r"remember)\b)[a-z]{3,8}"
)
_SEED_HINTS = [
    "seed",
    "mnemonic",
    "recovery",
    "backup",
    "secret",
    "wallet",
    "bitcoin",
    "crypto",
    "ledger",
    "twelve",
    "twenty-four",
    "12",
    "24",
]
_SEED = re.compile(
    rf"\b(?i:{'|'.join(_SEED_HINTS)})\b[^\n]{{0,80}}?"
    rf"(?<!\w)(?P<value>{_SEED_WORD}(?:[ ,]{{1,2}}(?:\d{{1,2}}[.)] ?)?{_SEED_WORD}){{11,23}})\b"
)


def phrases(text: str) -> Iterator[Span]:
    """Spans of the values that the text itself calls a secret."""
    lower = text.lower()
    for rule in _RULES:
        if any(hint in lower for hint in rule.hints):
            for name in rule.name.finditer(text):
                span = _value_after(text, name, rule)
                if span is None and rule.test is is_password:
                    span = _value_before(text, name.start())
                if span:
                    yield (*span, rule.kind)
    if _DIGIT.search(text):
        yield from _pressed(text)
    if "question" in lower or "maiden" in lower:
        yield from (
            (*trimmed(text, *match.span(match.lastgroup or 0)), "security answer") for match in _ANSWER.finditer(text)
        )
    if any(hint in lower for hint in _SEED_HINTS):
        yield from ((*match.span("value"), "seed phrase") for match in _SEED.finditer(text))


def _value_after(text: str, name: re.Match[str], rule: _Rule) -> tuple[int, int] | None:
    """The first value behind a link within reach of the name, on the same line."""
    start = name.end()
    window = text[start : start + REACH].partition("\n")[0]
    for link in rule.link.finditer(window):
        if not _ROOM.fullmatch(window, 0, link.start()):
            return None
        value = rule.value.match(text, start + link.end())
        if value is None:
            continue
        begin, end = trimmed(text, *value.span())
        before = text[max(0, name.start() - BEFORE) : name.start()].rpartition("\n")[2]
        if rule.test(Told(text[begin:end], name.group(), before, window[: link.end()], text[end : end + 20])):
            return begin, end
    return None


def _value_before(text: str, name: int) -> tuple[int, int] | None:
    """ "Kestrel#88 is my password": only what no word looks like."""
    start = max(0, name - 160)
    if (match := _IS_MY_PASSWORD.search(text[start:name])) is None:
        return None
    begin, end = trimmed(text, start + match.start("value"), start + match.end("value"))
    return (begin, end) if is_strong(text[begin:end]) else None


def _pressed(text: str) -> Iterator[Span]:
    """Digits that are typed, dialled or set to open something."""
    for match in _PRESSED.finditer(text):
        before = text[max(0, match.start() - REACH) : match.start()].rpartition("\n")[2]
        after = text[match.end() : match.end() + BEFORE].partition("\n")[0]
        value = match.group()
        typed = _TO_PRESS.search(before) and (_LOCK.search(before) or _LOCK.search(after))
        told = is_written_code(value) and _LINKED.search(before) and (_LOCK.search(before) or _CODE_IS.search(before))
        if typed or told:
            yield (*match.span(), "code")
    for match in _TURNED.finditer(text):
        if _LOCK.search(text[max(0, match.start() - REACH) : match.start()].rpartition("\n")[2]):
            yield (*match.span(), "code")
    yield from ((*match.span("value"), "code") for match in _BOX.finditer(text))


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without quotation marks around it and the punctuation of the sentence after it."""
    if end - start > 1 and text[start] in "\"'“`" and text[end - 1] in "\"'”`":
        return start + 1, end - 1
    while end - start > 1 and text[end - 1] in ".,;:?)]}'’\"":
        end -= 1
    if end - start > 1 and text[end - 1] == "!" and text[start:end].count("!") == 1 and not text[end : end + 1].strip():
        end -= 1
    return start, end
