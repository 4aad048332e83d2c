// One result: two pages side by side from their sentences, or a passage, or two values; and the verdict.

import {ask, byId, data, make, notice, onKeys, words} from "./shared.js";

const query = new URLSearchParams(location.search);
const at = Number(query.get("at") ?? data.number);
const word = name => words[name] ?? name.replace(/^kind_/, "");
let row = null, current = -1, marks = {a: new Map(), b: new Map()};

// Drawing

const fact = (name, value) => value === null || value === undefined || value === "" ? null : make("span", {class: "fact"}, `${words[name]} `, make("b", {}, String(value)));

function showFacts() {
  const facts = data.kind === "pair" ? [
    make("span", {class: "state category"}, word(row.category)), fact("relation", word(row.relation)), fact("overlap", row.overlap.toFixed(2)),
    fact("containment", row.containment.toFixed(2)), fact("shared_sentences", row.shared_sentences), fact("link", word(row.link)),
    row.patchwork !== "none" && fact("patchwork", word(row.patchwork)),
  ] : data.kind === "passage" ? [fact("length", row.text.length), fact("segments", row.segments), fact("score", row.score)]
    : [make("span", {class: "state category"}, word(`kind_${row.kind}`)), fact("field", row.field), fact("confidence", row.confidence)];
  byId("facts").replaceChildren(...facts.filter(Boolean));
}

function head(side, title, url, ...more) {
  return make("header", {}, make("h2", {}, title || url), title && title !== url ? make("small", {class: "url"}, url) : null, ...more);
}

function pairSide(side, info) {
  const column = make("section", {class: "side", id: `side-${side}`, tabindex: "0"});
  const more = [];
  if (row.source === side) more.push(make("span", {class: "state done"}, words.original_here));
  if (info.sources.length) {
    more.push(make("p", {class: "sources"}, words.sources_of.replace("{count}", info.sources.length), ...info.sources.map((source, place) =>
      make("a", {class: `source c${place % 12}`, href: `/item/${source.pair}`, title: source.url}, `${source.title || source.url} (${source.sentences})`))));
  }
  column.append(head(side, info.title, info.url, ...more));
  if (!info.sentences.length) column.append(make("p", {class: "quiet"}, data.kind === "passage" ? words.no_source_text : words.no_text));
  let paragraph = null, last = null;
  for (const sentence of info.sentences) {
    if (sentence.paragraph !== last) {
      paragraph = make("p", {class: "plain"});
      column.append(paragraph);
      last = sentence.paragraph;
    } else paragraph.append(" ");
    const classes = [sentence.content ? "" : "dim", sentence.common ? "common" : "", sentence.changed ? "changed" : "", sentence.source !== null ? `source c${sentence.source % 12}` : ""];
    let piece;
    if (sentence.shared !== null) {
      piece = make("mark", {class: classes.join(" ").trim(), "data-k": sentence.shared, tabindex: "-1"}, sentence.text);
      if (!marks[side].has(sentence.shared)) marks[side].set(sentence.shared, piece);
      piece.addEventListener("click", () => choose(sentence.shared, side));
      paragraph.classList.remove("plain");
    } else piece = make("span", {class: classes.join(" ").trim() || null}, sentence.text);
    paragraph.append(piece);
  }
  return column;
}

function choose(key, from = null) {
  for (const old of document.querySelectorAll("mark.now")) old.classList.remove("now");
  for (const side of ["a", "b"]) {
    for (const mark of document.querySelectorAll(`#side-${side} mark[data-k="${key}"]`)) mark.classList.add("now");
    if (side !== from) marks[side].get(key)?.scrollIntoView({block: "center", behavior: "instant"});
  }
  current = [...marks.a.keys()].indexOf(key);
}

function step(direction) {
  const keys = [...marks.a.keys()];
  if (!keys.length) return;
  current = (current + direction + keys.length) % keys.length;
  choose(keys[current]);
}

function passageSide(side, info, title) {
  const column = pairSide(side, info);
  column.querySelector("h2").textContent = words[title];
  column.querySelector("header").append(make("small", {class: "url"}, info.url));
  return column;
}

function conflictSide(side) {
  const [value, url, time, other] = [row[`value_${side}`], row[`url_${side}`], row[`time_${side}`], row[side === "a" ? "value_b" : "value_a"]];
  const quote = row.rest[`quote_${side}`];
  return make("section", {class: "side", id: `side-${side}`}, head(side, url, url),
    make("p", {class: "value"}, ...different(value ?? "–", other ?? "")),
    make("dl", {class: "keys"}, ...[["record", row.rest.label], ["field", row.field], ["quote", quote], ["time", time]]
      .filter(([, given]) => given).flatMap(([name, given]) => [make("dt", {}, words[name]), make("dd", {}, String(given))])));
}

