"""Second step: cut a segment into sentences and say of each what it does: tell, ask, suppose, joke, greet, play a role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from lethe.authorship import attributed
from lethe.extraction.requests import joints_of_requests

LONGEST = 900  # characters of one piece that are worth a parse


class Mood(Enum):
    """What a piece of text does."""

    STATEMENT = "statement"
    QUESTION = "question"
    SUPPOSED = "supposed"  # hypothetical, wish, role play, sarcasm: said, but not as a fact
    SMALL_TALK = "small talk"


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, or the part of one that can be read alone. `cue`: its opening says that something changed."""

    text: str
    mood: Mood
    quoted: bool = False
    cue: bool = False
    answers: bool = False  # opens with yes or no, so it may lean on a question before it


_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|mt|no|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|jr|sr|fig|vol|mk|pt|ch|op|ed|gen|col|capt|lt|sgt|rev|sen|gov|hon|al|a\.m|p\.m|str)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_STOP = re.compile(r"(?:[.!?…]+[\"'”’)]*|:\)|;\))\s+(?=\S)|[。！？]\s*|\s+[–—]\s+(?=I\b|my\b)|;\s+(?=\S)")

_LEAD = re.compile(
    r"^\s*(?:(?P<cue>actually|after all|(?:as )?it turns out|turns out|correction|update|edit|i changed my mind|change of plans?|as of (?:now|today)|starting today)"
    r"\s*[,:;.—–-]+\s*"
    r"|(?P<found>(?:as )?(?:it )?turns out(?: that)?\s+)(?=(?:i|i'm|i’m|my|we|we're)\b)"
    r"|(?P<yes>yes|yeah|yep|yup|no|nope|nah|sure|right|correct|exactly|indeed)\b(?:\s+(?-i:[A-Z])\w+)?(?:,?\s+(?:please|sure|definitely|exactly))?\s*[,:;.!—–-]+\s*"
    r"|(?:by the way|btw|oh|ah|also|well|anyway|anyways|hmm+|uh|um|aww+|awh|omg|man|dude|gosh|whoa|woah|ugh|phew|haha+|lol|yay|congrats|ok|okay|so|fyi|for the record|just so you know|for instance|for example|lately|these days|on (?:a|another|that) (?:different |side )?note|"
    r"for your information|for context|for reference|to be (?:honest|clear|precise)|honestly|frankly|in fact|in general|"
    r"generally|personally|that said|besides|plus|additionally|apart from that|incidentally|one more thing|"
    r"another thing|note|note that|hi|hey|hello|hiya|good (?:morning|afternoon|evening)|wow|thanks(?: a lot| so much| a bunch| again)?|thank you(?: so much)?|"
    r"great|cool|nice|perfect|awesome|please note that|fun fact|you know(?: what)?|i mean|look|listen|"
    r"as (?:i|you) (?:said|mentioned|know|told you)(?: earlier| before| above)?|like i said|(?:and )?speaking of [^,.;]{1,60}|unfortunately|fortunately|luckily|"
    r"i (?:just )?(?:wanted|want) to (?:mention|add|say|let you know)(?: that)?|i should (?:mention|add|say)(?: that)?|"
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|know|don't forget)(?: that| this)?:|(?:and )?(?:oh )?by the way)"
    r"(?:[ ,]+(?:everyone|there|again|[A-Z][a-z]+))?\s*[,:;.!—–-]+\s*"
    r"|(?:and|but|so|or|plus|also|oh|because|though|although)\s+(?=\S)"
    r"|(?:please\s+)?(?:remember|note|keep in mind|bear in mind|be aware|know)\s+that\s+"
    r"|(?:(?:i )?(?:just |also )*want(?:ed)? to|i(?:['’]d| would) (?:just |also )*like to|(?:i )?(?:should|must|have to|can)(?: just| also)*|let me(?: just| also)*)"
    r" (?:let you know|tell you|mention|say|share|add|note|point out)\s+that\s+"
    r"|i (?:still |also |do )?remember(?: that)?\s+(?=(?:i|i'm|i’m|my|we|it|we're)\b)"
    r"|(?:by the way|btw)\s+"
    r"|(?P<since>(?:from (?:now|today) on|from (?:now|today)|as of now|these days|nowadays|currently)[ ,]+)(?=(?:my|i|i'm|we|we're|our)\b))",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",?\s*\b(?:by the way|btw|if you must know|as it happens|as you know|to be honest|(?<!let )(?<!do )(?<!if )(?<!what )you know(?! (?:that|what|how|if)\b))\b,?",
    re.IGNORECASE,
)

