// Heat maps: a cell says all that is known of it when it is pointed at, or walked to with the arrow keys.

const heatSteps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The cell so many rows and columns away from this one, past cells in which nothing stands. */
function heatNeighbour(cell, [down, right]) {
  const rows = [...cell.closest("tbody").rows];
  let row = rows.indexOf(cell.parentNode), column = cell.cellIndex;
  do {
    row += down;
    column += right;
  } while (rows[row]?.cells[column] && !rows[row].cells[column].matches(".spot"));
  const found = rows[row]?.cells[column];
  return found?.matches(".spot") ? found : null;
}

/** Say below the map what is known of a cell. */
function tellCell(table, cell) {
  table.closest(".part").querySelector(".told").textContent = cell.title;
}

/** Make a cell the one that the keyboard comes to. */
function reachCell(table, cell) {
  for (const other of table.querySelectorAll('.spot[tabindex="0"]')) other.tabIndex = -1;
  cell.tabIndex = 0;
}

for (const table of document.querySelectorAll(".heat")) {
  const first = table.querySelector(".spot");
  if (first) first.tabIndex = 0;
  table.addEventListener("pointerover", (event) => {
    const cell = event.target.closest(".spot");
    if (cell) tellCell(table, cell);
  });
  table.addEventListener("click", (event) => {
    const cell = event.target.closest(".spot");
    if (cell) { reachCell(table, cell); cell.focus(); }
  });
  table.addEventListener("focusin", (event) => { if (event.target.matches(".spot")) tellCell(table, event.target); });
  table.addEventListener("keydown", (event) => {
    const step = heatSteps[event.key];
    const next = step && event.target.matches(".spot") && heatNeighbour(event.target, step);
    if (!next) return;
    event.preventDefault();
    reachCell(table, next);
    next.focus();
  });
}
