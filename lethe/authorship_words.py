"""The wordings by which foreign text in a turn is known; see `authorship`."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as one string."""
    return frozenset(text.split())


_CASELESS = re.IGNORECASE
_LINES = re.IGNORECASE | re.MULTILINE

_TEXT_NOUN = (
    r"(?:text|mail|e-?mail|message|letter|page|article|notes?|post|log|review|paragraph|passage|story|poem|draft|transcript|"
    r"document|essay|speech|report|description|minutes|sentences?|phrase|quote|quotation|tweet|comment|chat|conversation|"
    r"dialogue|dialog|lyrics|abstract|excerpt|snippet|translation|summary|bio|caption|statement|line|reply|answer|instructions?|"
    r"prompt|contract|clause|joke|headline|memo|cover letter)"
)
_REWORK = (
    r"(?:translate|summari[sz]e|sum up|proof-?read|shorten|rephrase|rewrite|reword|paraphrase|correct|edit|polish|spell-?check|"
    r"grammar-?check|condense|simplify|tl;?dr|interpret|transcribe|decipher|classify|"
    r"repeat|reply to|respond to|improve|fix|analy[sz]e|explain|comment on|review|check|read|critique|continue|finish|complete|"
    r"format|convert|quote|cite)"
)
_ASKING = (
    r"(?:please|kindly|now|just|can you|could you|would you|will you|can we|help me(?: to)?|i need you to|i(?: would|['’]d) like you to|"
    r"i want you to|i need help to|let['’]s|and|then|hey|hi|ok(?:ay)?)"
)
_REQUEST = rf"(?:^|(?<=[.!?:;,\n])[^\S\n]*)(?:[-*•]\s*)?(?:{_ASKING}[,\s]++){{0,8}}{_REWORK}\b"
_IN_HOW = r"(?:[\s,]+(?:for me|please|to|into|in|as|so that|with|at|by|if|and|that|from|once|again|a bit|quickly)\b[^.!?:\n]{0,60})?"
# What follows is somebody's text, or a text as such, and no statement of the author.
AFTER_A_REQUEST = re.compile(
    # "Translate to German: …"
    rf"{_REQUEST}[^.!?:\n]{{0,80}}:\s*(?=\S)"
    # "Please proofread this. …", "Can you rewrite the following mail in a formal tone? …"
    rf"|{_REQUEST}\s+(?:me\s+)?(?:this|these|the following|the|my|that|below)(?:\s+(?:short|long|following|little|whole|\w+ing))?"
    rf"(?:(?<=this)|(?<=these)|(?<=following)|(?<=below)|\s+(?:\w+\s+)?{_TEXT_NOUN}(?:(?:\s+I\s+\w+)?\s+below|\s+here)?(?<!the mail)(?<!my mail))"
    rf"{_IN_HOW}\s*[.!?:]+\s+(?=\S)"
    rf"|{_REQUEST}(?:\s+(?:this|these|it|the following|below))?{_IN_HOW}\s*\n\s*(?=\S)"
    # "Translate into German I live …"
    r"|\btranslate\s+(?:this\s+)?(?:in)?to\s+\w+\s+(?=(?:I|my|we|our)\b)"
    # "Is the following sentence correct? …"
    rf"|\b(?:the following|this)\s+{_TEXT_NOUN}\b[^.!?:\n]{{0,60}}(?:\?|:)\s*(?=\S)"
    r"|\bwhich (?:\w+ )?(?:is|sounds|reads) (?:better|right|correct|best|nicer|more \w+)\b[^.!?:\n]{0,30}:\s*(?=\S)"
    # "Here is what she wrote:", "I got this from Ann: …", "Ann's message: …", "She goes, …"
    rf"|\b(?:this|these|the|following|below)\b[^.!?\n]{{0,60}}\b{_TEXT_NOUN}\b[^.!?\n]{{0,40}}:[ \t]*\n\s*(?=\S)"
    r"|(?<!\bI )\b(?:wrote|says|said|reads|reply|replied|states|texted|texts|told|tells|messaged|e-?mailed|shouted|posted|tweeted|announced|whispered|here is what|here['’]s what)\b[^.!?\n]{0,40}:[ \t]*(?=\S|\n)"
    rf"|\b(?:here is|here are|here['’]s|below is)\s+(?:my|the|a|an|his|her|their|our|some|what)\b[^.!?:\n]{{0,30}}\b{_TEXT_NOUN}\b[^.!?:\n]{{0,30}}:\s*(?=\S)"
    r"|\b(?:the following|this|what follows|the rest)\s+(?:is|was|comes|came)\s+(?:from|by|written by|said by|a quote)\b[^.!?:\n]{0,40}[.:]\s*(?=\S)"
    rf"|(?:^|(?<=[.!?\n])[^\S\n]*)(?:(?:p\.?s\.?|dm|sms|{_TEXT_NOUN}|word|greetings|news)\s+from\s+[^.!?:\n]{{1,30}}|(?:to quote|quoting|quote from|in the words of)\s+[^.!?:,\n]{{1,30}}"
    rf"|in\s+[\w’']+['’]s\s+(?:own\s+)?words|(?:test|example|sample|dummy|practice)(?:\s+{_TEXT_NOUN})?|{_TEXT_NOUN}\s+(?:starts|begins)(?:\s+here)?"
    r"|quote|spell(?:ing)?[- ]?check|grammar(?:[- ]check)?|input|prompt|output|response)\s*[:,]\s*(?=\S)"
    r"|\b(?:turn|put|make|transform|change)\s+(?:this|the following|it)\b[^.!?:\n]{0,50}:\s*(?=\S)"
    r"|(?:^|(?<=[.!?\n])[^\S\n]*)(?:please\s+)?(?:translate|rewrite|reword|rephrase|paraphrase|summari[sz]e|convert|transcribe)\s+(?:in|into|to|as)\b[^.!?:\n]{0,40}[.!?]\s+(?=\S)"
    r"|\b(?:got|received|found|copied|read|saw|overheard|heard)\s+(?:this|that|the following)\b[^.!?:\n]{0,40}:\s*(?=\S)"
    rf"|\b[A-Z]\w+['’]s\s+(?:\w+\s+)?{_TEXT_NOUN}(?:\s+(?:was|is|to me))?:\s*(?=\S)"
    r"|\b(?:he|she|they|(?-i:[A-Z])\w+)\s+(?:goes|went|was like|is like|were like)\s*[,:]\s*(?=\S)",
    _LINES,
)
ASKED_ABOUT = re.compile(
    r"\bwhat\s+(?:does|do|did|would|could)\s+(?P<a>[^?\n]{3,300}?)\s+(?:actually |really )?(?:mean|stand for)\b"
    r"|\bhow\s+(?:do|would|can|should)\s+(?:you|i|we|one)\s+(?:say|write|spell|translate|put|phrase)\s+(?P<b>[^?\n]{3,300}?)\s+in\s+\w+\s*\?",
    _CASELESS,
)
MAKE_BELIEVE = re.compile(
    r"(?:^|(?<=[.!?:;,\n])[^\S\n]*)(?P<play>(?:(?:please|let['’]s|let us|now|can you|could you|i want you to|i want to|i(?: would|['’]d) like to|let me|"
    r"shall we|can we|we|ok(?:ay)?|so)[,\s]++){0,8}"
    r"(?:pretend|make believe|role-?\s?play|play (?:a|the) (?:role|game)|act as (?:if|though)|imagine (?:that )?(?:i['’]?m|i am|you are|you['’]re|we are|we['’]re)|"
    r"in this (?:role|story|game|scenario)|(?:write|tell|start|make up) a (?:story|poem|tale|song|play) (?:together|with me)|story time|"
    r"you are (?:a|an|the) \w+(?: \w+)? and i(?: am|['’]m) (?:a|an|the)|you are (?:now )?(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])\w+)*[.,;!]\s*(?:and\s+)?i(?: am|['’]m)\b"
    r"|(?:write|tell|compose|make up|start|begin)\b[^.!?\n]{0,60}\b(?:story|novel|tale|scene|monologue|script|poem|song|diary)\b[^.!?\n]{0,60}"
    r"(?:first[- ]person|starting with|beginning with|that (?:starts|begins) with|:))\b)"
    r"|(?P<also>\brole-?playing\b(?! (?:games?|campaigns?|groups?|sessions?|clubs?|nights?)))",
    _LINES,
)
SUPPOSED_SENTENCE = re.compile(
    r"(?:^|(?<=[.!?\n])[^\S\n]*)(?P<play>(?:(?:please|let['’]s|now|so|and|but|ok(?:ay)?)[,\s]++){0,8}(?:as a joke|for the sake of argument|"
    r"in (?:my|the|our|a|this) (?:story|novel|book|poem|song|dream|game|film|movie|play|screenplay|campaign|fan ?fiction|scenario)[,\s]+(?=I\b|my\b)|"
    r"in (?:another|a past|a previous|my next|a parallel) (?:life|world|universe|timeline)|my character\b|the (?:song|lyrics?|saying|proverb|poem|line) (?:goes|says|is)\b)\b)",
    _LINES,
)
FICTION = re.compile(
    r"\b(?:write|compose|draft|create|make up|tell(?: me)?|invent|generate|give me|sing|send|prepare)\b[^.!?\n]{0,80}"
    r"\b(?:poem|story|song|lyrics|novel|tale|limerick|haiku|dialogue|scene|sketch|fable|monologue|script|rap|ballad|joke|"
    r"mail|e-?mail|letter|message|text|note|post|tweet|speech)\b[^.!?\n]{0,60}?"
    r"(?P<play>\b(?:in which|where|about (?:how|when)|saying|that says|that reads|which says|stating|to say)\b|:)",
    _CASELESS,
)
FORWARDED = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:original message|forwarded message|forwarded by|original|forwarded)\b.*|begin forwarded message:?.*"
    r"|on .{4,80} wrote:[ \t]*|(?:from|von|sender): .+|(?:subject|betreff|re|fwd?): .+|sent: .+)$",
    _LINES,
)
LETTER_START = re.compile(
    r"^[ \t]*(?:dear\s+\S.{0,60}|(?:hi|hello|hey|good (?:morning|afternoon|evening))\s+(?-i:[A-Z])[\w.'’-]*(?:\s+(?-i:[A-Z])[\w.'’-]*)*)\s*[,!:]?[ \t]*$",
    _LINES,
)
LETTER_END = re.compile(
    r"^[ \t]*(?:(?:best|kind|warm|many|with (?:kind|best|warm))\s+)?(?:regards|wishes|greetings|sincerely(?: yours)?|yours(?: \w+)?|cheers|love|"
    r"thanks|thank you|best|all the best|take care)[,.!]?[ \t]*\n\s*[^\n]{1,60}$",
    _LINES,
)
_TIME = r"[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?[\])]?"
_DAY = r"[\[(]?\d{1,4}[-./]\d{1,2}[-./]\d{1,4},?[ T]*"
LABELLED = re.compile(
    rf"^[ \t]*(?P<at>(?:{_DAY})?{_TIME}[\s,\-–—]*)?(?:\*\*|__|<|\[)?@?(?P<who>(?-i:[A-Z])[\w.'’-]*(?:\s(?-i:[A-Z])[\w.'’-]*){{0,2}}|speaker \d+|(?-i:[a-z])[\w-]{{1,14}})"
    rf"(?:(?:\s*[\[(][^\])\n]{{1,30}}[\])])?(?:\*\*|__|\]|>)?\s*:(?:\*\*|__)?|\]|>)[ \t]+(?P<said>\S[^\n]*)$",
    _LINES,
)
ROLE_LABEL = re.compile(
    r"(?:^[ \t]*|(?<=[.!?\"”])\s+)(?:\*\*|__|\[|<\|?)?(?:user|assistant|human|ai|\w*bot|\w*gpt|llm|model|system|agent|"
    r"customer|client|support|interviewer|interviewee|caller|operator)(?:\*\*|__|\]|\|?>)?\s*:(?:\*\*|__)?\s+(?=\S)",
    _LINES,
)
MEMORY_NOTE = re.compile(
    r"^[ \t]*(?:[-*•>#]+\s*)?[\[(*_]{0,2}(?:(?:saved |stored |user |long-term |core )*memor(?:y|ies)(?: (?:entry|entries|update|note|bank)s?)?|"
    r"(?:user )?profile(?: update)?|notes? (?:to|for) (?:the )?(?:self|myself|ai|assistant|agent|model|memory|system|future \w+)|"
    r"(?:system|developer|admin) (?:note|message|prompt|instruction)s?|facts? about (?:the )?user)[\])*_]{0,2}\s*[:=]",
    _LINES,
)
# "The user lives in …"; "the user interface", "the user stories" are things of a program.
THIRD_PERSON = re.compile(
    r"(?:^|(?<=[.!?:\n\"“])[^\S\n]*)(?:[-*•]\s*)?(?:(?:please\s+)?(?:remember|note|save|store|know|record)\s+(?:that\s+)?)?the user(?:['’]s\s+(?!interface|table|stor)\w+)?\s+"
    r"(?:also |always |never |usually |currently |now |really )?"
    r"(?!(?:stories|settings|permissions|accounts|tables|roles|names|interviews|tests|guides|sessions|groups|types|ids|reviews|flows|needs|profiles|requests|inputs|actions|"
    r"interface|experience|id|needed|based)\b)(?:is|was|has|had|does|did|can|may|will|wants|(?-i:[a-z])+(?:s|ed))\b[^.!?\n]*(?:[.!?]+|$)",
    _LINES,
)
_ME = r"(?:I|I['’]\w+|my|we|we['’]\w+|our)"
_TOLD = (
    r"(?:said|says|told|tells|claimed|claims|mentioned|mentions|thinks|believes|insists|insisted|swears|reckons|wrote|writes|"
    r"texted|texts|announced|announces|states|stated|remarked|jokes|joked|keeps saying|kept saying|was saying|is saying)"
)
_NOT_I = (
    r"(?<!\bI )(?<!\bI’ve )(?<!\bI've )(?<!\bwe )(?<!\bWe )(?<!\bI just )(?<!\bI already )(?<!\bI have )(?<!\bI also )(?<!\bI always )"
    r"(?<!\bI had )(?<!\bI never )(?<!\bI once )(?<!\bas )(?<!\blike )(?<!\bI recently )(?<!\bI even )(?<!\bthat )(?<!\bwhich )"
)
ATTRIBUTED_BEFORE = re.compile(
    rf"(?:(?<![Aa]s )(?<![Ll]ike )\b[\w’']+\s+{_NOT_I}{_TOLD}|\b(?:am|was|were|been|being)\s+told|\b[Aa]s\s+(?!(?:I|you|we)\b)[\w’']+\s+(?:put it|said|says|wrote|told me|mentioned|claims)\s*,|\b[Qq]uoting\s+[\w’']+(?:\s+[\w’']+)?,)(?:\s+(?:to\s+)?(?:me|us|you|everyone|him|her|them|the \w+))?+(?:\s+(?:yesterday|today|once|again|earlier|last \w+))?+,?"
    rf"(?:\s+that)?+(?=\s+(?:(?:(?:maybe|perhaps|today|now|yesterday|once|how|if|where|when|because|and|but|all|both|apparently|then),?\s+)?{_ME}\b|to\s+(?:always|never)\b|always\b|never\b))"
    r"|\b[Aa]ccording to\s+(?!me\b)[\w’']+(?:\s+[\w’']+){0,3}?\s*,",
)
ATTRIBUTED_AFTER = re.compile(
    rf"[\"”]?,[\"”]?\s+(?:(?:said|says|claimed|claims|wrote|writes|insists|insisted)\s+(?!I\b|that\b)(?:my |the |our |his |her )?[\w’']+"
    rf"|(?!(?:I|we|as|like|which|that|so)\b)(?:(?:my|the|our)\s+)?[\w’']+\s+{_TOLD}(?:\s+(?:me|us|once|yesterday))?|according to\s+(?!me\b)[^.!?]{{2,40}})(?:\s+(?:in|on|at|to)\s+[^.!?,]{{1,30}})?\s*[.!?…]*\s*$",
)
TITLE_BEFORE = re.compile(
    r"(?:called|named|titled|entitled|motto|song|book|film|movie|novel|poem|quote|album|series|show|play|game|painting|article|"
    r"podcast|band|project|paper|course|chapter)\W{0,3}$",
    _CASELESS,
)

