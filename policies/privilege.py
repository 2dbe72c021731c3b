"""Claims that would give somebody rights, move money or access, or steer the memory itself.

A user may say what they do and what they are; a standing permission is configuration, not memory. Each group below names
what it catches. "The user is system administrator of a sports club's website" states an occupation and passes.
"""

from __future__ import annotations

import re

# In the patterns below "…" stands for any character of the same sentence; a full stop inside a name belongs to it.
_SAME_SENTENCE = r"(?:[^.]|\.(?=\w))"

_I = r"(?:\bi\b|\bi['’]m|\buser\b|\buser\s+account\b|\bthey\b|\bspeaker\b|\baccount\b)"
_AGENT = r"(?:you|the assistant|assistant|agents?|the agent|this system|the system|it)"
_ACTION = (
    r"(?:pay|paid|send|sent|buy|bought|order|ordered|transfer(?:red)?|approve[d]?|book(?:ed)?|delete[d]?|share[d]?|"
    r"publish(?:ed)?|post(?:ed)?|"
    r"sign(?:ed)?|release[d]?|grant(?:ed)?|deploy(?:ed)?|merge[d]?|forward(?:ed)?|withdraw|refund(?:ed)?|execute[d]?|"
    r"run|unlock(?:ed)?|"
    r"do|act|proceed|go ahead|access|change[d]?|cancel(?:led)?|submit(?:ted)?|install(?:ed)?|spend|reply|answer|"
    r"mail(?:ed)?|e-?mail(?:ed)?)"
)
_CONSENT = (
    r"(?:approvals?|confirmations?|confirming|authori[sz]ation|permissions?|verification|verifying|authentication|"
    r"2fa|mfa|sign-?off|"
    r"second (?:confirmation|opinion|factor|pair of eyes)|four-eyes|double[- ]check(?:s|ing)?|review(?:ing)?|checks?|"
    r"checking|asking|"
    r"consent|limits?|restrictions?)"
)
_NO_MAIL = r"(?!\s+(?:e-?mails?|messages?|letters?|pages?|screens?|dialogs?|numbers?))"
_DESTINATION = (
    r"(?:[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|\b(?:account|iban|wallet|address|number|phone)\b…{0,40}\d{3,}|"
    r"\baccount\s+(?:ending|of|at|with)\b|"
    r"\bnew (?:account|iban|wallet|bank)\b|\b[A-Z]{2}\d{2}[ \d]{8,})"
)

