// What every page of the application has: its data, words, requests, help, theme, notices.

export const data = JSON.parse(document.getElementById("data").textContent);
export const words = data.words;

/** The words of a key with {names} filled in. */
export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The answer to a request as an object; an Error with the server's sentence where it fails. */
export async function ask(address, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Ruiji-Token": data.token},
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Error(words.offline);
  }
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = {error: text};
  }
  if (!response.ok) throw new Error(answer.error || response.statusText);
  return answer;
}

/** An element with attributes and children; text is always text, never markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

export const byId = id => document.getElementById(id);

let noticeTimer;
/** A sentence at the foot of the page, for a while. */
export function notice(text, isError = false) {
  const place = byId("notice");
  place.textContent = text;
  place.classList.toggle("error", isError);
  place.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { place.hidden = true; }, isError ? 10000 : 4000);
}

/** Calls the function of a key; keys typed into fields, and those with Ctrl or Alt, are left alone unless named so (ctrl+z). */
export function onKeys(handlers) {
  document.addEventListener("keydown", event => {
    if (byId("help").open) return;
    const typing = /^(input|select|textarea)$/i.test(event.target.tagName);
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const key = (event.ctrlKey || event.metaKey ? "ctrl+" : "") + (event.shiftKey && event.key.length > 1 ? "shift+" : "") + event.key;
    if (event.altKey || !handlers[key]) return;
    if (event.target.matches("button, a[href]") && (key === "Enter" || key === " ")) return;
    event.preventDefault();
    handlers[key](event);
  });
}

function showTheme(theme) {
  document.documentElement.style.colorScheme = "";
  document.documentElement.classList.toggle("force-light", theme === "light");
  document.documentElement.classList.toggle("force-dark", theme === "dark");
}

const help = byId("help");
byId("help-button").addEventListener("click", () => help.showModal());
document.addEventListener("keydown", event => {
  if (event.key === "?" && !/^(input|textarea)$/i.test(event.target.tagName)) {
    if (help.open) help.close(); else help.showModal();
  }
});
help.addEventListener("click", event => { if (event.target === help) help.close(); });

showTheme(localStorage.getItem("ruiji-theme"));
byId("theme").addEventListener("click", () => {
  const dark = document.documentElement.classList.contains("force-dark")
    || (!document.documentElement.classList.contains("force-light") && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = dark ? "light" : "dark";
  localStorage.setItem("ruiji-theme", theme);
  showTheme(theme);
});

byId("language").addEventListener("click", event => {
  event.preventDefault();
  const address = new URL(location.href);
  address.searchParams.set("lang", event.currentTarget.hreflang);
  location.replace(address);
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
    notice(words.copied);
  });
}
