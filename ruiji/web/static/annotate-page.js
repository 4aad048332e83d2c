// One page under annotation. The page itself is in a frame in which nothing runs; this script reaches into it from outside, through a
// pane of glass that takes all clicks, so that no link and no field of the page is ever touched.

import {ask, byId, data, make, notice, onKeys, say, words} from "./shared.js";

const CONTENT = 0, BEGIN = 1, INSIDE = 2;
const NUMBERED = "ruiji-t, tspan[data-n]";
const LARGE = 10000; // text nodes of a page that takes long to lay out
const MANY = 100; // children of an element
const CHECKED = 64; // of a large page, every so many texts are checked before it is shown, the others when they are used
const WATCHED = 1000, WATCH_AFTER = 100; // elements of a large page at a time, and milliseconds between
const OUTLINED = 2000; // uncertain texts at a time
const SAVE_AFTER = 400; // milliseconds without a change

const glass = byId("glass");
let frame = byId("frame");
let labels = [], uncertain = [], blocks = null;
let children = []; // of each block, blocks (their number) and texts of its own (-1 - node), in order
let texts = [], misplaced = false; // the numbered texts of the frame; whether one was met at another's place
const elements = new Map(); // of blocks, as far as somebody asked
let selected = null; // a block's number, or -1 - node for a text
const undone = [], done = [];
let saveTimer = null, saving = Promise.resolve(), isDone = false, plain = false, neutral = false;

// What is selected

const range = which => which < 0 ? [-1 - which, -which] : [blocks.first[which], blocks.end[which]];
const parentOf = which => which < 0 ? ownerOf[-1 - which] : blocks.parent[which];
let ownerOf = []; // the innermost block of each node

function arrange() {
  const count = blocks.element.length;
  children = Array.from({length: count}, () => []);
  ownerOf = new Array(labels.length).fill(-1);
  for (let block = 0; block < count; block++) {
    for (let node = blocks.first[block]; node < blocks.end[block]; node++) ownerOf[node] = block;
  }
  for (let block = 0; block < count; block++) if (blocks.parent[block] >= 0) children[blocks.parent[block]].push(block);
  for (let node = 0; node < ownerOf.length; node++) {
    const owner = ownerOf[node];
    if (owner >= 0 && blocks.end[owner] - blocks.first[owner] > 1) children[owner].push(-1 - node);
  }
  for (const list of children) list.sort((one, other) => range(one)[0] - range(other)[0]);
}

// A text is looked at only when somebody asks: a large page has a hundred thousand, and a script needs longer for them than the parser.
function textOf(node) {
  const text = texts[node];
  if (text && Number(text.getAttribute("data-n")) !== node) misplaced = true;
  return text;
}

// The element of a block is found from its first text; where the browser has built another tree there is none.
function elementOf(block) {
  if (!elements.has(block)) {
    const [start, end] = range(block);
    let element = textOf(start)?.parentElement;
    for (let step = blocks.above[block]; element && step > 0; step--) element = element.parentElement;
    const fits = element?.contains(textOf(end - 1)) && ![start - 1, end].some(node => texts[node] && element.contains(texts[node]));
    elements.set(block, fits ? element : undefined);
  }
  return elements.get(block);
}

function blockAt(element) {
  // The innermost block or text at an element of the frame.
  const text = element?.closest(NUMBERED);
  if (text) {
    const node = Number(text.dataset.n), owner = ownerOf[node];
    return owner >= 0 ? (children[owner].includes(-1 - node) && !inlineOnly(owner) ? -1 - node : owner) : null;
  }
  for (let place = element; place; place = place.parentElement) {
    const inside = place.querySelector(NUMBERED);
    for (let block = inside ? ownerOf[Number(inside.dataset.n)] : -1; block >= 0; block = blocks.parent[block]) {
      if (elementOf(block) === place) return block;
    }
  }
  return null;
}

// A block of text with links or bold words in it is one thing for the reader: it is selected whole.
function inlineOnly(block) {
  return blocks.end[block] - blocks.first[block] <= 12 && children[block].every(child => child < 0 || !children[child].length);
}

