"use strict";
// The search of the documentation's site: words are looked up in the sections of all pages, which this page holds.

const found = document.getElementById("found");
const field = document.getElementById("search");
const sections = JSON.parse(document.getElementById("page-data").textContent).map((each) => ({
  ...each, lower: `${each.page} ${each.title} ${each.text}`.toLowerCase(), head: `${each.page} ${each.title}`.toLowerCase(),
}));
const MOST = 40;

/** The sections that have all words, those first that have them in their title. */
function search(words) {
  const hits = sections.filter((each) => words.every((word) => each.lower.includes(word)));
  const score = (each) => words.filter((word) => each.head.includes(word)).length;
  return hits.map((each, place) => ({ each, place, score: score(each) }))
    .sort((one, other) => other.score - one.score || one.place - other.place).map((hit) => hit.each);
}

/** The words around the first place where one of the searched words stands. */
function excerpt(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 60);
  return `${from > 0 ? "… " : ""}${text.slice(from, from + 180)}${from + 180 < text.length ? " …" : ""}`;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  if (words.length === 0) return;
  const hits = search(words);
  const say = (tag, text, parent) => {
    const made = document.createElement(tag);
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const shown = hits.length > MOST ? `, of which ${MOST} are shown` : "";
  say("p", `${hits.length || "No"} ${hits.length === 1 ? "section has" : "sections have"} these words${shown}.`, found);
  for (const each of hits.slice(0, MOST)) {
    const entry = say("p", "", found);
    say("a", each.title ? `${each.page}: ${each.title}` : each.page, entry).href = each.address;
    say("br", "", entry);
    say("span", excerpt(each.text, words), entry).className = "quiet";
  }
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", show);
field.form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
show();