function different(value, other) {
  // What the two have in common at the ends is plain, what lies between is marked.
  let start = 0, end = 0;
  while (start < value.length && value[start] === other[start]) start++;
  while (end < value.length - start && end < other.length - start && value.at(-1 - end) === other.at(-1 - end)) end++;
  const middle = value.slice(start, value.length - end);
  return [value.slice(0, start), middle ? make("mark", {class: "now"}, middle) : "", value.slice(value.length - end)].filter(part => part !== "");
}

function showSides(answer) {
  const sides = data.kind === "pair" ? [pairSide("a", answer.sides.a), pairSide("b", answer.sides.b)]
    : data.kind === "passage" ? [
      passageSide("a", answer.sides.a, "copy_side"), passageSide("b", answer.sides.b, "source_side"),
    ] : [conflictSide("a"), conflictSide("b")];
  byId("sides").replaceChildren(...sides);
}

function showActions() {
  const button = (verdict, other, text, key, kind) => {
    const made = make("button", {class: `button ${row.verdict === verdict && (row.other || "") === other ? kind || "chosen" : ""}`, "data-verdict": other || verdict}, text, make("kbd", {}, key));
    made.addEventListener("click", () => judge(verdict, other));
    return made;
  };
  byId("actions").replaceChildren(
    button("right", "", words.right_key, "r", "good"), button("wrong", "", words.wrong_key, "w", "bad"),
    data.kind === "pair" ? make("span", {class: "quiet"}, `${words.other_key}:`) : "",
    ...(data.kind === "pair" ? data.categories.map((name, place) => button("other", name, word(name), String(place + 1))) : []),
    make("span", {class: "turn"}, link(-1, "←", "p", words.previous_pair), link(1, "→", "n", words.next_pair)));
}

function link(direction, text, key, title) {
  const made = make("button", {class: "button", title, "aria-label": title}, text, make("kbd", {}, key));
  made.addEventListener("click", () => go(direction));
  return made;
}

// Acting

function showCounts(counts) {
  byId("progress-text").textContent = words.judged_of.replace("{judged}", counts.judged.toLocaleString()).replace("{total}", counts.all.toLocaleString());
}

async function judge(verdict, other = "") {
  if (verdict === "other" && other === row.category) return judge("right");
  try {
    showCounts(await ask(`/api/items/${data.number}`, {verdict, other: verdict === "other" ? other : null}));
  } catch (error) {
    return notice(error.message, true);
  }
  row.verdict = verdict;
  row.other = verdict === "other" ? other : "";
  showActions();
  notice(verdict === "none" ? words.verdict_none : verdict === "other" ? word(other) : words[`verdict_${verdict}`]);
  if (verdict !== "none") await go(1, query.get("verdict") === "unjudged");
}

async function go(direction, gone = false) {
  // The neighbour in the list as it was filtered; a pair that has just been judged may have left it.
  const place = gone ? at : at + direction;
  if (place < 0) return leave();
  const wanted = new URLSearchParams(query);
  for (const name of ["at", "lang"]) wanted.delete(name);
  wanted.set("offset", place);
  wanted.set("limit", 1);
  try {
    const {rows} = await ask(`/api/items?${wanted}`);
    if (!rows.length) return leave();
    query.set("at", place);
    query.delete("lang");
    location.href = `/item/${rows[0].number}?${query}`;
  } catch (error) {
    notice(error.message, true);
  }
}

function listAddress() {
  const back = new URLSearchParams(query);
  for (const name of ["at", "lang"]) back.delete(name);
  const offset = Math.floor(at / 50) * 50;
  if (offset) back.set("offset", offset); else back.delete("offset");
  return `/?${back}`;
}

function leave() {
  location.href = listAddress();
}

async function start() {
  try {
    const answer = await ask(`/api/items/${data.number}`);
    row = answer.row;
    showFacts();
    showSides(answer);
    showActions();
    showCounts(answer.counts);
    byId("back").href = listAddress();
    if (marks.a.size) step(1);
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    notice(error.message, true);
  }
}

const keys = {
  r: () => judge("right"), w: () => judge("wrong"), 0: () => judge("none"), n: () => go(1), p: () => go(-1), ArrowRight: () => go(1), ArrowLeft: () => go(-1),
  ArrowDown: () => step(1), ArrowUp: () => step(-1), s: () => byId("sides").classList.toggle("only-shared"), Escape: leave,
};
if (data.kind === "pair") data.categories.forEach((name, place) => { keys[String(place + 1)] = () => judge("other", name); });
onKeys(keys);
start();