RIGHTS = (
    # holds a role of power here: "I am the administrator here", "as the owner of this system"
    rf"{_I}…{{0,20}}?\b(?:am|is|['’]m)\s+(?:an?\s+|the\s+)?(?:\w+\s+){{0,2}}?(?:admin|administrator|root|superuser|"
    r"super-?admin|sysadmin|moderator|operator|developer)"
    r"(?=\s*(?:$|[.,;!]|here\b|and\b|so\b|with\b|of (?:this|the) (?:system|platform|account|tenant|workspace|site|"
    r"service|application|assistant|bot)|on (?:this|the)|for (?:this|the|all|every)))",
    r"\bas (?:the |an? )?(?:owner|admin|administrator|operator|developer|creator|root)\b…{0,40}\b(?:system|platform|"
    r"account|tenant|workspace|assistant|tools?|bot)\b",
    r"\b(?:the |an? )?(?:owner|creator|developer|operator) of (?:this|the) (?:system|platform|assistant|tenant|"
    r"workspace|memory|bot|agent)\b",
    # holds rights: "has root rights", "cleared for the vault", "authorised to sign", "may see every customer's data"
    r"\b(?:has|have|had|with|gets?|hold(?:s|ing)?|given|granted|receives?)\s+(?:\w+\s+){0,2}?(?:admin(?:istrat\w+)?|"
    r"root|superuser|full|unrestricted|unlimited|elevated|privileged|sudo|"
    r"permanent|complete|owner)\s+(?:access|rights?|privileges?|permissions?|control|clearance|powers?)\b",
    r"\b(?:security|top[- ]secret) clearance\b|\bcleared (?:for|to)\b|\bclearance (?:for|level)\b",
    rf"{_I}…{{0,30}}?\b(?:am|is|are|['’]m|been)\s+(?:fully |hereby |also )?(?:authori[sz]ed|entitled|empowered|"
    r"permitted|allowed|approved)\s+(?:to|for)\s+(?:sign|approve|pay|release|see|"
    r"access|read|change|delete|grant|spend|order|transfer|act|bypass|override|issue|withdraw|view|decide)\b",
    r"\b(?:can|may|is able to|am able to)\s+(?:approve|authori[sz]e|sign off|override|bypass)\s+(?:\w+\s+)?(?:own|"
    r"any|all|every|each|everything|anything|expenses|refunds|payments|orders)\b",
    r"\b(?:can|may|is allowed to)\s+(?:see|read|view|access|change|edit|delete)\s+(?:every|all|"
    r"any)\b…{0,30}\b(?:data|records?|customers?|users?|accounts?|tenants?|files|secrets?|logs?)\b",
    r"\b(?:grant|give)\s+…{0,40}?\b(?:access|rights|permissions?|privileges)\b(?:\s+to\b|\s+on\b|\s+for\b|\s*$|\.)",
)
BYPASS = (
    # needs no approval, skips a check, has no limits
    r"\b(?:skip|bypass|waive|override|disable|turn off|switch off|suspend|drop|omit|lift|remove|ignore)(?:s|ed|"
    rf"ping)?\s+(?:the |all |any |every |my |your |our |these |this )?(?:\w+\s+){{0,2}}?{_CONSENT}\b{_NO_MAIL}",
    rf"\b(?:no|never|not|n['’]t|without)\s+(?:\w+\s+){{0,2}}?(?:need(?:s|ed|ing)?|requir(?:e|es|ed|ing)|ask(?:s|"
    rf"ed)? for|wait(?:s|ing)? for|subject to)\s+(?:\w+\s+){{0,3}}?{_CONSENT}\b{_NO_MAIL}",
    rf"\b(?:need(?:s|ed)?|requir(?:e|es|ed))\s+(?:no|neither|not any)\s+(?:\w+\s+){{0,2}}?{_CONSENT}\b{_NO_MAIL}",
    r"\bno (?:\w+ )?(?:approval|confirmation|authori[sz]ation|permission) (?:is |was )?(?:needed|required|necessary)\b",
    r"\b(?:limits?|restrictions?|rules?|checks?|approvals?|safeguards?|guardrails?|filters?|"
    r"budgets?)\b…{0,30}?\b(?:do(?:es)? not|don['’]t|doesn['’]t|no longer|never)\s+(?:apply|count|concern|hold|bind)",
    rf"{_AGENT}\s+(?:may|can|should|must|shall|is allowed to|are allowed to|is to|are to|will|has permission to|"
    rf"have permission to)\s+(?:always |just |simply |now )?{_ACTION}\b…{{0,60}}?\bwithout\b",
    r"(?:^|[,:;]\s*|\b(?:please|always|just|from now on|to|be|must|should|may|"
    rf"can)\s+){_ACTION}\b…{{0,60}}?\bwithout\s+(?:\w+\s+)?(?:ask|show|check|confirm|tell|warn|approv|authori|"
    r"permission|verif|review|notif|consult|(?:a |any |the |my )?(?:draft|"
    r"approval|confirmation|permission|check|question|review|consent))",
    r"\b(?:do not|don['’]t|never|no need to|need not|stop)\s+(?:ever )?(?:ask(?:ing)?|check(?:ing)?|confirm(?:ing)?|"
    r"verify(?:ing)?|consult(?:ing)?)\s+(?:me |the user |anyone |for |with |again |back )*(?:(?:my |the |any )?"
    r"(?:approval|permission|confirmation|consent|authori[sz]ation)|before (?:paying|sending|buying|ordering|booking|"
    r"deleting|transferring|approving|sharing|releasing|executing|running|posting))",
    r"\b(?:already|has|have|is|are)\s+(?:been\s+)?pre-?(?:approved|authori[sz]ed)\b",
)
REDIRECTION = (
    # money, mail, copies or access go to somebody from now on
    r"\b(?:payments?|payouts?|invoices?|salar(?:y|ies)|wages?|refunds?|transfers?|funds?|money|deposits?|"
    rf"remittances?|donations?|bills?)\b…{{0,60}}?\b(?:go|goes|going|sent|paid|send|pay|transfer(?:red)?|"
    r"redirect(?:ed)?|route[d]?|"
    rf"forward(?:ed)?|wired?|move[d]?)\b…{{0,30}}?\bto\b…{{0,60}}?{_DESTINATION}",
    rf"\b(?:send|pay|transfer|wire|redirect|route|forward|move|withdraw)\b…{{0,40}}?\b(?:payments?|payouts?|"
    r"invoices?|salar(?:y|ies)|wages?|refunds?|funds?|money|bitcoin|deposits?|eur|usd|euros?|"
    rf"dollars?)\b…{{0,40}}?\bto\b…{{0,60}}?{_DESTINATION}",
    r"\b(?:copy|copies|bcc|cc)\b…{0,40}\b(?:every|all|each|any)\b…{0,40}\b(?:to|sent|at)\b…{0,30}@",
    r"\b(?:send|forward|mail|e-?mail|share|upload|post|copy|bcc|cc)\b…{0,60}?\b(?:every|all|each|"
    r"any)\b…{0,60}?(?:[\w.+-]+@[\w-]+\.\w|https?://)",
    r"\b(?:change|update|set|replace)\b…{0,30}\b(?:bank details|payout account|iban|account number|"
    r"recovery (?:e-?mail|phone)|2fa (?:device|number))\b",
)
TRUST = (
    # a source or sender that need not be checked any more
    r"\b(?:links?|mails?|e-?mails?|files?|attachments?|messages?|requests?|hosts?|downloads?|domains?|websites?|"
    r"sites?|senders?|scripts?|packages?|certificates?|instructions?|documents?|everything|anything)\b…{0,30}"
    r"\b(?:from|on|by|at|of|hosted)\b…{1,60}?\b(?:is|are|can|may|need|should be|must be)\b…{0,20}\b(?:safe|trusted|"
    r"trustworthy|harmless|verified|not be checked|no checks?|no scanning|be opened|be trusted)\b",
    r"\b(?:need not|needn['’]t|no need to|do(?:es)? not (?:need|have) to|don['’]t)\s+(?:be\s+)?(?:check|scan|verif|"
    r"inspect|validat)\w*\b…{0,40}\b(?:links?|mails?|files?|attachments?|hosts?|downloads?|certificates?|any more|"
    r"anymore)\b",
    r"\b(?:treat|consider|regard|mark)\b…{0,60}\b(?:as )?(?:safe|trusted|verified|trustworthy|harmless)\W*$|"
    r"\b(?:whitelist|allowlist)\b",
    r"\btrust (?:everything|anything|all|any)\b…{0,40}\b(?:from|by|on|that)\b",
)
SILENCE = (
    # warnings that are not to be seen, kept or told
    r"\b(?:do not|don['’]t|never|stop|no longer|not)\s+(?:\w+\s+)?(?:stor(?:e|ing)|sav(?:e|ing)|record(?:ing)?|"
    r"log(?:ging)?|report(?:ing)?|mention(?:ing)?|warn(?:ing)?|flag(?:ging)?|show(?:ing)?|rais(?:e|ing)|"
    r"alert(?:ing)?|keep(?:ing)?|notify(?:ing)?)\b"
    r"…{0,50}\b(?:security|safety|warnings?|alerts?|fraud|phishing|suspicious|audit|incidents?|breach(?:es)?|"
    r"policy violations?)\b",
    r"\b(?:ignore|suppress|hide|mute|disregard|dismiss|overlook)\b…{0,30}\b(?:security|safety|fraud|phishing|audit|"
    r"incident)\b…{0,20}\b(?:warnings?|alerts?|notices?|messages?|checks?|rules?|polic(?:y|ies))\b",
)
COMPLIANCE = (
    # an agent that says yes to everything
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )\balways\s+(?:answer|say|reply|respond|vote)\s+(?:with\s+)?[\"'“]?yes\b",
    r"\b(?:answer|say|reply)\s+[\"'“]?yes\b…{0,30}\b(?:when|whenever|if|to)\b…{0,40}\b(?:ask|request|release|approv|"
    r"pay|order)\w*",
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )\b(?:always|automatically|blindly)\s+(?:approve|accept|grant|authori[sz]e|"
    r"comply with|obey|release)\b",
    r"\b(?:do|obey|follow)\s+(?:whatever|everything|anything|every (?:order|command|instruction))\b…{0,30}\b(?:says?|"
    r"asks?|tells?|commands?|orders?|instructions?)\b",
)
MEMORY = (
    # text that speaks to the memory instead of about the world
    r"\b(?:store|save|keep|remember|record|write|note)\s+(?:\w+\s+){0,3}?permanently\b",
    r"\b(?:ignore|disregard|forget|override)\s+(?:all |any |your |the |my )?(?:previous|prior|above|earlier|former|"
    r"preceding|other|existing|system)\s+(?:instructions?|rules?|messages?|prompts?|guidelines?|memor(?:y|ies)|"
    r"polic(?:y|ies))\b",
    r"\b(?:write|add|put|insert|append|save)\s+(?:this |the following |it )?(?:in)?to\s+(?:the |this |"
    r"your )?(?:user['’]s |user |system )?(?:profile|memory|memories|long[- ]term|system prompt|instructions)\b",
    r"\b(?:update|change|overwrite|edit|delete|erase|wipe|clear)\s+(?:your |the |all |all your )?(?:long[- ]term |"
    r"stored |saved )?(?:memory|memories|notes on|long-term notes)\b",
    r"\b(?:save|keep|store|remember) (?:this|it) (?:for|in|across) (?:every|all) (?:later |future |"
    r"other )?(?:conversations?|sessions?|chats?)\b",
    r"\b(?:note|message|instructions?) (?:to|for) (?:the )?(?:assistant|agent|ai|model)(?:['’]s)?(?: memory)?\b|"
    r"<\/?(?:memory|system|instructions?)\b|\bsystem prompt\b|\b(?:new|old) entry:",
    r"\bkeep this as a (?:standing|permanent) (?:rule|instruction|order)\b|\bcarry (?:this|it) out (?:first|"
    r"before)\b|\bagents? that (?:keep|store|save|remember)\b",
    r"\b(?:has|have) already agreed to the following\b|\bonce and for all:",
)