function select(which, scroll = false) {
  if (which === null || which === undefined) return;
  selected = which;
  showPath();
  if (scroll) {
    watch(texts, unwatched.length); // what is not watched has no place to scroll to
    let box = boxOf(which);
    const height = frame.clientHeight;
    if (box && labels.length > LARGE && (box.top < 0 || box.bottom > height)) { // what lies between has no size yet: go there first
      (which < 0 ? textOf(-1 - which) : elementOf(which))?.scrollIntoView({block: "center", behavior: "instant"});
      box = boxOf(which);
    }
    if (box && (box.top < 0 || box.top > height - 40 || (box.bottom > height && box.height < height))) {
      frame.contentWindow.scrollBy({top: box.top - height / 4, behavior: "instant"});
    }
  }
  draw();
  if (misplaced) check();
}

function move(direction) {
  if (selected === null) return select(firstBlock(), true);
  if (direction === "up") {
    if (parentOf(selected) >= 0) select(parentOf(selected), true);
  } else if (direction === "down") {
    if (selected >= 0 && children[selected].length) select(children[selected][0], true);
  } else {
    // The sibling, or where there is none, that of the block around it.
    for (let which = selected; ; which = parentOf(which)) {
      const around = parentOf(which);
      if (around < 0) return;
      const row = children[around], place = row.indexOf(which) + (direction === "right" ? 1 : -1);
      if (row[place] !== undefined) return select(row[place], true);
    }
  }
}

function firstBlock() {
  let block = 0;
  while (children[block]?.length === 1 && children[block][0] >= 0) block = children[block][0];
  return children[block]?.[0] ?? (labels.length ? 0 : null);
}

function nextUncertain(step) {
  if (!uncertain.length) return;
  const [start] = selected === null ? [step > 0 ? -1 : labels.length] : range(selected);
  const found = step > 0 ? uncertain.find(node => node > start) ?? uncertain[0] : uncertain.findLast(node => node < start) ?? uncertain.at(-1);
  const owner = ownerOf[found];
  select(blocks.end[owner] - blocks.first[owner] === 1 ? owner : -1 - found, true);
}

// What it looks like

function boxOf(which) {
  let places = [];
  if (which < 0) places = [textOf(-1 - which)];
  else {
    const element = elementOf(which), [start, end] = range(which);
    if (element) places = [element];
    if (!element || !element.getClientRects().length) places = Array.from({length: end - start}, (_, place) => textOf(start + place));
  }
  let box = null;
  for (const place of places) {
    for (const rect of place?.getClientRects() ?? []) {
      if (!rect.width && !rect.height) continue;
      box = box === null ? {left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom} : {
        left: Math.min(box.left, rect.left), top: Math.min(box.top, rect.top),
        right: Math.max(box.right, rect.right), bottom: Math.max(box.bottom, rect.bottom),
      };
    }
  }
  if (box) box.height = box.bottom - box.top;
  return box;
}

function place(mark, which) {
  const box = which === null ? null : boxOf(which);
  mark.style.display = box ? "block" : "none";
  if (!box) return;
  mark.style.transform = `translate(${box.left - 2}px, ${box.top - 2}px)`;
  mark.style.width = `${box.right - box.left + 4}px`;
  mark.style.height = `${box.height + 4}px`;
}

function draw() {
  place(byId("selection"), selected);
}

function stateOf([start, end]) {
  let off = 0;
  for (let node = start; node < end; node++) off += labels[node] !== CONTENT;
  return off === 0 ? "content" : off === end - start ? "not_content" : "mixed";
}

function showPath() {
  const chain = [];
  for (let which = selected; which !== -1; which = parentOf(which)) {
    chain.unshift(which);
    if (which >= 0 && blocks.parent[which] < 0) break;
  }
  byId("path").replaceChildren(...chain.map(which => {
    const button = make("button", {class: which === selected ? "step here" : "step"}, which < 0 ? "text" : blocks.labels[blocks.label[which]]);
    button.addEventListener("click", () => select(which, true));
    return button;
  }));
  byId("path").scrollLeft = byId("path").scrollWidth;
  const [start, end] = range(selected);
  let text = "";
  for (let node = start; node < end && text.length < 160; node++) text += (textOf(node)?.textContent ?? "") + " ";
  const state = stateOf([start, end]);
  byId("excerpt").replaceChildren(make("span", {class: `state ${state}`}, words[state]), ` ${text.replace(/\s+/g, " ").trim().slice(0, 160)}`);
  byId("excerpt").dataset.state = state;
}