# "I live in Oulu these days, actually.": the cue is no part of what is said.
_TRAILING_CUE = re.compile(
    r"(?:,?\s+(?:actually|after all|as it turns out|it turns out|these days|nowadays)\b)+(?=\s*(?:[,.!…]*$|,\s))",
    re.IGNORECASE,
)
_IS_SHORT = re.compile(
    r"^(my (?:\w+ )?(?:name|birthday|job|hobby|favou?rite \w+))['’]s(?= (?!name\b|own\b)\w)", re.IGNORECASE
)
# "Yesterday was wild - I met the mayor": the time belongs to what follows.
_EVENTFUL = re.compile(
    r"^(?P<when>yesterday|today|last (?:\w+ )?\w+|this (?:morning|week|weekend|month)) (?:was|has been|is) [\w’' ]{3,30}?[,!]?\s*[-–—,!]\s*"
    r"(?=(?:I|we|my|our)\b)",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"^(?P<adverb>(?:just|finally|recently|also|already|still) )?(?P<verb>been(?= \w+ing\b| (?:only )?to\b| only to\b)|started|finished|got|went|tried|made|took|bought|found|saw|met|spent|"
    r"moved|joined|visited|quit|lost|won|signed|picked|received|had|gave|watched|ran|wrote|completed|adopted|decided|"
    r"working on|trying to|planning|hoping to|looking for|getting ready|finishing up|learning|studying|"
    r"(?:searching|researching|creating|making|preparing|training|practi[cs]ing|volunteering|reading|writing|running|saving|following|"
    r"getting|enjoying|painting|organi[sz]ing|hosting|helping|starting|finishing|going|setting up|building|teaching|practising|loving|"
    r"exploring|attending|joining|saving up|thinking of)(?= [^.!?,;–—-]*(?:[.!,;–—-]|$))(?![^.!?,;–—-]*\b(?:is|are|was|were|has|have|had|can|could|will|would|may|might|means?|makes?|"
    r"made|helps?|helped|takes?|took|gives?|gave|brings?|brought|feels?|felt|sounds?|looks?|seems?|really|requires?|needs?|keeps?)\b|[^.!?,;–—-]*['’](?:s|re)\b))\b "
    r"(?!by\b|of\b|up\b|forward\b|you\b|to\b|that\b|like\b)(?=\w)",
    re.IGNORECASE,
)
_AUX = r"(?:can|could|would|will|do|does|did|should|shall|is|are|was|were|am|have|has|had|may|might|isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|wouldn't|shouldn't)"
_WH = r"(?:how|what|which|where|when|why|who|whom|whose)"
_ASKS = re.compile(
    rf"^(?:(?:{_AUX})\s+(?:you|i|we|there|it|this|that|they|he|she|the|my|your|our|these|those|anyone|someone|a|any)\b"
    rf"|{_WH}(?:'s|'re|\s+(?:\w+\s+){{0,4}}?{_AUX})\b|{_WH}\s+(?:about|if|else|to)\b|any\s+(?:\w+\s+){{0,3}}(?:ideas?|tips?|advice|suggestions?|"
    r"recommendations?|thoughts?|chance)\b|got any\b|(?:do you )?(?:want to|wanna|care to|ready to|mind if)\b|mind if\b)",
    re.IGNORECASE,
)
_SPLICED_QUESTION = re.compile(
    rf"(?:\s*[,;–—-]+\s*(?:(?:and|but|so|or|then|also)\s+)?|\s+(?:and|but|so)\s+)"
    rf"(?=(?:(?:can|could|would|will|do|did)\s+you|(?:will|would|does|do|did|was|were)\s+(?:it|this|that|these|they)\b|got any\b|(?:do you )?(?:want to|wanna|care to|ready to|mind if)\b|(?:should|can|could|do|would|may|shall|am)\s+(?:i|we)|"
    rf"(?:I'm|I’m|I am|I was) (?:just |also |now )?(?:wondering|curious)\b|(?:is|are|isn't|aren't)\s+(?:there|it|this|that|these|they)|"
    rf"{_WH}(?:'s|\s+(?:\w+\s+){{0,3}}?(?:can|could|do|does|did|should|would|is|are|will))\s+"
    r"(?:i|we|you|they|it|the|my|your|there|some|that|this)\b|any\s+(?:\w+\s+){0,3}(?:ideas?|tips?|advice|suggestions?|recommendations?|thoughts?)))",
    re.IGNORECASE,
)
_WHY = re.compile(r"\s*,\s*which is why\s+(?=I\b|we\b)")
# "tell me how it was shortened to 3 weeks": whatever is asked about it, it was.
_HOW = (
    r"\s+how\s+(?=(?:it|they|the|my|our)\b[^,?]{0,60}?\b(?:was|were|has been|have been|got)\s+(?:\w+ly )?\w+(?:ed|en|ut|et)\b[^,?]{0,30}"
    r"\bto (?:about |around |just )?[$€£]?\d)"
)
_ASKED_ON = re.compile(r"\s*,?\s+and (?:what|how|why|whether|if)\b.*$")
_PRESUPPOSED = re.compile(
    rf"{_HOW}|\s+remind me that\s+(?=\w)|[\s,]+(?:especially\s+|particularly\s+)?(?:considering|given|seeing|knowing|now)(?:\s+that|\s+how)?\s+"
    r"(?=(?:I|I'm|I've|I’m|I’ve|my|we|we're|we've|our|the)\b)|[\s,]+(?:now|given|considering)\s+that\s+(?=\w)"
    r"|[\s,]+(?:and\s+)?(?:especially\s+|particularly\s+|but\s+)?(?:since|because|as)\s+(?=(?:I|I'm|I've|I’m|I’ve|my|we|we've|we're|our)\b)|[\s,]+(?:especially\s+)?(?:since|because)\s+(?=(?:the\b|[A-Z]))",
)
_SAYS = re.compile(
    r"(?<!\bI )\b(?:said|says|told|tells|wrote|writes|replied|replies|texted|texts|reads|claims|claimed|shouted|asked|quote)\b[^:.!?]{0,30}:\s",
    re.IGNORECASE,
)
_QUOTATION_MARK = re.compile(r"(?<!\d)\"|[“”«»]")
_I = r"(?:I|I'm|I've|I'd|I'll|I’m|I’ve|I’d|I’ll|we|we're|we've|we’re|we’ve|my|our)"
_SPLICE = re.compile(
    rf"(?:\s*[,–—]\s*(?:(?:and|but|so|plus|yet|while|although|though)\s+)?(?:also\s+)?|:\s+|\s-\s(?!my\b|our\b))(?={_I}\s)"
    r"|\s*,\s*(?:now that|especially (?:since|because|given that)|considering that|given that)\s+(?=(?:the|my|our|I|I'm|I've|I’m|I’ve|we)\s)"
    r"|\s*(?:,|\s[-–—])\s+(?=(?:it|they)(?:['’](?:s|ve|re)|\s+(?:was|is|were|are|has|have|had|took|cost|takes|costs))\s)"
)
_HAS_SUBJECT = re.compile(
    r"(?:^|\s)(?:I|we|it|he|she|they|this|that|there|my|our)\b|(?:^|\s)(?:I|we|it|that)['’]|^\w+ (?:my|this|that)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^(?:when|whenever|if|after|before|since|because|as|although|though|while|once|until|unless|where|even|whether|"
    r"every time|each time|considering|given|what|how|suppose|imagine|pretend|assuming)\b",
    re.IGNORECASE,
)
_SETTING_ASIDE = re.compile(
    r"^(?:please\s+)?(?:forget|ignore|disregard|scratch|never mind|store|save|note|add|keep|put|update|change|remember)\b"
    r"(?P<what>[^,:;]{2,60}?(?:\babout (?P<about>(?:the|my|our) [^,:;]{2,40}))?)[,:;]\s+"
    rf"(?:(?={_I}\s)|(?P<it>it(?:'s|’s| is)\b))",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"^(?:if|unless|suppose|supposing|imagine|pretend|let's (?:say|pretend|imagine)|say i|assuming|what if|as if|in case|"
    r"wouldn't it|i wish|if only|i'd (?:love|like) it if|hypothetically|in (?:my|this|the) (?:story|novel|dream|game|scenario))\b"
    r"|\bI (?:really )?wish\b|\bif I (?:had|were|was|could|won|did)\b",
    re.IGNORECASE,
)
_SARCASM = re.compile(
    r"(?:^|\s)/s\s*$|^(?:yeah|sure|oh),? right\b|^as if\b|\bsaid (?:no one|nobody) ever\b|^oh,? (?:great|wonderful|fantastic|joy|brilliant),|"
    r"\b(?:just kidding|only kidding|i'm joking|i am joking|i'm kidding|jk)\b|\bnot!\s*$|^because (?:of course|everyone) \b|"
    r"🙄|\byeah,? because\b|\bsure,? because\b|^(?:what a|how) (?:lovely|wonderful|great) (?:surprise|way)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"^(?:(?:so |super |really |very )*(?:glad|pumped|stoked|excited|proud|sorry|happy|thrilled)\b|lemme|let me|let's|let’s|thanks|thank you|thx|ty|cheers|hi|hello|hey|good (?:morning|afternoon|evening|night)|bye|goodbye|see you|"
    r"talk (?:to you )?(?:soon|later)|have a (?:nice|good|great|lovely)|take care|you're welcome|no problem|no worries|"
    r"congrat(?:s|ulations)|well done|good (?:job|luck|point|idea)|sounds (?:good|great|perfect)|got it|"
    r"makes sense|ok(?:ay)?|cool|wow|lol|haha|ha|nice|great|awesome|perfect|exactly|absolutely|definitely|"
    r"that(?:'s| is| was| sounds| looks| makes| really| helps| helped| joke)|this (?:is|was|looks|sounds|helps) (?:great|good|helpful|perfect|really|so|very|awesome)|"
    r"(?:i'm|i am) (?:so |really |very )?(?:glad|happy|sorry) (?:to (?:hear|help)|for you|you)|i appreciate|i hope (?:you|this|that|your)|"
    r"i(?:'m| am) (?:fine|good|well|ok|okay|great)(?:,? thanks?.*)?[.!]*$|how (?:are|is) (?:you|it going)|"
    r"i (?:totally |completely )?(?:agree|understand|see)\b[^,]{0,30}$|i love (?:it|that|this)[.!]*$|can't wait|here(?:'s| is| are) (?:my|the|a|our|what|some)\b[^,;]*)(?!\w)",
    re.IGNORECASE,
)


def pieces(text: str, *, quoted: bool = False) -> list[Piece]:
    """Sentences of one segment, each with its mood; a question glued to a statement by a comma stands alone."""
    out: list[Piece] = []
    marks_before = 0
    for sentence in _sentences(text):
        marks = marks_before
        marks_before += quotation_marks(sentence)
        asked = sentence.rstrip(" \"'”’)").endswith("?")
        opened, cue, answers = _opened(sentence)
        for part, is_question in _parts(opened, asked):
            for clause, corrected in [(part, False)] if is_question else _spliced(part):
                mood = Mood.QUESTION if is_question else _mood(clause, sentence)
                body, inner_cue, _ = _opened(clause)
                if body:
                    inside = quoted or marks % 2 == 1 or _reported(clause, sentence)
                    out.append(Piece(body[:LONGEST], mood, inside, cue or inner_cue or corrected, answers))
                marks += quotation_marks(clause)
    return out


def _reported(clause: str, sentence: str) -> bool:
    """ "My friend told me: I live in Rome": what follows are somebody else's words."""
    said, at = _SAYS.search(sentence), sentence.find(clause)
    if said is not None and at >= said.end():
        return True
    return any(start <= at < end for start, end in attributed(sentence))


def quotation_marks(text: str) -> int:
    """How many double quotation marks stand in a text; an inch mark is none."""
    return len(_QUOTATION_MARK.findall(text))


def _spliced(sentence: str) -> list[tuple[str, bool]]:
    """(part, a correction) for each main clause of a sentence; clauses joined by commas parse better alone."""
    lead = _SETTING_ASIDE.match(sentence)
    if lead is not None:
        about = f"{lead['about']} is" if lead["it"] else ""
        return [(f"{about}{sentence[lead.end() :]}", True)]
    out, start = [], 0
    if _SUBORDINATE.match(sentence):
        return [(sentence, False)]
    joints = [*_SPLICE.finditer(sentence), *_WHY.finditer(sentence), *joints_of_requests(sentence)]
    for joint in sorted(joints, key=lambda found: found.start()):
        if _HAS_SUBJECT.search(sentence[start : joint.start()]):
            out.append((sentence[start : joint.start()], False))
            start = joint.end()
    return [*out, (sentence[start:], False)]


def _sentences(text: str) -> list[str]:
    out, start = [], 0
    for stop in _STOP.finditer(text):
        head, rest = text[start : stop.end()].rstrip(), text[stop.end() :]
        if head.endswith(".") and (_ABBREVIATION.search(head) or (rest[:1].islower() and rest[:2] not in ("i ", "i'"))):
            continue
        out.append(head)
        start = stop.end()
    out.append(text[start:].strip())
    return [sentence for sentence in out if any(letter.isalnum() for letter in sentence)]


def _opened(sentence: str) -> tuple[str, bool, bool]:
    """The sentence without what only opens it, whether the opening marks a change, and whether it answers."""
    text, cue, answers = _elided_subject(sentence.strip(" ,;-–—\t")), False, False
    while hit := _LEAD.match(text):
        if not text[hit.end() :].strip():
            break
        cue, answers = cue or bool(hit["cue"] or hit["since"] or hit["found"]), answers or bool(hit["yes"])
        text = text[hit.end() :]
    text = _ASIDE.sub("", text).strip(" ,;-–—\t")
    plain = _TRAILING_CUE.sub("", text)
    return _elided_subject(plain), cue or plain != text, answers


def _elided_subject(text: str) -> str:
    """Chat drops its "I": "Started a new job last week" reads as "I started …"."""
    text = _EVENTFUL.sub(r"\g<when> ", text)
    text = _IS_SHORT.sub(r"\1 is", text)
    hit = _ELIDED.match(text)
    if hit is None or text.endswith("?"):
        return text
    verb = text[hit.start("verb") :]
    adverb = (hit["adverb"] or "").lower()
    been = "I've " if hit["verb"].lower() == "been" else "I'm " if hit["verb"].lower().endswith("ing") else "I "
    return f"{been}{adverb}{verb[:1].lower()}{verb[1:]}"


def _parts(sentence: str, asked: bool) -> list[tuple[str, bool]]:
    """(part, is a question) for each part: statement, spliced question, what the question takes for granted."""
    if not sentence:
        return []
    if not asked and not _ASKS.match(sentence) and not _SPLICED_QUESTION.search(sentence):
        return [(sentence, False)]
    out: list[tuple[str, bool]] = []
    if _ASKS.match(sentence):
        rest = sentence
    else:
        splice = _SPLICED_QUESTION.search(sentence)
        if splice is None:
            return _last_part_asks(sentence)
        out.append((sentence[: splice.start()], False))
        rest = sentence[splice.end() :]
    granted = _PRESUPPOSED.split(rest)
    out.append((granted[0], True))
    out.extend((_ASKED_ON.sub("", part.rstrip("?")), False) for part in granted[1:] if part.strip())
    return [part for part in out if part[0].strip()]


def _last_part_asks(sentence: str) -> list[tuple[str, bool]]:
    """ "I hired an agency, a good move?": what stands before the last comma is told, unless all of it asks or supposes."""
    told, comma, asked = re.sub(r"\s+[-–—]\s+", ", ", sentence).rpartition(",")
    if not comma or _SUBORDINATE.match(sentence) or not re.match(rf"(?:{_I}|[A-Z]\w+)\b", told) or len(asked) > 80:
        return [(sentence, True)]
    return [(told, False), (asked, True)]


def _mood(part: str, sentence: str) -> Mood:
    if _SARCASM.search(sentence) or _SUPPOSED.search(part):
        return Mood.SUPPOSED
    if _SMALL_TALK.match(part) and len(part) < 160:
        return Mood.SMALL_TALK
    return Mood.STATEMENT
