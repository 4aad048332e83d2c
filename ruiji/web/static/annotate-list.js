// The list of pages to annotate: sorted by uncertainty, filtered here, because all of it is at hand.

import {ask, byId, make, notice, onKeys, say, words} from "./shared.js";

const STEP = 100;
let rows = [];
let shown = STEP;
let marked = -1;

async function load() {
  let answer;
  try {
    answer = await ask("/api/pages");
  } catch (error) {
    notice(error.message, true);
    setTimeout(load, 3000);
    return;
  }
  rows = answer.rows;
  const progress = answer.progress;
  byId("progress").max = progress.pages;
  byId("progress").value = progress.done;
  byId("progress-text").textContent = say("done_of", progress);
  byId("reading").textContent = progress.ready < progress.pages ? say("still_reading", progress) : "";
  const open = rows.find(row => row.state === "new" || row.state === "saved");
  byId("go-on").hidden = !open;
  if (open) byId("go-on").href = `/page/${open.number}`;
  else if (progress.done) byId("progress-text").textContent += " " + words.all_done;
  fillSites();
  show();
  if (progress.ready < progress.pages) setTimeout(load, rows.length > 2000 ? 5000 : 1000);
}

function fillSites() {
  const place = byId("site");
  const sites = [...new Set(rows.map(row => row.site).filter(Boolean))].sort();
  if (place.options.length === sites.length + 1) return;
  const chosen = place.value;
  place.replaceChildren(place.options[0], ...sites.map(site => make("option", {value: site}, site)));
  place.value = chosen;
}

function wanted() {
  const text = byId("search").value.toLowerCase();
  const state = byId("state").value;
  const site = byId("site").value;
  const found = rows.filter(row => (!state || row.state === state) && (!site || row.site === site)
    && (!text || `${row.title} ${row.name}`.toLowerCase().includes(text)));
  if (byId("sort").value === "name") found.sort((one, other) => one.name < other.name ? -1 : 1);
  return found;
}

function bar(value, kind) {
  return make("span", {class: "meter"}, make("meter", {value, min: 0, max: 1, class: kind}), ` ${Math.round(value * 100)} %`);
}

function show() {
  const found = wanted();
  const list = byId("list");
  list.hidden = !found.length;
  byId("empty").hidden = found.length > 0;
  byId("more").hidden = found.length <= shown;
  list.tBodies[0].replaceChildren(...found.slice(0, shown).map((row, place) => {
    const title = row.title || row.name;
    return make("tr", {"data-number": row.number, class: place === marked ? "marked" : null},
      make("td", {}, make("span", {class: `state ${row.state}`}, words[`state_${row.state}`])),
      make("td", {class: "wide"},
        row.state === "error" ? make("span", {}, title) : make("a", {href: `/page/${row.number}`}, title),
        make("small", {}, row.error || row.name)),
      make("td", {class: "site"}, row.site),
      make("td", {class: "number"}, row.ready ? String(row.nodes) : "…"),
      make("td", {}, row.ready && !row.error ? bar(row.off, "off") : "…"),
      make("td", {}, row.ready && !row.error ? bar(row.uncertainty, "uncertain") : "…"));
  }));
}

async function showAgreement() {
  try {
    const {rows: others} = await ask("/api/agreement");
    const percent = value => value === undefined ? "–" : `${(value * 100).toFixed(1)} %`;
    byId("agreement").replaceChildren(others.length
      ? make("table", {class: "list"},
        make("thead", {}, make("tr", {}, ...["annotator", "pages_both", "by_region", "by_node"].map(key => make("th", {}, words[key])))),
        make("tbody", {}, ...others.map(row => make("tr", {}, make("td", {}, row.annotator), make("td", {}, String(row.pages)),
          make("td", {}, percent(row.by_region)), make("td", {}, percent(row.by_node))))))
      : make("p", {class: "quiet"}, words.agreement_none));
  } catch (error) {
    byId("agreement").textContent = error.message;
  }
}

function mark(step) {
  const lines = byId("list").tBodies[0].rows;
  marked = Math.max(0, Math.min(lines.length - 1, marked + step));
  show();
  lines[marked]?.scrollIntoView({block: "nearest"});
}

for (const id of ["search", "state", "site", "sort"]) byId(id).addEventListener("input", () => { shown = STEP; marked = -1; show(); });
byId("more").addEventListener("click", () => { shown += STEP; show(); });
byId("clear").addEventListener("click", () => {
  for (const id of ["search", "state", "site"]) byId(id).value = "";
  show();
});
onKeys({
  ArrowDown: () => mark(1),
  ArrowUp: () => mark(-1),
  Enter: () => byId("list").tBodies[0].rows[marked]?.querySelector("a")?.click(),
  g: () => { if (!byId("go-on").hidden) byId("go-on").click(); },
  "/": () => byId("search").focus(),
});
load();
showAgreement();
