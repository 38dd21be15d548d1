// The report: which edition is shown, and which entrant is picked and stands out everywhere.

const reportData = pageData();
const reportBar = { edition: document.getElementById("edition"), picked: document.getElementById("picked") };

/** Show the figures of one edition, beside those of the whole run. */
function showEdition(label) {
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
  for (const chart of document.querySelectorAll(".chart")) {
    chart.classList.toggle("chosen", chart.querySelector(".picked") !== null);
  }
  for (const line of document.querySelectorAll(".chart .curve.picked")) line.parentNode.append(line);
  document.dispatchEvent(new CustomEvent("report-pick", { detail: number }));
}

/** The rows below a heading that a link leads to may be of an edition that is not shown. */
function showTarget() {
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest(".part[data-edition]");
  if (part?.hidden) {
    reportBar.edition.value = part.dataset.edition;
    showEdition(part.dataset.edition);
    part.scrollIntoView();
  }
}

reportBar.edition.disabled = reportBar.edition.options.length < 2;
reportBar.picked.disabled = false;
reportBar.edition.addEventListener("change", () => showEdition(reportBar.edition.value));
reportBar.picked.addEventListener("change", () => pickEntrant(reportBar.picked.value));
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-pick]");
  if (button) pickEntrant(reportBar.picked.value === button.dataset.pick ? "" : button.dataset.pick);
});
addEventListener("hashchange", showTarget);
if (reportBar.edition.options.length) showEdition(reportBar.edition.value);
showTarget();
