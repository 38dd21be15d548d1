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