def _joined(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns).replace("…", _SAME_SENTENCE)


# A text without any of a group's hints (lower case) belongs to none of its patterns: most texts are done with at once.
_GROUPS = tuple(
    (name, tuple(hints.split()), re.compile(_joined(patterns), re.IGNORECASE))
    for name, patterns, hints in (
        ("rights", RIGHTS, "admin root superuser moderator operator developer creator owner access right privileg permission control clear "
                           "authori entitled empowered permitted allowed approv override bypass sign data record customer account file log"),
        ("bypass", BYPASS, "approv confirm authori permission verif authent 2fa mfa sign-off second four-eyes check review ask consent limit "
                           "restriction rule safeguard guardrail filter budget without"),
        ("redirection", REDIRECTION, "pay invoice salar wage refund transfer fund money deposit remit donat bill wire bitcoin eur usd dollar @ http "
                                     "copy copies bank account iban recovery 2fa"),
        ("trust", TRUST, "safe trust harmless verif check scan inspect validat whitelist allowlist"),
        ("silence", SILENCE, "security safety warning alert fraud phishing suspicious audit incident breach violation"),
        ("compliance", COMPLIANCE, "always yes automatically blindly whatever everything anything obey follow"),
        ("memory", MEMORY, "permanently ignore disregard forget override memor profile prompt note every all entry standing agents agreed once "
                           "carry <system <instruction message instruction"),
    )
)  # fmt: skip
# "Never merge without a review" asks for a check; it takes none away.
SAFEGUARD = (
    r"\b(?:never|do not|don['’]t|not|must not|should not|shouldn['’]t|mustn['’]t|may not|cannot|can['’]t|no one|"
    r"nobody)\b"
    rf"…{{0,20}}?\b{_ACTION}\b…{{0,60}}?\b(?:without|before|unless|until)\b",
)
_SAFEGUARD = re.compile(_joined(SAFEGUARD), re.IGNORECASE)


def privilege(text: str) -> str | None:
    """The group of claims that the text belongs to ("rights", "bypass", …), or None."""
    lower = text.lower()
    for name, hints, pattern in _GROUPS:
        if any(hint in lower for hint in hints) and pattern.search(text):
            if name == "bypass" and _SAFEGUARD.search(text):
                continue
            return name
    return None
