"""Facts that the law calls special: held until the user consents, where they concern the user or the user's relations.

Words alone say little ("works on a diabetes app"); each category asks for somebody to have, be or do it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from policies.plain import as_it_reads

_CONDITIONS = (
    r"diabet\w*|cancer|tumou?r|leuka?emia|lymphoma|asthma\w*|epilep\w*|depress(?:ion|ed|ive)|anxiety disorder|"
    r"panic attacks?|bipolar(?! \w*(?:transistor|junction|plate|electrode))|schizophreni\w*|adhd|autis\w*|asperger\w*|"
    r"dementia|alzheimer\w*|parkinson\w*|multiple sclerosis|arthritis|rheumati\w*|migraines?|hiv|aids|hepatitis|"
    r"herpes|chlamydia|tuberculosis|stroke|heart (?:attack|disease|condition|failure|problems?)|"
    r"high blood pressure|hypertension|hypothyroid\w*|thyroid|crohn\w*|colitis|ibs|endometriosis|pcos|infertil\w*|"
    r"miscarriage|menopaus\w*|pregnan(?:t|cy)|ptsd|ocd|"
    r"anorexi\w*|bulimi\w*|eating disorder|addict(?:ion|ed)|alcoholi\w*|burn-?out|insomnia|sleep apn[oe]ea|"
    r"chronic (?:pain|fatigue|illness|disease|condition|sinusitis|bronchitis|inflammation|cough|back pain)|"
    r"fibromyalgia|"
    r"disab(?:led|ility)|wheelchair|paraly[sz]\w*|amput\w*|dyslexi\w*|tourette\w*|psoriasis|eczema|lupus|sciatica|"
    r"slipped disc|hernia|kidney (?:disease|failure|stones?)|dialysis|cirrhosis|covid|long covid|"
    r"colou?r-?blind|hearing loss|deaf|tinnitus|glaucoma|concussion|abortion|suicid\w*|self-harm\w*|overdose|"
    r"seizures?|an(?:a)?emi[ac]|blood type|blood pressure|cholesterol"
)
_TREATMENTS = (
    r"medication|meds|antidepressants?|insulin|chemo(?:therapy)?|radiotherapy|dialysis|surgery|an operation|"
    r"psychotherapy|therapist|psychiatrist|psychologist|"
    r"oncologist|cardiologist|neurologist|fertility (?:clinic|treatment)|ivf|rehab|methadone|lithium|ritalin|prozac|"
    r"zoloft|sertraline|fluoxetine|metformin|statins?|"
    r"beta blockers?|blood thinners?|antibiotics|pacemaker|biopsy|mri|ct scan|prescriptions?(?! (?:for )?(?:glasses|"
    r"lenses|sunglasses))|hormone (?:therapy|"
    r"replacement)"
)
_HAS = (
    r"(?:has|have|had|having|suffer(?:s|ed|ing)? from|diagnosed with|liv(?:es|ing) with|recover(?:s|ed|ing) from|"
    r"treated for|being treated for|surviv(?:es|ed) (?:a |an )?|battl(?:es|ing)|fights?|"
    r"is|are|was|am|were|became|got|gets|takes? (?:\w+ )?for|because of|due to|struggl(?:es|ing) with|"
    r"family history of|died of|caught|contracted|went through)"
)

_PATTERNS: dict[str, tuple[str, ...]] = {
    "health": (
        rf"\b{_HAS}\s+(?:[\w'’-]+\s+){{0,4}}?(?:{_CONDITIONS})\b",
        r"\b(?:takes?|taking|on|needs?|prescribed|uses?|started|starts|undergo(?:es|ing)?|having|had|has|sees?|"
        rf"seeing|gets?|getting|stopped|scheduled for)\s+(?:[\w'’-]+\s+){{0,3}}?(?:{_TREATMENTS})\b",
        r"\bsober for\b|\brelaps(?:ed?|ing)\b|\brecover(?:s|ed|ing) from (?:\w+ ){0,3}(?:surgery|operation|illness|"
        r"injury|stroke|covid)\b|\bgo(?:es|ing)? through (?:ivf|chemo\w*|rehab|menopause|withdrawal)\b",
        r"\b(?:broke|fractured|tore|sprained|dislocated)\s+(?:an?|his|her|their|the user['’]s|"
        r"my)\s+(?:\w+\s+)?(?:leg|arm|ankle|wrist|rib|hip|collarbone|foot|finger|knee|ligament|nose|back|shoulder)\b",
        r"\bdiagnos(?:ed|is)\b|\bhospitali[sz]ed\b|\b(?:his|her|their|my|user['’]s|"
        r"user['’]s \w+['’]s)\s+(?:\w+\s+)?(?:illness|disease|diagnosis|disorder|condition is|therapy|symptoms|"
        r"medical history|mental health|health condition)\b",
    ),
    "religion": (
        r"\b(?:is|are|was|am|be|became|as|raised|grew up|a (?:devout|practi[sc]ing|lapsed|strict|"
        r"non-?practi[sc]ing))\s+(?:an?\s+|raised\s+)?(?:\w+\s+)?(?:catholic|protestant|christian|muslim|jewish|jew|"
        r"hindu|buddhist|sikh|mormon|"
        r"atheist|agnostic|anglican|lutheran|methodist|baptist|evangelical|orthodox christian|quaker|jain|wiccan|"
        r"pagan|baha['’]i|zoroastrian|jehovah['’]s witness)\b",
        r"\b(?:convert(?:s|ed|ing)? to (?:islam|judaism|christianity|catholicism|buddhism|hinduism)|"
        r"believes? in (?:god|allah|jesus)|religious beliefs?|religion is|faith is|(?:goes|go|going|"
        r"went) to (?:church|mass|mosque|synagogue|temple|confession)|"
        r"prays?\b|praying|attends? (?:church|mass|mosque|synagogue|temple|friday prayers?)|fast(?:s|ing)? (?:during|"
        r"for|in) (?:ramadan|lent)|observes? (?:ramadan|lent|shabbat|the sabbath)|was baptised|was baptized)",
    ),
    "sexuality": (
        r"\b(?:is|are|am|as|be|identif(?:y|ies) as|came out as|coming out as|come out as)\s+(?:an?\s+|"
        r"openly\s+)?(?:gay|lesbian|bisexual|bi|queer|asexual|pansexual|homosexual|heterosexual|straight|transgender|"
        r"trans|non-?binary|genderqueer|intersex)\b(?!\s*(?:ahead|forward|line|a?way|atlantic))",
        r"\bsexual (?:orientation|preference|partner|life|history|identity)\b|\bsex life\b|\bgender (?:identity|"
        r"transition)\b|\bpolyamorous\b|\bcame out to\b",
    ),
    "politics": (
        r"\b(?:votes?|voted|voting|will vote|campaign(?:s|ed|ing)|canvass\w*)\s+for\s+(?:the\s+)?(?:(?-i:[A-Z]\w+)|"
        r"\w+ party|labour|greens?|left|right|conservatives?|democrats?|republicans?|socialists?|liberals?)",
        r"\b(?:member|supporter|activist|candidate|voter)\s+(?:of|for|in)\s+(?:the\s+)?(?:[\w-]+\s+){0,3}?(?:party|"
        r"greens|democrats|republicans|conservatives|labour|liberals|social democrats)\b|\bparty member(?:ship)?\b",
        r"\b(?:is|are|am|identif(?:y|ies) as|as)\s+(?:an?\s+)?(?:\w+\s+)?(?:conservative|socialist|communist|marxist|"
        r"anarchist|libertarian|republican|democrat|social democrat|monarchist|nationalist|left-?wing(?:er)?|"
        r"right-?wing(?:er)?|left-leaning|right-leaning)\b",
        r"\bpolitical (?:views?|opinions?|beliefs?|affiliation|leaning)s?\b|\b(?:pro-life|pro-choice)\b",
    ),
    "union": (
        r"\b(?:trade|labou?r|workers['’]?|teachers['’]?|nurses['’]?|railway|metalworkers['’]?)\s+union\b|"
        r"\bunion (?:member(?:ship)?|rep(?:resentative)?|steward|organi[sz]er|dues|card)\b|\bshop steward\b|"
        r"\bunioni[sz]ed?\b",
        r"\b(?:member of|joined|joins|belongs? to|pays? dues to|active in|organi[sz]es for|left|leaving)\s+(?:a|the|"
        r"my|our|his|her|"
        r"their)?\s*(?:\w+\s+)?(?<!european )(?<!credit )(?<!student )(?<!students )(?<!soviet )union\b",
    ),
    "biometrics": (
        r"\b(?:fingerprints?|voice-?prints?|face-?prints?|retinal?|iris|palm|facial|face)\s+(?:scans?|templates?|"
        r"data|images?|prints?|recognition data|patterns?)\b|\bbiometric (?:data|templates?|scans?|samples?|records?|"
        r"profiles?|passport data)\b",
        r"\b(?:dna|genetic|genome|genomic)\s+(?:tests?|profiles?|results?|data|samples?|sequence|markers?|"
        r"predisposition)\b|\bgenome (?:was|is) sequenced\b",
    ),
}  # fmt: skip
_CATEGORIES = {name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in _PATTERNS.items()}

_CONSTRAINT = re.compile(
    r"\b(?:allerg(?:y|ies|ic)|intoleran(?:t|ce)|vegan|vegetarian|pescatarian|coeliac|celiac|gluten-free|lactose|"
    r"dairy-free|nut-free|halal|kosher|keto|low-carb|low-fodmap|diet(?:ary)?|"
    r"(?:does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|never|no longer)\s+(?:eat|drink|have)\s+\w+)\b",
    re.IGNORECASE,
)
# Work on a subject says nothing about the worker.
_AT_ARM_S_LENGTH = re.compile(
    r"\b(?:works?|working|worked|stud(?:y|ies|ied|ying)|teach(?:es|ing)?|taught|research(?:es|ing)?|writ(?:es|ing)|"
    r"wrote|build(?:s|ing)?|built|develop(?:s|ed|ing)?|read(?:s|ing)?|volunteer(?:s|ed|ing)?|donat(?:es|ed|ing)|"
    r"design(?:s|ed|ing)?|manag(?:es|ed|ing)|sells?|covers?|reports? on|raises? money|speciali[sz]es|job|project|app|"
    r"dataset|thesis|novel|article|paper|course|client|customers?|patients|lecture|podcast|documentary|exhibition|"
    r"architecture|museum|concert|tour|fundrais\w*|charity|browser|ssh|key|certificate|git)\b",
    re.IGNORECASE,
)
_AN_ANIMAL = re.compile(
    r"\b(?:cat|dog|horse|mare|cow|rabbit|hamster|guinea pig|puppy|kitten|goat|sheep|pet)s?(?:['’]s)?\s+(?:\w+\s+)?(?:is|was|has|had|are|were|takes?|needs?)\b",
    re.IGNORECASE,
)
_A_NAME = re.compile(r"\bnames?\s+(?:is|are|was)\b|\b(?:is|are) (?:called|named)\b", re.IGNORECASE)
_RELATION = re.compile(
    r"\b(?:mother|mum|mom|father|dad|parents?|brothers?|sisters?|siblings?|sons?|daughters?|child(?:ren)?|kids?|baby|"
    r"husband|wife|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|cousins?|aunts?|uncles?|nieces?|nephews?|"
    r"grand(?:mother|father|ma|pa|son|daughter|parents?|children)|(?:step|half|in)-?\w*(?:mother|father|brother|"
    r"sister|son|daughter)|in-laws?|famil(?:y|ies)|relatives?|twins?|ex|flatmates?|friends?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sensed:
    """What a claim touches. `categories`: special ones; `constraint`: an allergy, a diet; `related`: the user's own circle."""

    categories: frozenset[str]
    constraint: bool
    related: bool


def sense(claim: str, subject: str) -> Sensed:
    """Look at a claim, as it reads, and whom it is about."""
    claim, subject = as_it_reads(claim), as_it_reads(subject)
    related = subject.casefold() in ("user", "the user", "i", "me") or bool(
        _RELATION.search(subject)
        or re.search(rf"\b(?:user['’]s|my|our)\s+(?:\w+\s+)?{_RELATION.pattern[2:]}", claim, re.IGNORECASE)
    )
    if _AN_ANIMAL.search(claim) or _A_NAME.search(claim):
        return Sensed(frozenset(), bool(_CONSTRAINT.search(claim)), related)
    if _AT_ARM_S_LENGTH.search(claim) and not re.search(r"\bdiagnosed\b|\bsuffer", claim, re.IGNORECASE):
        return Sensed(frozenset(), bool(_CONSTRAINT.search(claim)), related)
    found = frozenset(name for name, pattern in _CATEGORIES.items() if pattern.search(claim))
    return Sensed(found, bool(_CONSTRAINT.search(claim)), related)
