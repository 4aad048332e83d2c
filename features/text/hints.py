"""What people call things: words of class and id names, semantic elements and words of texts, by what they
usually mean.

Written from general knowledge, in English and Japanese, not counted in any data: training has too few sites
to meet all of these, and what it learns of one word of a group then holds for the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ruiji.features.text.characters import word_key
from ruiji.features.text.keytable import KeyTable, key_table

# Words of class, id and role. Elements of HTML that say the same by their name stand among them.
NAME_HINTS: Mapping[str, str] = MappingProxyType(
    {
        "navigation": """nav navi navigation navbar menu menus menubar submenu gnav gnavi lnav lnavi snav snavi breadcrumb breadcrumbs
            bread crumb crumbs topicpath pankuzu pagination pager paginate paging pagenavi prev previous next sitemap tabs
            tablist topnav subnav mainmenu sidemenu globalnav localnav drawer hamburger dropdown""",
        "contents": """toc tocs mokuji tableofcontents outline""",
        "sidebar": """sidebar side sidenav aside complementary widget widgets rightcol leftcol rside lside sub subcolumn secondary""",
        "footer": """footer foot bottom contentinfo colophon copyright copyrights copy credit credits license legal siteinfo
            pagetop totop""",
        "header": """header head top banner masthead logo sitename sitetitle branding topbar""",
        "advertisement": """ad ads adv advert advertisement advertising adsense sponsor sponsors sponsored promo promotion banners
            campaign pr""",
        "sharing": """share sharing social sns tweet twitter facebook hatena line pocket like likes bookmark follow subscribe
            newsletter rss feed feeds icons buttons""",
        "related": """related recommend recommended recommendation recommendations popular ranking recent latest archive archives
            more also similar list""",
        "comments": """comment comments respond reply replies disqus discussion trackback trackbacks reviews""",
        "search": """search searchbox searchform query kensaku form login signin signup register account cart""",
        "meta": """meta info author byline date time posted published updated tag tags category categories cat edit editsection
            toolbar tool tools lang language languages version print hidden cookie consent modal popup alert notice
            overlay skip""",
        "content": """content main article post entry body text story page maincontent mainbody articlebody honbun document
            documentation section chapter prose markdown description detail details blog news topic""",
        "title": """title heading headline subject subtitle caption summary lead""",
    }
)
HINTED_ELEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "nav": "navigation", "menu": "navigation", "aside": "sidebar", "footer": "footer", "header": "header", "form": "search",
        "button": "search", "select": "search", "main": "content", "article": "content", "h1": "title",
    }
)  # fmt: skip

WORD_HINTS: Mapping[str, str] = MappingProxyType(
    {
        "navigation": """home top index menu next prev previous back forward up contents sitemap site map ホーム トップ 目次 次 前 戻
            上 索引 一覧 メニュー サイトマップ ページ 先頭""",
        "legal": """copyright copyrights rights reserved inc ltd llc privacy policy terms license cookie cookies 著作権 著作 規約
            利用規約 免責 免責事項 プライバシーポリシー 個人情報 会社概要 株式会社 有限会社 powered""",
        "service": """search login logout sign register account cart help faq contact about feedback support download subscribe rss
            print 検索 ログイン 登録 会員 会員登録 問 問合 ヘルプ 購読 印刷 言語 english 日本語 mail email 広告 pr""",
        "sharing": """share tweet twitter facebook line pocket hatena like follow pin instagram youtube linkedin シェア ツイート
            フォロー はてな ブックマーク""",
        "meta": """posted published updated modified last update date by author written tags tag category categories filed
            comments comment reply edit views permalink trackback 更新 更新日 最終更新 作成 作成日 投稿 投稿日 投稿者 公開
            公開日 著者 作者 タグ カテゴリ カテゴリー コメント 返信 編集 関連 関連記事 関連項目 最近 最新 人気 人気記事
            新着 月別 アーカイブ related recent popular read more 続""",
    }
)


@lru_cache(maxsize=2)
def _table(hints: tuple[tuple[str, str], ...]) -> tuple[KeyTable, npt.NDArray[np.int32]]:
    """The keys of all words, and the group of each."""
    groups = {word_key(word): group for group, (_, words) in enumerate(hints) for word in words.split()}
    return key_table(list(groups)), np.array(list(groups.values()), dtype=np.int32)


def hints_of(keys: npt.NDArray[np.uint64], hints: Mapping[str, str]) -> npt.NDArray[np.int32]:
    """The number of the group that each word belongs to, or -1."""
    table, group = _table(tuple(hints.items()))
    found = np.full(len(keys), -1, dtype=np.int32)
    which, word = table.find(keys)
    found[which] = group[word]
    return found
