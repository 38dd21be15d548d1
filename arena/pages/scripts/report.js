// The report: which edition is shown, and which entrant is picked and stands out everywhere.

const reportData = pageData();
const reportBar = { edition: document.getElementById("edition"), picked: document.getElementById("picked") };
const reportEditions = [...reportBar.edition.options].map((option) => option.value);

/** Show the figures of one edition, beside those of the whole run. */
function showEdition(label) {
  reportBar.edition.value = label;
  for (const part of document.querySelectorAll(".part[data-edition]")) part.hidden = part.dataset.edition !== label;
  for (const section of document.querySelectorAll(".report section")) {
    const hint = section.querySelector(".elsewhere");
    if (hint) hint.hidden = !section.querySelector(".part") || section.querySelector(".part:not([hidden])") !== null;
  }
  document.dispatchEvent(new CustomEvent("report-edition", { detail: label }));
}

/** Let an entrant stand out, by its number; with "" nobody does. */
function pickEntrant(number) {
  reportBar.picked.value = number;
  for (const each of document.querySelectorAll("[data-e]")) each.classList.toggle("picked", each.dataset.e === number);
  for (const chosen of document.querySelectorAll(".chart, .each")) {
    chosen.classList.toggle("chosen", chosen.querySelector(".picked") !== null);
  }
  for (const line of document.querySelectorAll(".chart .curve.picked")) line.parentNode.append(line);
  document.dispatchEvent(new CustomEvent("report-pick", { detail: number }));
}

/** Choose an edition, and say so in the address. */
function chooseEdition(label) {
  showEdition(label);
  writeAddress({ edition: label === reportEditions.at(-1) ? "" : label });
}

/** Choose an entrant, and say so in the address. */
function chooseEntrant(number) {
  pickEntrant(number);
  writeAddress({ entrant: number === "" ? "" : reportData.entrants[Number(number)] });
}

/** Come to a place of the page: its section is opened; a part of it may be of another edition than is shown. */
function comeTo(id) {
  const place = document.getElementById(id);
  if (!place?.matches("section, .part")) return;
  for (const fold of [place.querySelector(":scope > details"), place.closest("details")]) if (fold) fold.open = true;
  if (place.hidden) chooseEdition(place.dataset.edition);
  place.scrollIntoView();
}

/** Show what the address asks for. */
function followAddress() {
  const asked = askedByAddress(), edition = asked.get("edition"), entrant = asked.get("entrant");
  const number = entrant === null ? -1 : reportData.entrants.indexOf(entrant);
  if (reportEditions.length) showEdition(reportEditions.includes(edition) ? edition : reportEditions.at(-1));
  pickEntrant(number < 0 ? "" : String(number));
  if (asked.get("at")) comeTo(asked.get("at"));
}

reportBar.edition.disabled = reportEditions.length < 2;
reportBar.picked.disabled = false;
reportBar.edition.addEventListener("change", () => chooseEdition(reportBar.edition.value));
reportBar.picked.addEventListener("change", () => chooseEntrant(reportBar.picked.value));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (button) chooseEntrant(reportBar.picked.value === button.dataset.pick ? "" : button.dataset.pick);
});
for (const link of document.querySelectorAll(".contents a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const at = link.hash.slice(1);
    writeAddress({ at }, true);
    comeTo(at);
  });
}
addEventListener("hashchange", followAddress);
document.addEventListener("DOMContentLoaded", followAddress);
