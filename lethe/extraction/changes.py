"""Wordings by which a statement says of itself that something is no longer what it was."""

from __future__ import annotations

import re

CHANGES = re.compile(
    r"\b(?:increas|extend|reduc|rais|lower|updat|revis|reschedul|postpon|shorten|lengthen|expand|improv|bump|upgrad|adjust"
    r"|decreas|boost|doubl|tripl|shrunk|shrink|shift|delay)(?:e?d|ing|s|es|e)?\b"
    r"|\b(?:moved|pushed|brought|changed|cut|grew|grown|rose|risen|dropped|fell|fallen|went|gone|going|bring|push|move|change) (?:[\w'’-]+ ){0,6}?"
    r"(?:to|from|up|down|back|forward|by)\b"
    r"|\b(?:cancell?ed|called off|put off|(?:added|put|moved|uploaded|imported|saved|gathered|collected) (?:about |over |around )?\d[\d,.]* \w)"
    r"|\b(?:now|new|reached|total of|hit|no longer|instead|so far|currently|highest|lowest|personal best|record)\b",
    re.IGNORECASE,
)


def says_that_something_changed(claim: str) -> bool:
    """ "My rent went up to 900 euros", "the new deadline is May 5": does an earlier value seem to be replaced?"""
    return CHANGES.search(claim) is not None