let painted = new Uint8Array(); // of each text, whether it is marked
const paintedBlocks = new Set();
function paint() {
  // Elements that are not content throughout are tinted as a whole, texts, pictures and all; the outermost of them only.
  const before = new Int32Array(labels.length + 1);
  for (let node = 0; node < labels.length; node++) before[node + 1] = before[node] + (labels[node] !== CONTENT);
  const wanted = new Set();
  const inside = new Uint8Array(blocks.element.length), covered = new Uint8Array(labels.length);
  for (let block = 0; block < blocks.element.length; block++) {
    const around = blocks.parent[block], start = blocks.first[block], end = blocks.end[block];
    inside[block] = (around >= 0 && inside[around]) || (before[end] - before[start] === end - start && elementOf(block) !== undefined);
    if (inside[block] && !(around >= 0 && inside[around])) {
      wanted.add(block);
      covered.fill(1, start, end);
    }
  }
  for (const block of paintedBlocks) if (!wanted.has(block)) elementOf(block)?.removeAttribute("data-ruiji-off");
  for (const block of wanted) if (!paintedBlocks.has(block)) elementOf(block)?.setAttribute("data-ruiji-off", "");
  paintedBlocks.clear();
  for (const block of wanted) paintedBlocks.add(block);
  for (let node = 0; node < labels.length; node++) {
    const off = labels[node] === CONTENT || covered[node] ? 0 : 1;
    if (painted[node] !== off) {
      textOf(node)?.toggleAttribute("off", off === 1);
      painted[node] = off;
    }
  }
}

// What is changed

function decided(old, [start, end], content) {
  const changed = old.slice();
  for (let node = start; node < end; node++) changed[node] = content ? CONTENT : INSIDE;
  if (!content) changed[start] = BEGIN;
  if (changed[end] === INSIDE) changed[end] = BEGIN;
  return changed;
}

function change(to) {
  done.push({before: labels, after: to});
  undone.length = 0;
  put(to);
}

function put(to) {
  labels = to;
  paint();
  if (selected !== null) showPath();
  draw();
  byId("undo").disabled = !done.length;
  byId("redo").disabled = !undone.length;
  if (misplaced) check();
  saveSoon();
}

function toggle() {
  if (selected === null) return notice(words.nothing_selected);
  change(decided(labels, range(selected), stateOf(range(selected)) === "not_content"));
}

function join() {
  if (selected === null) return;
  const [start] = range(selected);
  if (start > 0 && labels[start] === BEGIN && labels[start - 1] !== CONTENT) {
    const to = labels.slice();
    to[start] = INSIDE;
    change(to);
  }
}

async function apply() {
  if (selected === null) return notice(words.nothing_selected);
  const block = selected < 0 ? parentOf(selected) : selected;
  select(block);
  const content = stateOf(range(block)) === "content";
  await saveNow();
  try {
    const answer = await ask(`/api/pages/${data.number}/apply`, {element: blocks.element[block], content});
    const before = labels;
    await reload();
    done.push({before, after: labels, site: answer.change, redo: {element: blocks.element[block], content}});
    undone.length = 0;
    put(labels);
    notice(say("applied", answer) + (answer.failures.length ? ` · ${answer.failures.join(" · ")}` : ""));
  } catch (error) {
    notice(error.message, true);
  }
}

async function undo() {
  const last = done.pop();
  if (!last) return;
  undone.push(last);
  if (last.site !== undefined) {
    await saveNow();
    try {
      await ask(`/api/changes/${last.site}/undo`, {});
      await reload();
    } catch (error) {
      notice(error.message, true);
    }
    put(labels);
  } else put(last.before);
}

