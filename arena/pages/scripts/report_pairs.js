// In a run of many entrants, how the picked one did against every other: read out of the rows of the crosstable.

/** The text of a cell, without the apostrophe that keeps a spreadsheet from computing it (csv_cells.py). */
function textOf(cell) {
  return /^'+[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell;
}

/** The cells of a CSV file (RFC 4180), row by row. */
function csvCells(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1).push(textOf(quoted === undefined ? plain : quoted.replaceAll('""', '"')));
    if (end === "") break;
    if (end === "\r\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

/** A share as tables show it, with the ends of its interval. */
function shareTold(mean, low, high) {
  if (mean === "") return "–";
  const percent = (share) => (Number(share) * 100).toFixed(1);
  return low === "" ? `${percent(mean)} %` : `${percent(mean)} (${percent(low)}…${percent(high)}) %`;
}

/** The table of an entrant against all others, from the rows of the crosstable. */
function pairsOf(rows, name) {
  const body = rows.filter((row) => row[0] === name && row[2] !== "0");
  const heads = ["against", "matches", "ranked better", "money ahead"];
  return make("div", { class: "scroll pairs", tabindex: "0" },
    make("table", {},
      make("thead", {}, make("tr", {}, ...heads.map((text, at) => make("th", { text, class: at ? null : "l" })))),
      make("tbody", {}, ...body.map((row) => make("tr", {},
        make("td", { class: "l" }, make("bdi", { text: row[1] })),
        make("td", { text: row[2] }),
        make("td", { text: shareTold(row[3], row[5], row[6]) }),
        make("td", { text: row[7] === "" ? "–" : Number(row[7]).toFixed(1) }))))));
}

/** Show it below each crosstable that is cut. */
async function showPairs(number) {
  for (const old of document.querySelectorAll(".pairs")) old.remove();
  if (number === "") return;
  for (const part of document.querySelectorAll("#crosstable .part:not([hidden])")) {
    const sheet = part.querySelector("[data-sheet]");
    const rows = csvCells(await unpackedText(reportData.sheets[sheet.dataset.sheet].packed)).slice(1);
    if (reportBar.picked.value !== number) return;
    part.querySelector(".below").before(pairsOf(rows, reportData.entrants[Number(number)]));
    return;
  }
}

if (reportData.entrants.length > reportData.most) {
  document.addEventListener("report-pick", (event) => showPairs(event.detail));
  document.addEventListener("report-edition", () => showPairs(reportBar.picked.value));
}
