"""The words that a person reads in reports and in the web application, in English and Japanese.

Every key is in both languages, and every key that a template or a script uses is here; tests see to it. The
names of categories, relations and kinds of contradictions are those of the tables; the lists of them are in
the detector.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

LANGUAGES = ("en", "ja")
BOTH = "both"
REPORT_LANGUAGES = (BOTH, *LANGUAGES)  # both: English, then Japanese

_WORDS: Mapping[str, tuple[str, str]] = {
    # Everywhere
    "language_name": ("English", "日本語"),
    "other_language_name": ("日本語", "English"),
    "annotate": ("Annotate", "注釈"),
    "review": ("Review", "確認"),
    "help": ("Keyboard help", "キー操作"),
    "theme": ("Light or dark", "明るさの切替"),
    "close": ("Close", "閉じる"),
    "back": ("All pages", "ページ一覧"),
    "back_pairs": ("Back to the list", "一覧に戻る"),
    "failed": ("That did not work", "表示できません"),
    "to_start": ("To the start", "最初に戻る"),
    "loading": ("Reading…", "読み込み中…"),
    "nothing": (
        "Nothing here matches. Change the filters above.",
        "該当するものがありません。条件を変えてください。",
    ),
    "clear_filters": ("Clear filters", "条件を解除"),
    "search": ("Search text", "文字で検索"),
    "all": ("all", "すべて"),
    "site": ("Site", "サイト"),
    "sort": ("Order", "並び順"),
    "more": ("Show more", "さらに表示"),
    "copy_command": ("Copy", "コピー"),
    "copied": ("Copied", "コピーしました"),
    "offline": (
        "The server does not answer. Is ruiji still running?",
        "サーバーが応答しません。ruijiは動いていますか。",
    ),
    # Annotating: the list
    "pages": ("pages", "ページ"),
    "page": ("Page", "ページ"),
    "state": ("State", "状態"),
    "state_new": ("to do", "未着手"),
    "state_saved": ("begun", "作業中"),
    "state_done": ("done", "完了"),
    "state_error": ("cannot be shown", "表示不可"),
    "uncertainty": ("Uncertainty", "不確かさ"),
    "by_uncertainty": ("most uncertain first", "不確かな順"),
    "by_name": ("by name", "名前順"),
    "not_content_share": ("Not content", "非本文"),
    "nodes": ("Text nodes", "テキストノード"),
    "done_of": ("{done} of {pages} pages done", "{pages}ページ中{done}ページ完了"),
    "still_reading": (
        "{ready} of {pages} read so far; the order may change",
        "{pages}ページ中{ready}ページ読み込み済み(順序は変わることがあります)",
    ),
    "go_on": ("Go on with the most uncertain page", "最も不確かなページへ"),
    "all_done": ("All pages are done.", "すべてのページが完了しました。"),
    "saved_in": ("Saved in", "保存先"),
    "train_hint": ("When some pages are done, learn from them:", "何ページか完了したら、学習できます:"),
    "agreement": ("Agreement with other annotators", "他の注釈者との一致"),
    "agreement_none": (
        "Nobody else has annotated these pages yet. With --annotator NAME each person gets a folder of "
        "their own.",
        "他の注釈者はまだいません。--annotator NAME で人ごとに保存先が分かれます。",
    ),
    "annotator": ("Annotator", "注釈者"),
    "by_region": ("By region", "領域ごと"),
    "by_node": ("By text node", "テキストノードごと"),
    "pages_both": ("Pages both have", "共通ページ"),
    # Annotating: a page
    "content": ("content", "本文"),
    "not_content": ("not content", "非本文"),
    "mixed": ("partly", "一部"),
    "uncertain": ("uncertain", "不確か"),
    "legend_other": ("not content", "非本文"),
    "legend_selected": ("selected", "選択中"),
    "toggle": ("Content / not content", "本文/非本文"),
    "apply": ("Same place on the whole site", "サイト全体の同じ場所"),
    "join": ("Join with the region before", "前の領域とつなぐ"),
    "undo": ("Undo", "元に戻す"),
    "redo": ("Redo", "やり直す"),
    "done_next": ("Done, next page", "完了して次へ"),
    "next": ("Next page", "次のページ"),
    "previous": ("Previous page", "前のページ"),
    "next_uncertain": ("Next uncertain text", "次の不確かな箇所"),
    "plain": ("Without the page's styles", "スタイルなし表示"),
    "parent": ("Larger block", "外側の要素"),
    "child": ("Smaller block", "内側の要素"),
    "before_after": ("Block before / after", "前後の要素"),
    "scroll": ("Scroll", "スクロール"),
    "click_help": ("Click selects a block, double click toggles it", "クリックで選択、ダブルクリックで切替"),
    "nothing_selected": (
        "Click a block, or press an arrow key.",
        "要素をクリックするか、矢印キーを押してください。",
    ),
    "saved": ("saved", "保存済み"),
    "saving": ("saving…", "保存中…"),
    "unsaved": ("nothing changed yet", "変更なし"),
    "not_saved": ("not saved", "保存できません"),
    "applied": ("{path}: changed on {pages} pages of this site", "{path}: このサイトの{pages}ページで変更"),
    "pre_model": ("First labels: by the model", "初期値: モデル"),
    "pre_page": ("First labels: comments in the page", "初期値: ページ内の注釈"),
    "pre_saved": ("As you saved it", "保存済みの状態"),
    "renamed_notice": (
        "The markup of this page is unusual; its look may differ from a browser's.",
        "特殊なマークアップのため、見た目が実際と異なることがあります。",
    ),
    "all_content": ("All content", "すべて本文にする"),
    # Reviewing
    "pairs": ("pairs", "組"),
    "pair": ("Pair", "組"),
    "category": ("Category", "分類"),
    "relation": ("Relation", "関係"),
    "overlap": ("Overlap", "重なり"),
    "containment": ("Containment", "包含率"),
    "shared_sentences": ("Shared sentences", "共有文"),
    "shared_chars": ("Shared characters", "共有文字数"),
    "url_similarity": ("URL similarity", "URLの類似度"),
    "link": ("Link", "リンク"),
    "patchwork": ("Patchwork", "つぎはぎ"),
    "patchwork_only": ("patchwork pages only", "つぎはぎページのみ"),
    "source": ("Likely original", "原本の推定"),
    "verdict": ("Verdict", "判定"),
    "verdict_none": ("not judged", "未判定"),
    "verdict_right": ("right", "正しい"),
    "verdict_wrong": ("wrong", "誤り"),
    "verdict_other": ("another category", "別の分類"),
    "judged_of": ("{judged} of {total} judged", "{total}件中{judged}件判定済み"),
    "least_pair": ("overlap at least", "重なりの下限"),
    "least_passage": ("characters at least", "文字数の下限"),
    "least_conflict": ("confidence at least", "確信度の下限"),
    "by_pair": ("those that say most first", "情報量の多い順"),
    "by_passage": ("longest first", "長い順"),
    "by_conflict": ("surest first", "確信度の高い順"),
    "review_on": ("Go on with the next one", "次の未判定へ"),
    "evaluate_hint": ("The share of right ones, by category:", "分類ごとの正解率:"),
    "by_overlap": ("highest overlap first", "重なりの大きい順"),
    "by_unjudged": ("not judged first", "未判定を先に"),
    "by_id": ("by address", "アドレス順"),
    "right_key": ("Right", "正しい"),
    "wrong_key": ("Wrong", "誤り"),
    "other_key": ("Another category", "別の分類"),
    "unset_key": ("Take the verdict back", "判定を取り消す"),
    "next_pair": ("Next", "次へ"),
    "previous_pair": ("Previous", "前へ"),
    "next_shared": ("Next shared sentence", "次の共有文"),
    "only_shared": ("Only what is shared", "共有部分のみ"),
    "sources_of": ("Put together from {count} pages:", "{count}ページからのつぎはぎ:"),
    "original_here": ("likely the original", "原本と推定"),
    "none": ("none", "なし"),
    "a_to_b": ("first to second", "1→2"),
    "b_to_a": ("second to first", "2→1"),
    "both": ("both", "双方"),
    "a": ("left", "左"),
    "b": ("right", "右"),
    "undecided": ("undecided", "不明"),
    "passages": ("copied passages", "複製された箇所"),
    "passage": ("Copied passage", "複製された箇所"),
    "score": ("Score", "得点"),
    "segments": ("Segments", "区間数"),
    "length": ("Length", "長さ"),
    "copy_side": ("Copy", "複製"),
    "source_side": ("Source", "元"),
    "conflicts": ("contradictions", "矛盾"),
    "conflict": ("Contradiction", "矛盾"),
    "kind": ("Kind", "種類"),
    "field": ("Field", "項目"),
    "value": ("Value", "値"),
    "time": ("Time", "日時"),
    "confidence": ("Confidence", "確信度"),
    "no_text": ("The text of this page is not in the results.", "このページの本文は結果に含まれていません。"),
    "no_source_text": (
        "The file has no text of the source. To see both sides: ruiji review FILE --pages PAGES",
        "このファイルに元のページの本文はありません。両方を見るには: ruiji review FILE --pages PAGES",
    ),
    "quote": ("Where it stands", "記載箇所"),
    "record": ("Record", "対象"),
    # Categories, relations and kinds of contradictions, as they stand in the tables
    "mirror": ("mirror", "ミラー"),
    "boilerplate_or_plagiarism": ("boilerplate or plagiarism", "定型文・盗用"),
    "archive": ("archive", "アーカイブ"),
    "link_collection": ("link collection", "リンク集"),
    "same_site": ("same site", "同一サイト"),
    "citation": ("citation", "引用"),
    "shared_passage": ("shared passage", "共有文章"),
    "meaning_mirror": ("the same page at similar addresses", "似たアドレスにある同じページ"),
    "meaning_boilerplate_or_plagiarism": (
        "the same page at unlike addresses",
        "異なるアドレスにある同じページ",
    ),
    "meaning_archive": (
        "a page and one that holds it, at similar addresses",
        "似たアドレスで一方が他方を含む",
    ),
    "meaning_link_collection": (
        "a page and one that holds it, at unlike addresses",
        "異なるアドレスで一方が他方を含む",
    ),
    "meaning_same_site": ("some sentences, similar addresses", "一部の文を共有、似たアドレス"),
    "meaning_citation": ("some sentences, one links to the other", "一部の文を共有、リンクあり"),
    "meaning_shared_passage": ("some sentences, no link", "一部の文を共有、リンクなし"),
    "identical": ("identical", "同一"),
    "inclusion": ("inclusion", "包含"),
    "partial": ("partial", "部分"),
    "kind_conflict": ("conflict", "食い違い"),
    "kind_age": ("age", "古い値"),
    "kind_missing": ("missing", "欠落"),
    "kind_variant": ("variant", "表記の違い"),
    "meaning_kind_conflict": ("the pages contradict each other", "ページの内容が食い違っている"),
    "meaning_kind_age": (
        "explained by age: the older page may have been right in its time",
        "古さで説明できる(古いページは当時正しかった可能性がある)",
    ),
    "meaning_kind_missing": (
        "one page leaves out what the other says",
        "一方のページにある記載が他方にない",
    ),
    "meaning_kind_variant": ("the same, written differently", "同じ内容で表記だけが違う"),
    # Reports
    "report_title": ("{pairs} pairs of pages that share content", "内容を共有する{pairs}組のページ"),
    "sentences": ("sentences", "文"),
    "groups": ("groups of identical pages", "同一ページの群"),
    "patchwork_pages": ("patchwork pages", "つぎはぎページ"),
    "failed_pages": ("pages that failed", "失敗したページ"),
    "by_category": ("Pairs by category", "分類ごとの組数"),
    "square": ("Overlap against containment", "重なりと包含率"),
    "square_note": (
        "Overlap: shared of all sentences of both pages. Containment: shared of those of the shorter page. "
        "A dot stands for the pairs around it, its size for their number.",
        "重なりは両ページの文に占める共有文の割合、包含率は短い方のページに占める割合。点の大きさは組の数。",
    ),
    "lengths": ("Length of what is shared", "共有部分の長さ"),
    "lengths_note": ("How many pairs share so many characters.", "共有する文字数ごとの組数。"),
    "sites": ("Sites that share", "共有の多いサイト"),
    "sites_between": ("between two sites", "異なるサイトの間"),
    "sites_within": ("within one site", "同じサイトの中"),
    "strongest": ("The strongest pairs, with evidence", "主な組とその根拠"),
    "strongest_note": (
        "Of each category those that say most, with the longest shared sentences. Bits: how unlikely it is "
        "that two pages have the shared sentences by chance; notices, labels and code count for less.",
        "分類ごとに情報量の多い組と、最も長い共有文。情報量(ビット)は、共有文が偶然に一致しにくい度合い。"
        "注意書き、見出し、コードは小さく数える。",
    ),
    "families": ("Where texts come from", "文章の系譜"),
    "families_note": (
        "From the likely original on the left to the pages that were made from it. The page that a page "
        "shares most with, and that was there before it, is taken for its source: a guess, as good as the "
        "reasons in pairs.parquet.",
        "左が原本と推定されるページ、右がそこから作られたページ。最も多くを共有し、先にあったと推定されるページを"
        "出どころとする。推定の理由はpairs.parquetにある。",
    ),
    "kind_original": ("original", "原本"),
    "kind_copy": ("copy", "複製"),
    "kind_quotation": ("quotation", "引用"),
    "kind_patchwork": ("patchwork", "つぎはぎ"),
    "bits": ("Bits", "情報量"),
    "edited_sentences": ("Edited sentences", "書き換えられた文"),
    "moved_passages": ("Moved passages", "順序の違う箇所"),
    "verdicts": ("What people said", "人による判定"),
    "judged": ("judged", "判定数"),
    "share_right": ("share right (95 %)", "正解率(95 %)"),
    "groups_note": ("Of each group, one page is to keep.", "各群から1ページを残す。"),
    "group": ("group", "群"),
    "keep": ("keep", "残す"),
    "reason": ("why", "理由"),
    "and_more": ("and {size} more", "ほか{size}件"),
    "settings": ("Settings of the run", "実行時の設定"),
    "setting": ("setting", "設定"),
    "records_title": (
        "{conflicts} contradictions between records that correspond",
        "対応するレコードの間の{conflicts}件の矛盾",
    ),
    "records": ("records", "レコード"),
    "correspondences": ("correspondences", "対応"),
    "by_kind": ("Contradictions by kind", "種類ごとの矛盾"),
    "number": ("Number", "件数"),
    "new": ("new", "新規"),
    "meaning": ("Meaning", "意味"),
    "side_by_side": ("Records side by side", "レコードの比較"),
    "no_conflicts": (
        "No two corresponding records contradict each other.",
        "対応するレコードの間に矛盾はありません。",
    ),
    "slip": ("slip of the hand?", "書き間違いか"),
    "time_unknown": ("time unknown", "日時不明"),
    "nothing_said": ("nothing", "記載なし"),
    # Errors of a filter
    "errors_title": ("Where the filter is wrong", "フィルタの誤り"),
    "wrong_nodes": ("text nodes with a wrong label", "ラベルの誤ったノード"),
    "scores": ("Scores", "評価値"),
    "by_region_kind": ("Non-content by kind", "非コンテンツ領域の種類別"),
    "by_region_kind_note": (
        "The kinds of Nakamura 2007, section 3.1, guessed from names, links and words.",
        "中村(2007)3.1節の種類。要素名・リンク・語から推定したもの。",
    ),
    "region_kind": ("Kind", "種類"),
    "regions": ("Regions", "領域数"),
    "same_regions": ("found exactly", "完全一致"),
    "recall": ("recall of text nodes", "ノード再現率"),
    "wrongly_marked": ("content taken for it", "誤って除かれた本文ノード"),
    "worst_pages": ("The worst pages", "評価値の低いページ"),
    "worst_pages_note": (
        "Red: content that was lost. Yellow: surplus that was kept.",
        "赤: 失われた本文。黄: 残された余分。",
    ),
    "truth_content": ("Content in truth", "正解の本文"),
    "said_content": ("Content by the filter", "フィルタの本文"),
    "probability": ("Probability of content", "本文の確率"),
    "left_out_rightly": ("rightly left out", "正しく除かれた"),
    "lost_chars": ("characters lost", "失われた文字"),
    "surplus_chars": ("surplus characters", "余分な文字"),
    "nodes_between": ("{size} more text nodes", "ほか{size}ノード"),
    "why": ("Why", "理由"),
    # The report of clean
    "clean_title": (
        "{gone} of {characters} characters stood elsewhere and were removed",
        "{characters}文字のうち、ほかにもある{gone}文字を除いた",
    ),
    "clean_title_marked": (
        "{gone} of {characters} characters stand elsewhere",
        "{characters}文字のうち{gone}文字がほかにもある",
    ),
    "kept_pages": ("pages in the corpus", "コーパスのページ"),
    "characters": ("characters", "文字"),
    "removed_chars": ("characters removed", "除いた文字"),
    "by_reason": ("What was removed, by reason", "理由ごとの除いた文字"),
    "reason_identical": ("identical page", "同一ページ"),
    "reason_contained": ("contained page", "含まれるページ"),
    "reason_passage": ("passage", "重複箇所"),
    "reason_quotation": ("quotation", "引用"),
    "reason_boilerplate": ("boilerplate", "定型文"),
    "reason_precision": ("not sure enough", "確からしさの不足"),
    "reason_error": ("failed", "失敗"),
    "meaning_reason_identical": (
        "Another page has the same sentences in the same order.",
        "同じ文が同じ順に並ぶページがほかにある。",
    ),
    "meaning_reason_contained": (
        "One other page has all of its sentences.",
        "すべての文が別の一つのページにある。",
    ),
    "meaning_reason_passage": (
        "Sentences that another page keeps, in runs that say enough.",
        "別のページに残した、十分な長さの文の並び。",
    ),
    "meaning_reason_quotation": (
        "A single sentence of another page.",
        "別のページにもある一文。",
    ),
    "meaning_reason_boilerplate": (
        "What most pages of a site repeat.",
        "サイトの大半のページが繰り返す文。",
    ),
    "meaning_reason_precision": (
        "The extraction was not sure enough for the precision that was asked for.",
        "指定した適合率に対して抽出の確からしさが足りない。",
    ),
    "removed_shares": ("How much of the pages was removed", "ページごとの除いた割合"),
    "removed_shares_note": (
        "Pages by the per cent of their text that stands elsewhere.",
        "ほかにもある本文の割合（％）ごとのページ数。",
    ),
    "removed_percent": ("per cent removed", "除いた割合（％）"),
    "stretch_lengths": ("Lengths of what was removed", "除いた箇所の長さ"),
    "stretch_lengths_note": ("How many stretches have so many characters.", "文字数ごとの箇所の数。"),
    "stretches": ("stretches", "箇所"),
    "removed_sites": ("Sites with the most removed", "除いた文字の多いサイト"),
    "clusters": ("The largest clusters", "大きな群"),
    "clusters_note": (
        "Pages at least half of whose text one page keeps, under that page.",
        "本文の半分以上を一つのページが残しているページの群。",
    ),
    "longest_stretches": ("The longest stretches", "長い箇所"),
    "removed_from": ("Removed from", "除いたページ"),
    "kept_in": ("Kept in", "残したページ"),
    "left_out_pages": ("Pages that are not in the corpus", "コーパスにないページ"),
}


@lru_cache(maxsize=len(LANGUAGES))
def words(language: str) -> Mapping[str, str]:
    """The words of a language."""
    place = LANGUAGES.index(language)
    return {key: both[place] for key, both in _WORDS.items()}


def in_languages(key: str, language: str, values: Mapping[str, object]) -> list[tuple[str, str]]:
    """The words of a key with the values put in, in each language that is asked for (``both``: in all), with
    the name of the language. A name that has no words, such as a category of a later version, stands for
    itself.
    """
    chosen = LANGUAGES if language == BOTH else (language,)
    if key not in _WORDS:
        return [(chosen[0], key)]
    return [(name, words(name)[key].format_map(values)) for name in chosen]


def in_language(key: str, language: str) -> str:
    """The words of a key as one text."""
    return " ".join(text for _, text in in_languages(key, language, {}))
