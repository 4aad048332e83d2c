"""Small collections of texts, and ``clean`` on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ruiji.chunker.masking import MaskSettings
from ruiji.corpora.page import Page, page_of_text
from ruiji.corpora.sources import GivenPages
from ruiji.corpus_documents import GatherDocuments
from ruiji.detector.clean.pipeline import CleanRules
from ruiji.detector.cleaning import CleanSettings, clean_corpus

STORY = [
    "港のそばに住んでいると、海の様子で季節の移り変わりがわかるようになる。",
    "春になると小さな船が増え、朝早くから網を積む音が聞こえてくる。",
    "夏の夕方には子どもたちが防波堤に並んで、釣り糸を静かに垂らしている。",
    "秋の終わりに北風が吹くと、対岸の山がくっきりと見える日が多くなる。",
]
OWN = [
    "この町の図書館は駅から歩いて五分の所にあり、夜の八時まで開いています。",
    "市場の二階にある食堂では、朝とれた魚をその場で焼いて出してくれます。",
    "毎年十月の祭りには、周りの村からも大勢の人が集まって踊ります。",
]
SENTENCES = [
    *STORY, *OWN, "はい。", "参照", "The ferry to the island leaves at seven in the morning, every day!",
    "ｔｈｅ FERRY to the island leaves at seven in the morning: every day.", "１２３　番地", "Open?", "例:",
    "港のそばに住んでいると 海の様子で季節の移り変わりがわかるようになる!", "e\u0301tude",
    "\u3300の話でした。",
]  # fmt: skip

paragraphs = st.lists(
    st.tuples(st.sampled_from(SENTENCES), st.sampled_from(["", "\n", " ", "\n\n", "\u3000"])), max_size=8
).map(lambda pieces: "".join(sentence + gap for sentence, gap in pieces))
webs = st.lists(paragraphs, min_size=1, max_size=7)


def text_pages(texts: Mapping[str, str], **fields: Mapping[str, Any]) -> list[Page]:
    """The pages of texts by address; ``fields`` are further ones by name and address."""
    return [
        page_of_text(
            text,
            url,
            url,
            last_modified=fields.get("last_modified", {}).get(url, ""),
            extra={name: values[url] for name, values in fields.items() if url in values},
        )
        for url, text in texts.items()
    ]


def clean(folder: Path, pages: list[Page], **rules: Any) -> Path:
    """The folder of the cleaned pages."""
    settings = CleanSettings(MaskSettings("none"), CleanRules(**rules), jobs=0)
    clean_corpus(GivenPages(pages), folder, settings, GatherDocuments)
    return folder
