"""Secrets that are known by their shape alone: key blocks, tokens with a maker's mark, addresses with a password."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

Span = tuple[int, int, str]
_LONG = re.compile(r"[^\s]{16,}")
_DETECTED_BY_NAME = (
    "softlayer",
    "cloudant",
    "ibm",
    "bluemix",
    "_authtoken",
)  # their detectors want words around the value
WINDOW, OVERLAP = 1000, 200  # characters; keeps foreign patterns linear in the length of a text
TOKEN_LETTERS = re.compile(r"[A-Za-z0-9_\-+/=.~%]*")

# Detectors of detect-secrets by name. Not among them: its entropy and keyword detectors, which refuse plain prose.
DETECTORS = (
    ("aws", "AWSKeyDetector"), ("azure_storage_key", "AzureStorageKeyDetector"), ("cloudant", "CloudantDetector"),
    ("discord", "DiscordBotTokenDetector"), ("github_token", "GitHubTokenDetector"), ("gitlab_token", "GitLabTokenDetector"),
    ("ibm_cloud_iam", "IbmCloudIamDetector"), ("ibm_cos_hmac", "IbmCosHmacDetector"), ("jwt", "JwtTokenDetector"),
    ("mailchimp", "MailchimpDetector"), ("npm", "NpmDetector"), ("openai", "OpenAIDetector"), ("pypi_token", "PypiTokenDetector"),
    ("sendgrid", "SendGridDetector"), ("slack", "SlackDetector"), ("softlayer", "SoftlayerDetector"),
    ("square_oauth", "SquareOAuthDetector"), ("stripe", "StripeDetector"), ("telegram_token", "TelegramBotTokenDetector"),
    ("twilio", "TwilioKeyDetector"),
)  # fmt: skip

_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]{0,12000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[\sA-Za-z0-9+/=,:\\]{0,12000})"
)
_PUTTY_BLOCK = re.compile(r"PuTTY-User-Key-File-\d:[\sA-Za-z0-9+/=,:.@_-]{0,12000}")

# The password in an address is the group; the rest of the address stays.
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/'\"<>]{0,100}:([^\s@/'\"<>]{1,200})@", re.IGNORECASE)
_ADDRESS_TOKEN = re.compile(r"\bhttps?://([A-Za-z0-9_-]{20,200})@[\w.-]+")
_WEBHOOK = re.compile(
    r"https://(?:hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/"
    r"|[\w.-]{1,60}\.webhook\.office\.com/)([\w/@-]{20,300})"
)

_TOKENS = (
    ("aws key", r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ("google key", r"AIza[0-9A-Za-z_-]{30,45}|GOCSPX-[\w-]{20,60}|ya29\.[\w-]{20,400}"),
    ("github token", r"gh[pousr]_[A-Za-z0-9_]{30,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab token", r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|ffct)-[\w-]{18,255}"),
    ("stripe key", r"(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,255}|whsec_[A-Za-z0-9+/=]{20,100}"),
    ("api key", r"sk-(?=[\w-]{0,60}\d)[A-Za-z0-9_-]{20,255}"),
    ("npm token", r"npm_[A-Za-z0-9]{30,60}"),
    ("pypi token", r"pypi-[A-Za-z0-9_-]{50,400}"),
    ("sendgrid key", r"SG\.[\w-]{16,40}\.[\w-]{16,80}"),
    ("discord token", r"[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,45}"),
    ("digitalocean token", r"do[opr]_v1_[a-f0-9]{64}"),
    ("slack token", r"xox[abepors]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{10,250}"),
    ("telegram token", r"\d{8,10}:[A-Za-z0-9_-]{35}"),
    ("twilio key", r"(?:AC|SK)[a-f0-9]{32}"),
    ("mailgun key", r"key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}"),
    ("shopify token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("square token", r"sq0(?:csp|atp|idp)-[\w-]{22,60}|EAAA[\w-]{60}"),
    ("hugging face token", r"hf_[A-Za-z0-9]{30,50}"),
    ("databricks token", r"dapi[a-f0-9]{32}(?:-\d)?"),
    ("api token", r"lin_api_\w{30,60}|ntn_\w{40,60}|figd_[\w-]{30,60}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|NRAK-[A-Z0-9]{27}"
                  r"|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|ATATT3[\w=-]{100,250}|hv[sb]\.[\w-]{24,200}|glsa_\w{32,60}"
                  r"|dckr_pat_[\w-]{20,60}|rubygems_[a-f0-9]{48}|sntrys_[\w+/=]{40,300}|tskey-[\w-]{20,80}"
                  r"|pscale_(?:tkn|pw)_[\w-]{30,80}|EAACEdEose0cBA[A-Za-z0-9]{10,200}|dp\.(?:pt|st)\.[A-Za-z0-9.]{30,80}"
                  r"|fio-u-[\w=-]{60,70}|CFPAT-[\w-]{40,50}|xkeysib-[a-f0-9]{64}-\w{16}"
                  r"|amzn\.mws\.[0-9a-f-]{36}|sl\.[\w-]{100,200}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|EAA[A-Za-z0-9]{80,250}"
                  r"|access_token\$\w{4,12}\$[0-9a-z]{16}\$[0-9a-f]{32}|AKID[A-Za-z0-9]{32}|LTAI[A-Za-z0-9]{12,24}|oy2[a-z0-9]{43}"
                  r"|sq[apu]_[0-9a-f]{40}|ATBB[A-Za-z0-9]{24,40}|[ps]k\.eyJ[\w-]{20,200}\.[\w-]{10,60}"),
    ("password hash", r"\$(?:2[abxy]|5|6|y|argon2\w{1,2})\$[./A-Za-z0-9$=,+-]{20,200}"),
    ("private key", r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]{40,8000}"),
    ("storage key", r"[A-Za-z0-9+/]{86}=="),
    ("json web token", r"eyJ[A-Za-z0-9_=-]{8,4000}\.[A-Za-z0-9_=-]{8,8000}(?:\.[A-Za-z0-9_.+/=-]{0,2000})?"),
    ("private key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}|xprv[1-9A-HJ-NP-Za-km-z]{100,112}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}"),
)  # fmt: skip
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_+/])(?:"
    + "|".join(f"(?P<t{place}>{shape})" for place, (_, shape) in enumerate(_TOKENS))
    + r")(?![A-Za-z0-9])"
)
_CODED_PAIR = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{11,400}={0,2}(?![A-Za-z0-9+/=_-])")
_PAIR = re.compile(rb"[\w.@+ -]{2,64}:[\x20-\x7e]{4,200}")
_BEARER = re.compile(r"\b(?:bearer|apikey)\s+((?=[^\s]{0,60}\d)[A-Za-z0-9._~+/=-]{16,2000})", re.IGNORECASE)
_COMMAND = re.compile(
    r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)\s+['\"]?[^\s:'\"]{1,80}:([^\s'\"]{1,200})"
    r"|\bsshpass\s+-p\s*['\"]?([^\s'\"]{1,200})"
    r"|\bmysql(?:dump|admin)?\b[^\n]{0,200}?\s-p([^\s'\"]{4,200})"
)


def shapes(text: str) -> Iterator[Span]:
    """Spans of what is a secret whatever stands around it."""
    for block in (_KEY_BLOCK, _PUTTY_BLOCK):
        for match in block.finditer(text):
            yield match.start(), match.start() + len(match.group().rstrip()), "private key"
    for run in _LONG.finditer(text):
        yield from _tokens(run.group(), run.start())
    if "://" in text:
        yield from _addresses(text)
    yield from _headers(text)
    if any(word in text.lower() for word in _DETECTED_BY_NAME):
        yield from _detected(text, 0)


def _tokens(run: str, at: int) -> Iterator[Span]:
    for match in _TOKEN.finditer(run):
        yield at + match.start(), at + _end_of_token(run, match.end()), _TOKENS[int(str(match.lastgroup)[1:])][0]
    for match in _CODED_PAIR.finditer(run):
        if _is_user_and_password(match.group()):
            yield at + match.start(), at + match.end(), "password"
    if any(map(str.isdigit, run)):
        yield from _detected(run, at)


def _addresses(text: str) -> Iterator[Span]:
    for match in _ADDRESS.finditer(text):
        if not _stands_for_a_value(match.group(1)):
            yield (*match.span(1), "password")
    for match in _ADDRESS_TOKEN.finditer(text):
        yield (*match.span(1), "token")
    for match in _WEBHOOK.finditer(text):
        yield (*match.span(1), "webhook")


def _headers(text: str) -> Iterator[Span]:
    for match in _BEARER.finditer(text):
        yield (*match.span(1), "token")
    for match in _COMMAND.finditer(text):
        group = match.lastindex or 1
        if not _stands_for_a_value(match.group(group)):
            yield (*match.span(group), "password")


def _is_user_and_password(coded: str) -> bool:
    """Base64 of "user:password", as in a Basic header."""
    try:
        plain = base64.b64decode(coded + "=" * (-len(coded) % 4), validate=True)
    except (ValueError, binascii.Error):
        return False
    return bool(_PAIR.fullmatch(plain))


def _stands_for_a_value(value: str) -> bool:
    """ "${PASSWORD}" and "****" are no values."""
    return value[0] in "<{$%[*" or set(value.lower()) <= {"x", "*", ".", "•"}


def _end_of_token(text: str, end: int) -> int:
    """A pattern may know only the beginning of a token; what hangs on to it is secret too."""
    tail = TOKEN_LETTERS.match(text, end)
    return end + len(tail.group().rstrip(".=~%/") if tail else "")


def _detected(text: str, offset: int) -> Iterator[Span]:
    for start in range(0, len(text), WINDOW - OVERLAP):
        window = text[start : start + WINDOW]
        for detector in _detectors():
            for value in detector.analyze_string(window):
                if not value or not any(map(str.isdigit, value)):
                    continue
                at = start + window.find(value)
                yield offset + at, offset + _end_of_token(text, at + len(value)), "token"


@lru_cache(maxsize=1)
def _detectors() -> tuple[Any, ...]:
    from importlib import import_module

    return tuple(getattr(import_module(f"detect_secrets.plugins.{module}"), name)() for module, name in DETECTORS)
