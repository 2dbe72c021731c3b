"""Does a turn say what an agent or a model makes of it: of the same person, with the same polarity, as a fact, as of today?

Asked of the author's own sentences and clauses that hold the claim's words; by words alone, and only where they are plain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from policies.grounds import content

_CASELESS = re.IGNORECASE
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|me|mine|myself|we|we['’]\w+|us|our|ours)\b|\bi\b")
_PEOPLE = (
    r"(?:mother|father|mum|mom|dad|parents?|brother|sister|siblings?|son|daughter|child(?:ren)?|kids?|husband|wife|spouse|partner|girlfriend|"
    r"boyfriend|friends?|boss|manager|colleagues?|cousin|aunt|uncle|niece|nephew|grand\w+|neighbou?rs?|flatmate|roommate|teacher|client|"
    r"landlord|doctor|in-laws?)"
)
_OTHERS = re.compile(
    rf"^\W*(?:(?:and|but|so|also|well|by the way|yes|no|actually)\W+)*(?:(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{_PEOPLE}\b(?!['’])|"
    r"(?:he|she|they|you|the assistant)\b)",
    _CASELESS,
)
_NAMED = re.compile(r"^\W*(?P<name>[A-ZÀ-Þ][\w'’-]+)\s+(?:is|was|has|had|[a-z]+(?:s|ed))\b")
_DENIED = re.compile(
    r"\b(?:i|we)(?:['’]m| am|['’]re| are)?\s+(?:really |just |absolutely |actually )?(?:not|never|no longer|don['’]t|do not|can['’]t|cannot|can not|"
    r"won['’]t|will not|didn['’]t|did not|haven['’]t|have not|wouldn['’]t|hate|loathe|detest|dislike|refuse|avoid)\b"
    r"(?! (?:forget|mind|think|believe|know|wait|only|just|help but|miss|regret))",
    _CASELESS,
)
_DENIES = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|neither|nor|without|cannot|hates?|hated|dislikes?|loathes?|detests?|avoids?|refuses?|stop\w*|lacks?|"
    r"against|rather|instead|allergic|any ?more|no longer|un\w+|fail\w*|free|intoleran\w+|former\w*|ex)\b|n['’]t\b",
    _CASELESS,
)
_WISHED = re.compile(
    r"\b(?:i|we)(?:['’]d| would)\s+(?:really |so |also )?(?:love|like|prefer|want|be (?:happy|glad))\b"
    r"|\b(?:i|we)(?:['’]m| am| are|['’]re)?\s+(?:really |still |also )?(?:want|hope|hoping|wish|wishing|dream|dreaming|plan|planning|intend|intending|aim|aiming|"
    r"need)\s+(?:of|to)\b",
    _CASELESS,
)
_WISHES = re.compile(
    r"\b(?:want\w*|hope\w*|hoping|would|wish\w*|dream\w*|plan\w*|intend\w*|aim\w*|goal|likes? to|love|interest\w*|prefer\w*|need\w*|consider\w*|"
    r"think\w*|will|going to|look\w*|tr(?:y|ies|ying)|future|soon|next|about)\b",
    _CASELESS,
)
_OVER = re.compile(
    r"\b(?:i|we)\s+(?:(?:have|['’]ve|had|just|recently|finally)\s+)*(?:sold|quit|left|gave up|given up|stopped|used to|no longer|cancelled|got rid of)\b",
    _CASELESS,
)
_ENDS = re.compile(
    r"\b(?:sold|sells?|quit\w*|left|leaves?|leaving|gave|given|giving|stop\w*|used to|no longer|cancel\w*|rid|former\w*|ex|previous\w*|past|was|were|had|"
    r"did|ended|over|until)\b|\w+ed\b",
    _CASELESS,
)


def of_somebody_else(claim: str, sentences: Sequence[str]) -> bool:
    """Every sentence behind a claim about the user has somebody else for its subject and does not speak of the author."""
    return bool(sentences) and all(_is_of_others(sentence, claim) for sentence in sentences)


def _is_of_others(sentence: str, claim: str) -> bool:
    if _FIRST_PERSON.search(sentence):
        return False
    if _OTHERS.match(sentence):
        return True
    named = _NAMED.match(sentence)
    return named is not None and not content(named["name"]) & content(claim)


def denied(claim: str, negated: bool, clauses: Sequence[str]) -> bool:
    """Every clause behind an affirmation denies it in the first person."""
    if negated or not clauses or _DENIES.search(claim):
        return False
    return all(map(_DENIED.search, clauses))


def only_wished(claim: str, clauses: Sequence[str]) -> bool:
    """Every clause behind a statement of fact wants, hopes or plans it."""
    return bool(clauses) and not _WISHES.search(claim) and all(map(_WISHED.search, clauses))


def over(claim: str, value: str, clauses: Sequence[str]) -> bool:
    """Every clause behind a statement about today gives the value up: "I sold my boat"."""
    wanted = content(value)
    return bool(clauses) and not _ENDS.search(claim) and all(_gives_up(clause, wanted) for clause in clauses)


def _gives_up(clause: str, wanted: frozenset[str]) -> bool:
    hit = _OVER.search(clause)
    return hit is not None and bool(wanted & content(" ".join(clause[hit.end() :].split()[:5])))
