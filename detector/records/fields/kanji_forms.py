"""Old and new forms of the same kanji, so that 髙橋 and 高橋, 渡邊 and 渡辺 are one name.

NFKC already folds the compatibility ideographs (神 at U+FA19 and the like). What it leaves are the old forms
of the list of common kanji (常用漢字表, in which the 康熙字典体 stands in brackets), and variants that live
on in names (人名用漢字 and the family register's 誤字・俗字・正字 of the Ministry of Justice). They are
stated here, the form of today first.
"""

# ruff: noqa: E501 — tables of words, a line a thing
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# 常用漢字表: today's form and the one in brackets.
_COMMON = """
亜亞 悪惡 圧壓 囲圍 医醫 為爲 壱壹 隠隱 栄榮 営營 衛衞 駅驛 謁謁 円圓 塩鹽 縁緣 艶艷 応應 欧歐 殴毆 桜櫻 奥奧 横橫 温溫 穏穩 仮假 価價 禍禍 画畫 会會
悔悔 海海 絵繪 壊壞 懐懷 慨慨 概槪 拡擴 殻殼 覚覺 学學 岳嶽 楽樂 喝喝 渇渴 褐褐 缶罐 巻卷 陥陷 勧勸 寛寬 漢漢 関關 歓歡 観觀 気氣 祈祈 既既 帰歸 器器 偽僞
戯戲 犠犧 旧舊 拠據 挙擧 虚虛 峡峽 挟挾 狭狹 郷鄕 響響 暁曉 勤勤 謹謹 区區 駆驅 勲勳 薫薰 径徑 茎莖 恵惠 掲揭 渓溪 経經 蛍螢 軽輕 継繼 鶏鷄 芸藝 撃擊 欠缺 研硏
県縣 倹儉 剣劍 険險 圏圈 検檢 献獻 権權 顕顯 験驗 厳嚴 広廣 効效 恒恆 黄黃 鉱鑛 号號 国國 黒黑 穀穀 砕碎 済濟 斎齋 剤劑 殺殺 雑雜 参參 桟棧 蚕蠶 惨慘 賛贊 残殘
糸絲 祉祉 視視 歯齒 児兒 辞辭 湿濕 実實 写寫 社社 者者 煮煮 釈釋 寿壽 収收 臭臭 従從 渋澁 獣獸 縦縱 祝祝 粛肅 処處 暑暑 署署 緒緖 諸諸 叙敍 将將 祥祥 称稱 渉涉
焼燒 証證 奨奬 条條 状狀 乗乘 浄淨 剰剩 畳疊 縄繩 壌壤 嬢孃 譲讓 醸釀 触觸 嘱囑 神神 真眞 寝寢 慎愼 尽盡 図圖 粋粹 酔醉 穂穗 随隨 髄髓 枢樞 数數 瀬瀨 声聲 斉齊
静靜 窃竊 摂攝 節節 専專 浅淺 戦戰 践踐 銭錢 潜潛 繊纖 禅禪 祖祖 双雙 壮壯 争爭 荘莊 捜搜 挿插 巣巢 曽曾 痩瘦 装裝 僧僧 層層 総總 騒騷 増增 憎憎 蔵藏 贈贈 臓臟
即卽 属屬 続續 堕墮 対對 体體 帯帶 滞滯 台臺 滝瀧 択擇 沢澤 担擔 単單 胆膽 嘆嘆 団團 断斷 弾彈 遅遲 痴癡 虫蟲 昼晝 鋳鑄 著著 庁廳 徴徵 聴聽 懲懲 勅敕 鎮鎭 塚塚
逓遞 鉄鐵 点點 転轉 伝傳 都都 灯燈 当當 党黨 盗盜 稲稻 闘鬪 徳德 独獨 読讀 突突 届屆 難難 弐貳 悩惱 脳腦 覇霸 拝拜 廃廢 売賣 梅梅 麦麥 発發 髪髮 抜拔 繁繁 晩晚
蛮蠻 卑卑 秘祕 碑碑 浜濱 賓賓 頻頻 敏敏 瓶甁 侮侮 福福 払拂 仏佛 併倂 並竝 塀塀 餅餠 辺邊 変變 弁辨 勉勉 歩步 宝寶 豊豐 褒襃 墨墨 翻飜 毎每 万萬 満滿 免免 麺麵
黙默 弥彌 訳譯 薬藥 与與 予豫 余餘 誉譽 揺搖 様樣 謡謠 来來 頼賴 乱亂 覧覽 欄欄 竜龍 隆隆 虜虜 両兩 猟獵 緑綠 涙淚 塁壘 類類 礼禮 励勵 戻戾 霊靈 齢齡 暦曆 歴歷
恋戀 練練 錬鍊 炉爐 労勞 郎郞 朗朗 廊廊 楼樓 録錄 湾灣 尭堯 槙槇 遥遙 瑶瑤 凛凜 桧檜 祢禰 穣穰 祷禱 萌萠 島嶋 峰峯 松枩
"""

# Names: every form after the first counts as the first. Several of them are different letters by the book (斎
# and 斉, 邊 and 辺), yet pages write one for the other of the same person.
_NAMES = """
高髙 崎﨑碕嵜 辺邊邉 斉斎齊齋斊 沢澤 浜濱濵 島嶋嶌 峰峯 吉𠮷 広廣 桜櫻 黒黑 国國圀 関關 藤籐 柳栁桺 富冨 塚塚 隆隆 徳德 都都 柏栢 館舘 鉄鐵銕 橋槗 恵惠
槙槇 祐祐 徹徹 寿壽 栄榮 将將 祥祥 浅淺 瀬瀨 真眞 増增 曽曾 滝瀧 竜龍 穂穗 薮藪 桧檜 条條 渕淵渊 渓溪 児兒 亀龜 蔵藏 豊豐 頼賴 礼禮 来來 諌諫 鴎鷗 麹麴 鯵鰺
弥彌 与與 万萬 芦蘆 飯飯 逢逢 辻辻 遠遠 葛葛 祇祇 鹿鹿 昂昻 船舩 糸絲 翠翆 雄䧺 略畧 杉椙 梅楳 岡崗 岩巌巖嵒 秋秌 静靜 野埜 留畄 虎乕 鶴靏靍 角⻆
"""

_LATER = "鷲鷲 巽巽 亘亙 糺糾 冴冱 枡桝 蝉蟬 繋繫 蝋蠟 頬頰 掴摑 填塡 噛嚙 躯軀 醤醬 填塡 箪簞 嘘噓 屏屛 并幷 呑吞 妍姸 叱𠮟 剥剝"


def _table() -> Mapping[int, int]:
    """The code point of each other form → that of today's form; a name's group wins over the common list."""
    found: dict[int, int] = {}
    for group in (_COMMON + _LATER).split() + _NAMES.split():
        for form in group[1:]:
            if form != group[0]:
                found[ord(form)] = ord(group[0])
    for other, base in list(found.items()):  # a form of a form: 齋 → 斎 → 斉
        while base in found and found[base] != base and base != other:
            base = found[base]
        found[other] = base
    return MappingProxyType(found)


FORMS = _table()


def todays_forms(text: str) -> str:
    """The text with every known other form of a kanji replaced by one form; for comparing, not for
    showing.
    """
    return text.translate(FORMS)
