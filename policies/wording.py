"""Wordings that the checks of the gate look for, in claims ("The user …") and in what their authors said ("I …")."""

from __future__ import annotations

import re

_CASELESS = re.IGNORECASE
_PEOPLE = (
    r"mother|father|mum|mom|dad|parents?|brother|sister|siblings?|son|daughter|child(?:ren)?|kids?|husband|wife|"
    r"spouse|partner|girlfriend|boyfriend|"
    r"friends?|boss|manager|colleagues?|team|cousin|aunt|uncle|niece|nephew|grand\w+|neighbou?r|flatmate|roommate|"
    r"teacher|client|landlord|dog|cat"
)

# An instruction for a whole company, or for everybody who asks.
FOR_EVERYBODY = re.compile(
    r"\b(?:company|organi[sz]ation|team|department|firm|tenant)-?wide\b"
    r"|\b(?:for|to|by|across|at|in) (?:the )?(?:whole|entire) (?:company|organi[sz]ation|firm|department|team|group|"
    r"office)\b"
    r"|\b(?:for|to|across|of) (?:all|every|each) (?:\w+ )?(?:users?(?!['’])|tenants?|customers?|employees?|"
    r"colleagues?|departments?|companies)\b"
    r"|\beverybody (?:in|at) (?:the|our|this) (?:company|team|organi[sz]ation|office)\b|\beveryone (?:in|at) (?:the|"
    r"our|this) (?:company|team|organi[sz]ation|office)\b",
    _CASELESS,
)
FOR_THE_PROJECT = re.compile(
    r"\b(?:for|in|on|within|during|throughout) (?:this|the current|our) (?:project|repo(?:sitory)?|code ?base|sprint|"
    r"workspace)\b|\bthis (?:project|repo(?:sitory)?|code ?base)\b",
    _CASELESS,
)
# Text that a model made: a summary of sessions, the answer of a memory.
MADE_BY_MODEL = re.compile(
    r"^\W{0,3}(?:(?:here is|here's) (?:a|the) )?(?:summary|recap|digest) (?:of|from) (?:the |our |your |all |"
    r"this )?(?:last |previous |earlier |past |recent )?"
    r"(?:\w+ )?(?:sessions?|conversations?|chats?|messages|discussions?)\b"
    r"|^\W{0,3}from (?:my |your |the )?memory\s*:|\"?\bmemor(?:y_search|ies_found|y_results?)\"?\s*:|<memor(?:y|"
    r"ies)\b|\"memories\"\s*:",
    _CASELESS,
)
# A taste whose holder is not the user: "The user's brother hates golf", "My boss wants …"
SOMEBODY_ELSE = re.compile(
    rf"^(?:the user['’]s|my|our|his|her|their)\s+(?:\w+\s+)?(?:{_PEOPLE})\b(?:\s+[A-Z]\w+)?\s+(?:really |also |"
    r"always |never |still )?"
    r"(?:likes?|loves?|hates?|prefers?|wants?|dislikes?|enjoys?|needs?|adores?|can['’]?t stand|cannot stand|"
    r"would rather|asks?|insists?|does not like|doesn['’]t like)\b",
    _CASELESS,
)
# How to do something step by step belongs to an agent's configuration.
PROCEDURE = re.compile(
    r"\bstep\s+(?:1|one)\b.*\bstep\s+(?:2|two)\b|\bfirst(?:ly)?\b.{3,200}\bthen\b.{3,200}\b(?:finally|then|"
    r"after that|afterwards|lastly)\b|(?:^|\s)1[.)]\s.*\s2[.)]\s",
    _CASELESS | re.DOTALL,
)
# What the conversation is about, not what is so.
THE_TASK_AT_HAND = re.compile(
    r"^(?:the )?(?:user|assistant)\s+(?:just |now |currently |has )?(?:asked|asks|is asking|was asking|requested|"
    r"requests|is requesting|wants? to know|wanted to know|"
    r"wants? (?:help|advice|an? (?:answer|explanation|example|summary|translation))|needs? (?:help|advice|"
    r"assistance)|would like (?:help|advice|to know)|"
    r"is looking for (?:help|advice|an answer)|inquired|wonders?|is wondering|(?:provided|shared|pasted|uploaded|"
    r"sent) (?:some |the |a |an |this |their )?(?:code|snippet|file|text|document|error|log|prompt|data|screenshot|"
    r"draft)s?)\b(?! (?:for )?(?:a|the) (?:divorce|refund|raise|promotion))"
    r"|\b(?:in|during) (?:this|the current) (?:conversation|chat|session|thread)\b|\b(?:the|this) (?:current|"
    r"previous|last) (?:message|turn|prompt|question|reply|answer)\b",
    _CASELESS,
)
QUESTION = re.compile(
    r"\?\W*$|^(?:(?:what|who|whom|whose|which|when|where|why|how)(?:\s+\w+)?\s+)?(?:should|is|are|am|do|does|did|can|"
    r"could|would|will|may)\s+(?:i|we|you|it|they|he|she|the user|there|this|that)\b",
    _CASELESS,
)
ASKED_BY_USER = re.compile(
    r"^\W*(?:(?:so|and|but|well|hey|hi|hello|please|also)\W+)*(?:should|shall|could|can|may|might|do|does|did|am|is|"
    r"are|was|were|will|would|what|which|who|where|when|why|how)\b[^?]*\?",
    _CASELESS,
)
SUPPOSITION = re.compile(
    r"\bif\b.{1,120}\bwould\b|\bwould\b.{1,120}\bif\b|\bif i (?:had|were|was|could)\b|\bif the user (?:had|were|was|"
    r"could)\b|\b(?:hypothetically|suppose|supposing|imagine|let['’]s say|what if|pretend|in theory)\b"
    r"|\bi wish (?:i|we)\b|\bwishes (?:that )?(?:they|the user|he|she) (?:had|were|could|was)\b",
    _CASELESS,
)
# "may" and "might" with a verb after them; "May 2" is a month, "with all her might" a noun.
HEDGE = re.compile(
    r"\b(?:[Mm]ight(?! of| is)|(?<!\. )may(?! \d)|could(?= be\b| potentially| possibly| perhaps| maybe|"
    r" end up))\s+(?:also |well |soon |still |even |one day |be |not )*(?:\w{2,})"
    r"|\b(?i:maybe|perhaps|probably|possibly|presumably|supposedly|allegedly|apparently|i guess|i suppose|i think|"
    r"not sure|unsure|undecided|is likely to|may or may not)\b"
)
# What is only turned over in the mind, where a proposal has it as done.
CONSIDERED = re.compile(
    r"\b(?:considering|thinking (?:about|of)|toying with|debating|tempted to|planning to maybe)\b", _CASELESS
)
# A doubt behind one of these is about a detail and not about the fact.
ASIDE = re.compile(r",\s|\s(?:that|which|who|because|since|so|where|if|when|while|probably around|but)\s")
SMALL_TALK = re.compile(
    r"^\W*(?:hi|hello|hey|thanks|thank you|good (?:morning|evening|night|afternoon)|bye|goodbye|see you|cheers|lol|"
    r"haha\w*|ok(?:ay)?|cool|great|nice|sure|you['’]re welcome|no problem|sounds good)\b[^.]{0,40}\W*$"
    r"|^(?:the )?(?:user|speaker)\s+(?:is |was )?(?:thank(?:s|ed)|greet(?:s|ed)|say(?:s|ing)? (?:hello|hi|goodbye|"
    r"thanks)|said (?:hello|hi|goodbye|thanks)|appreciat(?:es|ed)|apologi[sz](?:es|ed)|wish(?:es|"
    r"ed) (?:the assistant|you|everyone)|"
    r"happy to (?:help|hear|chat)|looking forward to (?:hearing|chatting)|laugh(?:s|ed)|agrees?|hopes? (?:you|"
    r"the assistant|this|that))\b",
    _CASELESS,
)
MOOD_NOW = re.compile(
    r"^(?:the user|user|i)\s+(?:is|am|feels?|felt|was|['’]m)\s+(?:\w+ )?(?:really |very |so |a bit |quite |too |"
    r"just |currently |now )*(?:tired|hungry|thirsty|sleepy|bored|busy|exhausted|freezing|stuck|waiting|running late|"
    r"late|in a hurry|in a rush|"
    r"on the (?:train|bus|phone|way|plane|road|move)|in a meeting|at the (?:airport|station|office|gym|dentist|"
    r"supermarket)|out of (?:milk|coffee|bread|battery)|ready|confused|lost|back|here|home now)\b\W*(?:right now|now|"
    r"today|at the moment|this \w+)?\W*$",
    _CASELESS,
)
THIS_MOMENT = re.compile(
    r"\b(?:right now|just now|at the moment|this (?:minute|second|instant|very moment)|for the next (?:few |"
    r"\d+ )?(?:minutes|hours?)|in a (?:minute|moment|second)|as we speak)\b",
    _CASELESS,
)
LASTING = re.compile(
    r"\b(?:lives?|living|works?|working|stud(?:y|ies|ying)|rents?|renting|owns?|uses?|using|learns?|learning|reads?|"
    r"reading|employed|member|plays?|training|writes?|writing)\b",
    _CASELESS,
)
ONCE_ONLY = re.compile(
    r"\b(?:this time|just this once|for now|only today|for today|right now|this once|just for (?:this|now))\b",
    _CASELESS,
)
# What a system of record knows better at any later moment.
CURRENT_STATUS = re.compile(
    r"\b(?:orders?|parcels?|packages?|shipments?|deliver(?:y|ies)|tickets?|invoices?|payments?|flights?|trains?|"
    r"builds?|deployments?|pipelines?|jobs?|servers?|services?|queues?|subscriptions?|claims?|cases?|requests?|"
    r"backups?|systems?|websites?|printers?|refunds?|bookings?|reservations?|tasks?|issues?|pull requests?)\b"
    r"(?:\s+[#\w-]*\d[\w-]*)?(?:\s+(?:of|for|with|to|at|on)\s+[\w#'’-]+){0,3}\s+(?:is|are|remains?|"
    r"stays?)\s+(?:currently |now |still |already |presently |not |not yet )*"
    r"(?:in transit|on (?:its|the) way|out for delivery|shipped|dispatched|delivered|delayed|on time|open|pending|"
    r"closed|in progress|processing|being processed|queued|running|down|up|online|offline|failing|failed|green|red|"
    r"passing|blocked|unpaid|overdue|paid|active|inactive|suspended|out of stock|in stock|available|unavailable|"
    r"cancelled|confirmed|waiting|assigned|healthy|degraded|merged|ready for pick-?up)\b"
    r"|\b(?:account |bank |current |available |credit |card )?balance\s+(?:is|stands at|of|amounts to|"
    r"remains)\s*[€$£]?\s?-?\d"
    r"|\b(?:stock(?: level)?|inventory|number of [\w ]{2,30}|queue length|open tickets|disk usage|cpu (?:load|usage)|"
    r"exchange rate|temperature|share price|stock price|wait(?:ing)? time)\s+(?:of [\w ]{1,30} )?(?:is|are|stands at|"
    r"stand at|at)\s+(?:now |currently |at )*[€$£]?\s?-?\d"
    r"|\b\d+\s+(?:\w+\s+){0,2}(?:units?|items?|pieces?|seats?|rooms?|copies|spots?|places|licen[cs]es)\s+(?:are |"
    r"is )?(?:left|remaining|available)\b|\b\d+\s+(?:\w+\s+){0,3}(?:are |is )?(?:left )?(?:in|on) stock\b|"
    r"\bthe weather (?:in [\w ]+ )?is\b",
    _CASELESS,
)
POINTS_AWAY = re.compile(
    r"^\W*(?:it|this|that|these|those|they|he|she|here)(?:['’]s|['’]re)?\s+(?:is|are|was|were|has|have|had|does|did|"
    r"will|would|can|could|should|needs?|wants?|likes?|works?|lives?|\w+s)\b"
    r"|\b(?:the above|as above|see above|see below|the following(?![^.]*:)|as (?:mentioned|discussed|said|"
    r"described) (?:above|before|earlier)|the (?:former|latter)|aforementioned|the same (?:one|thing))\b"
    r"|\b(?:likes?|loves?|hates?|prefers?|wants?|uses?|needs?|owns?|has|bought|chose|decided on|recommends?)\s+(?:it|"
    r"this|that|these|those|them|one|this one|that one|the other(?: one)?|him|her)\W*$",
    _CASELESS,
)
ONLY_A_POINTER = re.compile(
    r"(?:it|this|that|these|those|them|him|her|one|this one|that one|there|here|yes|no|ok|something|someone|things?|"
    r"stuff)",
    _CASELESS,
)
RELATIVE_DAY = re.compile(r"\b(?:tomorrow|yesterday|tonight|the day after tomorrow|last night)\b", _CASELESS)
# One word that names nothing by itself, whatever letter it begins with; a day may be what a song is called.
POINTS_ALONE = re.compile(
    rf"{ONLY_A_POINTER.pattern}|he|she|they|i|me|we|us|you|who|what|maybe|perhaps|probably|now|later|soon", _CASELESS
)
DAY_ALONE = re.compile(rf"{RELATIVE_DAY.pattern}|today", _CASELESS)
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ][\w'’-]*|\d[\w.:-]*")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\u2e80-\ud7ff\uf900-\ufaff]")


def is_fragment(claim: str) -> bool:
    """Fewer than three words say nothing by themselves; scripts that write no spaces are taken as they are."""
    return not _OTHER_SCRIPT.search(claim) and len(_LATIN_WORD.findall(claim)) < 3