# Labels of what a line is about, and not of who says it.
_TOPICS = words(
    "note notes update edit correction ps p.s question questions context background fyi deadline name names goal "
    "goals reminder summary example task tasks todo budget hobbies hobby work job jobs role diet allergies allergy "
    "location city country age birthday language languages preference preferences instruction instructions rule "
    "rules style tone format topic subject title date time place who what when where why how problem issue error "
    "result results status plan plans step answer hint warning important project team version stack frontend "
    "backend database tools tool environment setup hardware software os address phone email e-mail contact "
    "education school university degree skills skill experience family pets pet kids wife husband partner mother "
    "father sister brother home house car music food drink coffee tea breakfast lunch dinner sports sport health "
    "weight height monday tuesday wednesday thursday friday saturday sunday january february march april may june "
    "july august september october november december today yesterday tomorrow morning evening weekend summer winter "
    "spring autumn pros cons option options reason reasons idea ideas fact facts details detail info information "
    "request requirement requirements conclusion introduction disclaimer spoiler also besides however yes no ok "
    "okay thanks remember please sorry actually btw first second third finally lastly next anyway honestly "
    "basically seriously decision decisions agenda minutes dislikes likes favourite favorite favourites favorites "
    "interests passion profession occupation employer company industry"
)
_DETERMINERS = words("my the our your a an this that i")
_ABSTRACT = re.compile(r"(?:tion|sion|ment|ness|ity|ing|ance|ence|ology|ware|ship|ism|ure)s?$", _CASELESS)


def is_topic(label: str) -> bool:
    """ "Budget" or "My Diet" is what a line is about; "Ann" or "Bob Lee" is who says it."""
    parts = label.casefold().split()
    topic = any(part.strip(".'’-") in _TOPICS or _ABSTRACT.search(part) for part in parts)
    return topic or (len(parts) > 1 and parts[0] in _DETERMINERS)
