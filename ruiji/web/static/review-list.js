// The list of results. Filtering, sorting and paging are the server's work; the address holds the filters, so that one can come back.

import {ask, byId, data, make, notice, onKeys, say, words} from "./shared.js";

const SIZE = 50;
const fields = [...document.querySelectorAll(".filters [name]")];
const chosen = new URLSearchParams(location.search);
let rows = [], total = 0, marked = -1, asked = 0;

const word = name => words[name] ?? name;
const kindWord = name => words[`kind_${name}`] ?? word(name);
const number = value => value === null || value === undefined ? "–" : Number(value).toLocaleString();
const share = value => make("span", {class: "meter"}, make("meter", {value, min: 0, max: 1}), ` ${value === null ? "–" : value.toFixed(2)}`);
const verdict = row => row.verdict === "none" ? "" : make("span", {class: `state ${row.verdict}`}, row.verdict === "other" ? word(row.other) : words[`verdict_${row.verdict}`]);
const page = (url, title) => [make("span", {class: "title"}, title || url), title ? make("small", {}, url) : null];

const COLUMNS = {
  pair: [
    ["category", row => [make("span", {class: "state category"}, word(row.category)), row.patchwork !== "none" && make("small", {}, words.patchwork)]],
    ["pair", row => make("a", {href: address(row), class: "both"}, make("span", {}, ...page(row.url_a, row.title_a)), make("span", {}, ...page(row.url_b, row.title_b)))],
    ["overlap", row => share(row.overlap)],
    ["containment", row => share(row.containment)],
    ["shared_chars", row => number(row.shared_chars), "number"],
    ["verdict", verdict],
  ],
  passage: [
    ["passage", row => [make("a", {href: address(row)}, row.text.slice(0, 120)), make("small", {}, `${row.url} ← ${row.source_url}`)]],
    ["length", row => number(row.text.length), "number"],
    ["segments", row => number(row.segments), "number"],
    ["score", row => number(row.score), "number"],
    ["verdict", verdict],
  ],
  conflict: [
    ["kind", row => make("span", {class: "state category"}, word(`kind_${row.kind}`))],
    ["conflict", row => [make("a", {href: address(row)}, `${JSON.parse(row.rest).label ?? ""} ${row.field ?? ""}: ${row.value_a ?? "–"} ≠ ${row.value_b ?? "–"}`), make("small", {}, `${row.url_a} · ${row.url_b}`)]],
    ["confidence", row => share(row.confidence)],
    ["verdict", verdict],
  ],
};

function address(row) {
  const query = new URLSearchParams(chosen);
  query.delete("lang");
  query.set("at", Number(chosen.get("offset") ?? 0) + rows.indexOf(row));
  return `/item/${row.number}?${query}`;
}

function readFields() {
  for (const field of fields) {
    const value = field.type === "checkbox" ? (field.checked ? field.value : "") : field.value;
    if (value && value !== "0") chosen.set(field.name, value); else chosen.delete(field.name);
  }
  byId("least-shown").textContent = chosen.get("least") ?? "0";
}

function fillFields() {
  for (const site of data.sites) document.querySelector("[name=site]").append(make("option", {value: site}, site));
  for (const field of fields) {
    if (field.type === "checkbox") field.checked = chosen.has(field.name);
    else if (chosen.has(field.name)) field.value = chosen.get(field.name);
  }
  byId("least-shown").textContent = chosen.get("least") ?? "0";
}

async function load() {
  const ticket = ++asked;
  const query = new URLSearchParams(chosen);
  query.set("limit", SIZE);
  history.replaceState(null, "", `/?${chosen}`);
  let answer;
  try {
    answer = await ask(`/api/items?${query}`);
  } catch (error) {
    return notice(error.message, true);
  }
  if (ticket !== asked) return; // a later one is on its way
  ({rows, total} = answer);
  marked = -1;
  byId("progress").max = answer.all;
  byId("progress").value = answer.judged;
  byId("progress-text").textContent = say("judged_of", {judged: number(answer.judged), total: number(answer.all)});
  const open = rows.find(row => row.verdict === "none") ?? rows[0];
  byId("go-on").hidden = !open;
  if (open) byId("go-on").href = address(open);
  showChips(answer);
  show();
}

function showChips(answer) {
  if (data.kind === "passage") return;
  const chip = (value, text, size) => {
    const button = make("button", {class: (chosen.get("category") ?? "") === value ? "chip chosen" : "chip"}, text, make("b", {}, number(size)));
    button.addEventListener("click", () => {
      if (value) chosen.set("category", value); else chosen.delete("category");
      chosen.delete("offset");
      load();
    });
    return button;
  };
  const present = data.categories.filter(name => answer.categories[name]);
  byId("chips").replaceChildren(chip("", words.all, answer.all), ...present.map(name => chip(name, kindWord(name), answer.categories[name])));
}

function show() {
  const columns = COLUMNS[data.kind];
  const list = byId("list");
  list.hidden = !rows.length;
  byId("empty").hidden = rows.length > 0;
  list.tHead.rows[0].replaceChildren(...columns.map(([name, , kind]) => make("th", {class: kind}, words[name])));
  list.tBodies[0].replaceChildren(...rows.map((row, place) => make("tr", {class: place === marked ? "marked" : null},
    ...columns.map(([, cell, kind]) => make("td", {class: kind}, ...[cell(row)].flat())))));
  const offset = Number(chosen.get("offset") ?? 0);
  byId("shown").textContent = rows.length ? `${number(offset + 1)}–${number(offset + rows.length)} / ${number(total)}` : "";
  byId("before").disabled = offset === 0;
  byId("after").disabled = offset + rows.length >= total;
}

function turn(step) {
  const offset = Math.max(0, Number(chosen.get("offset") ?? 0) + step * SIZE);
  if (offset >= total) return;
  if (offset) chosen.set("offset", offset); else chosen.delete("offset");
  load();
  scrollTo({top: 0});
}

function mark(step) {
  marked = Math.max(0, Math.min(rows.length - 1, marked + step));
  show();
  byId("list").tBodies[0].rows[marked]?.scrollIntoView({block: "nearest"});
}

let timer;
for (const field of fields) {
  field.addEventListener("input", () => {
    readFields();
    chosen.delete("offset");
    clearTimeout(timer);
    timer = setTimeout(load, field.type === "search" || field.type === "range" ? 250 : 0);
  });
}
byId("before").addEventListener("click", () => turn(-1));
byId("after").addEventListener("click", () => turn(1));
byId("clear").addEventListener("click", () => { location.href = "/"; });
onKeys({
  ArrowDown: () => mark(1), ArrowUp: () => mark(-1), ArrowRight: () => turn(1), ArrowLeft: () => turn(-1),
  Enter: () => { if (rows[marked]) location.href = address(rows[marked]); },
  g: () => { if (!byId("go-on").hidden) byId("go-on").click(); },
  "/": () => document.querySelector("[name=text]").focus(),
});
fillFields();
load();
