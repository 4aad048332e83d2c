"""Made-up addresses: of sites, of users of services, and of the variants under which one page stands."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

_WORDS = """asagiri hinata kaede minato sakurai tsubame yamabiko komugi hotaru shiosai kazami tanpopo nagisa
suzuran kawara mikazuki harbor maple lantern pebble orchard willow copper juniper meadow bramble cinder fjord
quarry thistle""".split()
_ENDS = "co.jp ne.jp or.jp com net org jp info ac.jp".split()
_USERS = """yuki taro-k mami_o kenji77 pandakun ogawa-s tetsu hanabi2 marron kuro-neko alice.w bob-the-dev
janed coder42 birdwatcher mtnbiker greta lars-o pixelcat quietgarden""".split()

# As many services as there are ways to name a user: a label, a folder, a folder with a sign, a home.
_SERVICES = """https://{user}.hateblo.jp/entry/{year}/{month}/{day}/{number}
http://{user}.seesaa.net/article/{number}.html
https://ameblo.jp/{user}/entry-{number}.html
https://note.com/{user}/n/n{number}
http://{user}.blog.fc2.com/blog-entry-{number}.html
https://{user}.livedoor.blog/archives/{number}.html
http://d.hatena.ne.jp/{user}/{year}{month}{day}/{number}
https://plaza.rakuten.co.jp/{user}/diary/{year}{month}{day}/
http://{user}.exblog.jp/{number}/
https://qiita.com/{user}/items/{number}
https://zenn.dev/{user}/articles/{number}
http://www.asahi-net.or.jp/~{user}/memo{number}.html
http://www.eonet.ne.jp/~{user}/diary/{number}.html
https://medium.com/@{user}/a-post-{number}
https://{user}.substack.com/p/post-{number}
https://{user}.blogspot.com/{year}/{month}/post-{number}.html
https://dev.to/{user}/post-{number}
https://{user}.tumblr.com/post/{number}/a-post
https://{user}.wixsite.com/home/post/{number}
https://sites.google.com/site/{user}/post-{number}
https://{user}.gitlab.io/posts/{number}/
http://{user}.livejournal.com/{number}.html
https://www.deviantart.com/{user}/journal/post-{number}
http://people.cs.example-university.edu/~{user}/notes/{number}.html""".split("\n")


@dataclass(slots=True)
class Addresses:
    """Gives each address once."""

    luck: random.Random
    _given: set[str]

    def _new(self, make: Callable[[], str]) -> str:
        while (url := make()) in self._given:
            pass
        self._given.add(url)
        return url

    def take(self, url: str) -> bool:
        """Whether the address was still free; it is not any more."""
        free = url not in self._given
        self._given.add(url)
        return free

    def site(self) -> str:
        """The beginning of the addresses of a site that somebody might have registered."""
        host = "-".join(self.luck.sample(_WORDS, 2))
        www = self.luck.choice(("www.", "blog.", ""))
        return f"{self.luck.choice(('http', 'https'))}://{www}{host}.{self.luck.choice(_ENDS)}"

    def page(self, site: str) -> str:
        forms = "/blog/{}/ /archives/{}.html /{}.htm /column/?id={} /news/{}.html /post-{} /p/{}".split()
        return self._new(lambda: site + self.luck.choice(forms).format(self.luck.randrange(100, 99_999)))

    def users(self, count: int) -> list[tuple[str, str]]:
        """(address, user@service) of users of one service."""
        form = self.luck.choice(_SERVICES)
        return [
            (
                self._new(
                    lambda user=user: form.format(  # type: ignore[misc]
                        user=user,
                        year=self.luck.randrange(2008, 2024),
                        month=f"{self.luck.randrange(1, 13):02}",
                        day=f"{self.luck.randrange(1, 29):02}",
                        number=self.luck.randrange(10**6, 10**8),
                    )
                ),
                f"{user}@{form}",
            )
            for user in self.luck.sample(_USERS, count)
        ]


def _with_host(url: str, prefix: str) -> str:
    host = urlsplit(url).netloc
    return url.replace(host, prefix + host.removeprefix("www."), 1)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _other_host(url: str, luck: random.Random) -> str:
    """A host that carries the name of the mirrored one."""
    name = max((urlsplit(url).hostname or "").split("."), key=len)
    return luck.choice((f"{name}-mirror.net", f"cdn-{name}.com", f"{name}.mirrors.example-isp.ne.jp"))


VARIANTS: dict[str, Callable[[str, random.Random], str]] = {
    "scheme": lambda url, luck: url.replace("https:", "x:").replace("http:", "https:").replace("x:", "http:"),
    "www": lambda url, luck: url.replace("://www.", "://") if "://www." in url else _with_host(url, "www."),
    "mobile": lambda url, luck: _with_host(url, luck.choice(("m.", "sp.", "s.", "mobile.", "touch."))),
    "tracking": lambda url, luck: url + ("&" if "?" in url else "?") + luck.choice(
        ("utm_source=rss", "fbclid=IwAR0", "gclid=x1", "ref=top", "from=newsletter")),
    "session": lambda url, luck: url + ("&" if "?" in url else "?") + f"PHPSESSID={luck.randrange(16**8):x}",
    "print": lambda url, luck: url + ("&" if "?" in url else "?") + luck.choice(("print=1", "mode=print")),
    "amp": lambda url, luck: url.rstrip("/") + "/amp/",
    "language": lambda url, luck: (
        url.replace(_path(url), "/ja" + _path(url), 1) if len(_path(url)) > 1 else f"{url}/ja/"),
    "address": lambda url, luck: f"http://203.0.113.{luck.randrange(1, 255)}{_path(url)}",
    "partner": lambda url, luck: f"http://{_other_host(url, luck)}{_path(url)}",
    "port": lambda url, luck: url.replace(urlsplit(url).netloc, urlsplit(url).netloc + ":8080", 1),
}  # fmt: skip