async function redo() {
  const next = undone.pop();
  if (!next) return;
  if (next.site !== undefined) {
    try {
      const answer = await ask(`/api/pages/${data.number}/apply`, next.redo);
      next.site = answer.change;
      await reload();
    } catch (error) {
      notice(error.message, true);
    }
    done.push(next);
    put(labels);
  } else {
    done.push(next);
    put(next.after);
  }
}

async function reload() {
  const answer = await ask(`/api/pages/${data.number}`);
  labels = Array.from(answer.labels, Number);
}

// What is saved

function status(key, text = words[key]) {
  byId("status").textContent = text;
  byId("status").dataset.state = key;
}

function saveSoon() {
  status("saving");
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, SAVE_AFTER);
}

function saveNow() {
  if (saveTimer !== null) {
    clearTimeout(saveTimer);
    return save();
  }
  return saving;
}

function save(finish) {
  saveTimer = null;
  const body = {labels: labels.join("")};
  if (finish) body.done = true;
  saving = saving.then(async () => {
    try {
      const answer = await ask(`/api/pages/${data.number}`, body);
      showProgress(answer.progress);
      if (saveTimer === null) status("saved");
      return true;
    } catch (error) {
      status("not_saved");
      notice(`${words.not_saved}: ${error.message}`, true);
      return false;
    }
  });
  return saving;
}

async function finish() {
  clearTimeout(saveTimer);
  if (await save(true)) location.href = data.open === null ? "/" : `/page/${data.open}`;
}

async function leave(address) {
  if (saveTimer !== null && !await saveNow()) return;
  location.href = address;
}

function showProgress(progress) {
  byId("progress-text").textContent = say("done_of", progress);
}

// The frame

// The frame is not shown until its marks are on it: a page is then laid out once, not after every piece that arrives.
function loadFrame() {
  const fresh = frame.cloneNode(); // taking a large page away with its frame is faster than loading another over it
  fresh.removeAttribute("src");
  fresh.hidden = true;
  frame.replaceWith(fresh);
  frame = fresh;
  return new Promise(resolve => {
    frame.addEventListener("load", resolve, {once: true});
    frame.src = `/frame/${data.number}${plain ? "?plain=1" : neutral ? "?neutral=1" : ""}`;
  });
}

// Should this browser's parser have rearranged the copy, it is asked for under names that no parser treats in a special way.
async function check() {
  if (neutral || (texts.length === labels.length && !misplaced)) return;
  neutral = true;
  await loadFrame();
  connect();
  notice(words.renamed_notice);
}

function connect() {
  const inner = frame.contentDocument;
  texts = inner.querySelectorAll(NUMBERED);
  misplaced = false;
  elements.clear();
  painted = new Uint8Array(labels.length);
  paintedBlocks.clear();
  const step = labels.length > LARGE ? CHECKED : 1;
  for (let node = 0; node < labels.length; node += step) textOf(node);
  if (misplaced && neutral) texts = sorted(texts);
  outline(texts);
  paint();
  if (labels.length > LARGE) putOff();
  frame.hidden = false;
  requestAnimationFrame(() => requestAnimationFrame(draw)); // asked before, the browser would lay out what is far as well
}

// Many uncertain texts are outlined a few at a time, while the page can be used already.
function outline(shown, from = 0) {
  if (shown !== texts) return; // another copy is there by now
  for (const node of uncertain.slice(from, from + OUTLINED)) textOf(node)?.toggleAttribute("uncertain", true);
  if (from + OUTLINED < uncertain.length) setTimeout(outline, 0, shown, from + OUTLINED);
}

function sorted(found) {
  const byNumber = [];
  for (const text of found) byNumber[Number(text.getAttribute("data-n"))] = text;
  return byNumber;
}

// Of a large page, what is far from view is laid out when one comes near: the many children of one element. Watching whether one comes near
// costs too, so most of them are only watched once the page can be used.
let unwatched = [];
function putOff() {
  unwatched = [];
  for (let block = 0; block < children.length; block++) {
    if (children[block].length <= MANY) continue;
    const around = elementOf(children[block].find(child => child >= 0))?.parentElement;
    if (!around || around.childElementCount <= MANY || around.localName === "tr") continue;
    let place = 0;
    for (const child of around.children) {
      if (child.localName === "tr" || child.localName === "td") continue;
      const near = place++ < MANY;
      child.setAttribute("data-ruiji-far", near ? "" : "unwatched");
      if (!near) unwatched.push(child);
    }
  }
  setTimeout(watch, WATCH_AFTER, texts);
}

