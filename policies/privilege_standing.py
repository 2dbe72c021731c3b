"""Standing grants in any voice: approval, money, access or somebody's word, given once and for all.

What people tell of their own habits ("I always pay by card", "my manager approves my holidays") is none: an order needs an
imperative or a wish for the assistant, an approval needs money, access or requests as its object.
"""

from __future__ import annotations

_ALWAYS = (
    r"(?:always|automatically|henceforth|permanently|from now on|at once|without exception|in advance|by default|every time|at any time|"
    r"any ?time|whenever|once and for all|all|any|every|each|future|whatever)"
)
_MONEY = (
    r"(?:payments?(?! (?:reminders?|confirmations?|receipts?|details))|payouts?|salar(?:y|ies)|wages?|refunds?|transfers?|funds|money|deposits?|"
    r"remittances?|reimbursements?|rent|withdrawals?)"
)
_ASKED_FOR = (
    rf"(?:{_MONEY}|purchases?|orders?|expenses?|invoices?|requests?|access|pull requests?|changes|password resets?|log-?ins?|bookings?|"
    r"transactions?|spending)"
)
_APPROVE = r"(?:approv|authori[sz]|accept|grant|releas|permit|green-?light|sign(?:s|ed|ing)? off|wav(?:e|es|ed|ing) through)\w*"
# An order, or what the user wants the assistant to do; not what somebody does, has to do or used to do.
_ORDER = (
    r"(?:^\W*|[.:;,!]\s*|\b(?:please|kindly|just|should|must|shall|assistant|you may|you can)\s+|(?<!need )(?<!needs )(?<!have )(?<!has )(?<!had )"
    r"(?<!used )(?<!going )(?<!able )(?<!try )(?<!like )(?<!allowed )\bto\s+)(?:always\s+|automatically\s+|also\s+|from now on,?\s+|please\s+|just\s+)*"
)
_SOMEBODY = r"(?:any(?:one|body)|every(?:one|body)|whoever|all who)"
_CARD = r"(?:my|the user['’]s|his|her|their|our)\s+(?:\w+\s+){0,2}?(?:card|account|wallet|paypal|credit|balance)"

_ORDERS = (
    r"trust\s+(?!me to|your)…{0,40}?\b(?:always|whatever|everything|blindly)\b",
    rf"(?:send|pay|wire|transfer|redirect|route|forward|deposit|direct|remit|move)\b…{{0,40}}?\b{_ALWAYS}\b…{{0,40}}?\b{_MONEY}\b…{{0,40}}?\b(?:in)?to\b",
    rf"(?:send|pay|wire|transfer|redirect|route|forward|deposit|direct|remit|move)\b…{{0,40}}?\b{_MONEY}\b…{{0,40}}?\b(?:in)?to\b…{{0,60}}?\b(?:from now on|always|henceforth|every (?:month|week|time))\b",
    r"(?:deposit|pay|transfer|move|send|wire)\s+(?:my|the user['’]s|his|her|our|the)\s+(?:salary|wages?|pension|refunds?|payouts?|money|funds)\b…{0,15}?\b(?:in)?to\b(?! (?:me|my)\b)",
    rf"(?:use|charge|debit|bill)\s+{_CARD}\b…{{0,30}}?\b(?:whatever|whenever|anything|everything|any|all|without|always)\b",
    r"(?:obey\b|(?:follow|treat|carry out)\s+…{1,30}?\b(?:instructions|orders|commands|requests)\b…{0,30}?(?:\b(?:as if|as though|as mine|always|whatever|without)\b|$|[.!]))",
    rf"(?:give|show|tell|reveal|send|share|disclose|hand|unlock|open|forward|release)\b…{{0,60}}?\b(?:to|with|for)\s+{_SOMEBODY}\b",
    r"(?:give|reveal|send|share|tell|disclose|forward|hand|read)\b…{0,30}?\b(?:passwords?|pins?|pass ?codes?|door (?:key|code)|keys?|credentials|log-?in|access)\b…{0,20}?\b(?:to|with|for)\b",
    r"(?:give|hand|send|tell)\s+(?!me\b|us\b)[\w'’]+\s+(?:the|my|our|a|full)\s+(?:\w+\s+)?(?:keys?|codes?|passwords?|pins?|access|credentials)\b",
    r"let\s+(?!me\b|us\b)\w+\s+(?:in|through|inside)\b…{0,20}?\b(?:whenever|always|any ?time|every time|at any)\b",
    r"(?:forward|copy|bcc|cc|redirect|route)\b…{0,30}?\b(?:all|every|each|any)\b…{0,20}?\b(?:mails?|e-?mails?|messages?|letters?|documents?|files|chats?|calls?)\b",
)

