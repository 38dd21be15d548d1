"use strict";
// What every page has: its data, elements made from text alone (never from HTML), and the choice of dark or light.

/** The data that the page was written with. */
function pageData() {
  return JSON.parse(document.getElementById("page-data").textContent);
}

/**
 * An element. `attributes` may hold `class`, `text`, `on` ({click: function}) and any attribute; what is null,
 * undefined or false is left out. Children are elements or texts.
 */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** What is remembered between visits, where the browser allows it: pages opened as files may be denied. */
const remembered = {
  get(name) {
    try { return localStorage.getItem(`arena ${name}`); } catch { return null; }
  },
  set(name, value) {
    try { localStorage.setItem(`arena ${name}`, value); } catch { /* it is not remembered */ }
  },
};

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function chooseTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  remembered.set("theme", theme);
}

if (remembered.get("theme")) document.documentElement.dataset.theme = remembered.get("theme");
document.addEventListener("click", (event) => { if (event.target.closest?.("#theme")) chooseTheme(); });