function watch(shown, count = WATCHED) {
  if (shown !== texts) return; // another copy is there by now
  for (const element of unwatched.splice(0, count)) element.setAttribute("data-ruiji-far", "");
  if (unwatched.length) setTimeout(watch, WATCH_AFTER, shown);
}

const scrolled = () => { draw(); place(byId("hover"), null); };

glass.addEventListener("wheel", event => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? frame.clientHeight : 1;
  frame.contentWindow.scrollBy({left: event.deltaX * unit, top: event.deltaY * unit, behavior: "instant"});
  scrolled();
}, {passive: false});

let touch = null;
glass.addEventListener("pointerdown", event => { touch = event.pointerType === "touch" ? event.clientY : null; });
glass.addEventListener("pointermove", event => {
  if (touch !== null && event.buttons) {
    frame.contentWindow.scrollBy({top: touch - event.clientY, behavior: "instant"});
    touch = event.clientY;
    scrolled();
  } else if (event.pointerType !== "touch" && blocks) place(byId("hover"), blockAt(under(event)));
});
glass.addEventListener("pointerleave", () => place(byId("hover"), null));

function under(event) {
  const box = frame.getBoundingClientRect();
  return frame.contentDocument?.elementFromPoint(event.clientX - box.left, event.clientY - box.top);
}

glass.addEventListener("click", event => {
  if (!blocks) return;
  select(blockAt(under(event)));
  if (event.detail === 2) toggle();
});
window.addEventListener("resize", draw);

function scroll(share) {
  const view = frame.contentWindow;
  if (Math.abs(share) > 1) watch(texts, unwatched.length);
  view.scrollBy({top: share * frame.clientHeight, behavior: "instant"});
  scrolled();
}

async function switchPlain() {
  plain = !plain;
  await loadFrame();
  connect();
  await check();
}

async function start() {
  try {
    const [answer] = await Promise.all([ask(`/api/pages/${data.number}`), loadFrame()]);
    labels = Array.from(answer.labels, Number);
    ({uncertain, blocks} = answer);
    isDone = answer.done;
    arrange();
    connect();
    showProgress(answer.progress);
    byId("origin").textContent = words[`pre_${answer.origin}`];
    status(answer.saved ? "saved" : "unsaved", (isDone ? `${words.state_done} · ` : "") + words[answer.saved ? "saved" : "unsaved"]);
    byId("undo").disabled = byId("redo").disabled = true;
    await check();
    glass.focus();
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    status("not_saved", words.failed);
    notice(error.message, true);
  }
}

for (const [id, act] of Object.entries({toggle, apply, undo, redo, done: finish, "next-uncertain": () => nextUncertain(1)})) {
  byId(id).addEventListener("click", () => { act(); glass.focus(); });
}
for (const link of document.querySelectorAll(".where a, .mark")) {
  link.addEventListener("click", event => { event.preventDefault(); leave(link.href); });
}
window.addEventListener("beforeunload", event => { if (saveTimer !== null) { saveNow(); event.preventDefault(); } });
onKeys({
  " ": toggle, ArrowUp: () => move("up"), ArrowDown: () => move("down"), ArrowLeft: () => move("left"), ArrowRight: () => move("right"),
  Tab: () => nextUncertain(1), "shift+Tab": () => nextUncertain(-1), a: apply, j: join, u: undo, r: redo, "ctrl+z": undo, "ctrl+y": redo,
  "ctrl+Z": redo, Enter: finish, n: () => leave(`/page/${data.next}`), p: () => leave(`/page/${data.previous}`), v: switchPlain,
  Escape: () => leave("/"), PageDown: () => scroll(0.9), PageUp: () => scroll(-0.9), Home: () => scroll(-1e6), End: () => scroll(1e6),
});
start();