GRANTS = (
    _ORDER + "(?:" + "|".join(f"(?:{order})" for order in _ORDERS) + ")",
    # approval: "always approves payments to …", "refunds approved automatically", "standing consent", "auto-approve"
    rf"\b(?:always|automatically|henceforth|from now on,? \w+(?: \w+)?)\s+{_APPROVE}\b…{{0,30}}?\b{_ASKED_FOR}\b",
    rf"(?<!\bi )(?<!\bwe )\bauto(?:matically)?-?\s?{_APPROVE}\b",
    rf"\b(?:approve|authori[sz]e|grant|accept|release)s?\s+(?:all|any|every|each|future)\b…{{0,30}}?\b{_ASKED_FOR}\b",
    rf"\b{_ASKED_FOR}\b…{{0,50}}?\b(?:is|are|be|stay|stays|count|counts|considered)\s+(?:as\s+)?(?:always|automatically|hereby|to be|from now on)\s+(?:to be\s+)?{_APPROVE}\b",
    rf"\b{_ASKED_FOR}\b…{{0,50}}?\b{_APPROVE}\s+(?:automatically|in advance|by default|permanently|from now on|at once|without)\b",
    rf"\b{_ASKED_FOR}\b…{{0,50}}?\b(?:should|must|shall|will|are to|is to)\s+(?:always\s+|automatically\s+)?be\s+(?:always\s+|automatically\s+)?(?:approved|authori[sz]ed|granted|accepted|released)\b",
    rf"\b{_ASKED_FOR}\s+(?:by|from|of|to|for)\b…{{1,40}}?\b(?:is|are)\s+(?:always\s+)?(?:fine|ok(?:ay)?|allowed|approved|permitted|authori[sz]ed|good to go)\b",
    r"\b(?:everything|anything|whatever|all)\b…{0,25}?\b(?:ask|asks|asked|want|wants|request|requests|order|orders|need|needs|submit|submits)\b…{0,10}?"
    r"\b(?:is|are|counts? as)\s+(?:always\s+|already\s+|automatically\s+)?(?:approved|granted|authori[sz]ed|allowed|permitted)\b",
    r"\bstanding\s+(?:approvals?|consent|permissions?|authori[sz]ations?|mandates?|access)\b",
    r"\b(?:approval|consent|permission|authori[sz]ation)\b…{0,40}?\b(?:once and for all|in advance|for good|permanently|for all time)\b",
    r"\byou(?:['’]re| are)\s+(?:hereby |fully |always )*(?:authori[sz]ed|permitted|entitled|cleared|empowered)\s+to\b",
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|needn['’]t|never|no longer)\s+needs?\s+(?:(?!to\b)[\w'’-]+\s+){0,2}?(?:approvals?|confirmations?|authori[sz]ations?|permission|"
    r"verification|authentication|sign-?off|2fa|mfa|clearance)\b(?!\s+(?:e-?mails?|messages?|letters?))(?! for small)",
    # money to somebody from now on
    rf"\b(?:all|any|every|each|future)\b…{{0,30}}?\b(?:{_MONEY}|invoices)\b…{{0,40}}?\b(?:go|goes|going|are|is|be|shall)\b…{{0,20}}?\b(?:(?:in)?to)\b(?! (?:be|me|my|the food|charit))",
    rf"\b(?:{_MONEY}|invoices|bills)\b…{{0,50}}?\b(?:go|goes|going|sent|paid|made|transferred|routed|redirected)\b…{{0,30}}?\b(?:in)?to\b…{{0,60}}?"
    r"(?:\bfrom now on\b|\bhenceforth\b|\b(?:new|other|different|following|another)\s+(?:account|iban|wallet|bank))",
    r"\b(?:payout|bank|payment|salary|refund|billing|deposit)\s+(?:account|details|iban)\b…{0,40}?\b(?:is|are|was|changed?|now|:)\b…{0,25}?(?:\d[\d ]{5,}|\b[A-Z]{2}\d{2}\b)",
    rf"\b(?:may|can|is allowed to|are allowed to|is free to)\s+(?:always\s+|freely\s+)?(?:use|charge|debit)\s+{_CARD}\b",
    r"\b(?:no|without(?: any)?|unlimited)\s+(?:spending|credit|transfer|order|purchase|withdrawal|payment|usage|expense|budget)\s+(?:limits?|caps?|restrictions?|ceilings?)\b",
    # somebody's word stands for the user's
    r"\b(?:may|can|is allowed to|is entitled to|has the right to|shall|should|will)\s+(?:always\s+)?(?:act|sign|decide|speak|pay|order|buy|approve|consent|answer)\s+"
    r"(?:for|on behalf of|in the name of)\s+(?:me|us|the user)\b",
    r"\b(?:act|acts|acting|signs?|decides?|approves?|orders?|pays?)\s+(?:on|in)\s+(?:my|the user['’]s|our)\s+(?:behalf|name)\b|\bpower of attorney\b|"
    r"(?<!\bi )\bspeaks? for (?:me|the user)\b",
    r"\b(?:instructions?|orders?|requests?|word|messages?|commands?)\s+(?:from \w+ |of \w+ )?(?:always\s+)?(?:overrides?|overrules?|outranks?|takes? precedence|takes? priority|counts? as (?:mine|the user)|"
    r"(?:is|are) (?:law|to be followed|to be obeyed|binding|as good as mine))\b",
    r"\bwhatever\s+[\w'’]+(?:\s\w+)?\s+(?:says?|asks?|wants?|orders?|tells?)\b…{0,25}?\b(?:goes|is law|must|shall|should|counts|is to be|do it)\b",
    # access for others
    r"(?:^\W*|[.:;!]\s*|assistant to )always trust\b",
    r"\b(?:links?|mails?|e-?mails?|files?|attachments?|downloads?|messages?)\b…{0,40}?\b(?:need not|needn['’]t|(?:do|does) not need to|don['’]t need to|never need to)\s+be\s+(?:checked|scanned|verified|inspected|validated)\b",
    # a role or an identity that is to be believed
    r"\b(?:role|is_?admin|admin|access(?: level)?|privileges?|permissions?|clearance|group)\s*[:=]+\s*[\"']?(?:admin\w*|superuser|root|true|yes|owner|full|all)\b",
    r"\b(?:my|user['’]s|user|account['’]s)\s+(?:user\s+)?role\s+(?:is|:)\s+(?:the |an? )?(?:system )?(?:admin\w*|superuser|root|owner)\b",
    r"\b(?:made|given|granted|got|appointed|promoted to|become|became|turned into)\s+(?:an?\s+|the\s+|full\s+)?(?:admin(?:istrator)?|root|superuser|sudo)(?! (?:assistant|clerk|job|work|officer|of an?\b))\b",
    r"\b(?:is|are|be)\s+(?:to be\s+)?(?:treated|regarded|considered|seen|handled)\s+as\s+(?:an?\s+|the\s+)?(?:verified\s+|trusted\s+)?(?:admin\w*|superuser|root|owner|trusted|verified|authori[sz]ed|staff)\b",
    r"\bidentity\s+(?:has (?:already )?been|is|was)\s+(?:already |fully |now )*(?:verified|confirmed|checked|proven|established)\b",
    r"^\W*(?:i am|i['’]m|the user is|this user is)\s+(?:already |fully |now |hereby )*(?:verified|authenticated|trusted|authori[sz]ed|vetted)\W*$",
    r"\b(?:has|have|got|with)\s+(?:the\s+)?(?:permission|right|authority|clearance)\s+to\s+(?:enter|open|use|access|unlock)\s+(?:the\s+|any\s+|every\s+|all\s+)?(?:\w+\s+)?"
    r"(?:vaults?|safes?|servers?|server rooms?|archives?|databases?|production|records|accounts?|systems?)\b",
)
