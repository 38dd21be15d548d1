// What is wider than the screen says so, and fades where it goes on.

/** Mark the sides on which more is to be seen. */
function markSides(box) {
  const left = box.scrollLeft > 1, right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  box.classList.toggle("more-left", left);
  box.classList.toggle("more-right", right);
  if (!left && !right) return box.previousElementSibling?.matches(".sideways") && box.previousElementSibling.remove();
  if (!box.previousElementSibling?.matches(".sideways")) {
    box.before(make("p", { class: "quiet sideways", text: "Wider than the screen: it scrolls sideways →" }));
  }
}

const reportWidths = new ResizeObserver((changes) => { for (const change of changes) markSides(change.target); });
for (const box of document.querySelectorAll(".scroll")) {
  box.addEventListener("scroll", () => markSides(box), { passive: true });
  reportWidths.observe(box);
}

// On a phone a row of a table becomes a block, in which each figure stands under the head of its column.

const reportNarrow = matchMedia("(max-width: 40rem)");

/** Put the head of its column on each cell, once. */
function stackTables() {
  if (!reportNarrow.matches) return;
  for (const table of document.querySelectorAll(".report table:not(.heat, .stacked)")) {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, at) => { cell.dataset.label = heads[at]; });
    table.classList.add("stacked");
  }
}

reportNarrow.addEventListener("change", stackTables);
stackTables();
