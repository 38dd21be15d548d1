// All sentences of the match in a list that follows the event shown, with a search.

const rowsTogether = 60;

class SentenceList {
  constructor(viewer, root, field, found) {
    Object.assign(this, { viewer, root, field, found });
    this.rows = new Map();
    this.current = null;
    root.addEventListener("click", (event) => this.clicked(event));
    field.addEventListener("input", () => this.search());
    field.addEventListener("keydown", (event) => this.typed(event));
  }

  /** Other eyes are told other sentences. Rows stand in groups that a browser lays out only while they are seen. */
  look() {
    const { course } = this.viewer;
    this.rows.clear();
    this.current = null;
    const groups = [];
    for (const at of course.visible) {
      if (!course.told[at].length) continue;
      if (this.rows.size % rowsTogether === 0) groups.push(make("div", { class: "group" }));
      const row = this.row(at);
      this.rows.set(at, row);
      groups[groups.length - 1].append(row);
    }
    this.root.replaceChildren(...groups);
    this.search();
  }

  row(at) {
    const { course } = this.viewer, { n } = course.frames[at], told = course.told[at];
    const apart = told[0].apart ? " apart" : "";
    return make("div", { class: `row ${told[0].kind ?? "event"}${apart}`, "data-at": at },
      make("a", { class: "n", href: this.viewer.address(n), tabindex: -1, text: String(n) }),
      make("span", { class: "told" }, ...told.map((each) => sentence(each))));
  }

  show() {
    this.current?.classList.remove("current");
    this.current?.removeAttribute("aria-current");
    const { course, at } = this.viewer;
    this.current = this.rows.get(at) ?? this.rows.get([...this.rows.keys()].filter((each) => each <= at).pop()) ?? null;
    if (!this.current) return;
    this.current.classList.add("current");
    this.current.setAttribute("aria-current", "true");
    this.follow();
  }

  /** Scroll the list, and nothing else, so that the row is in its middle third. It waits for the next frame, so that
   * steps that follow each other fast are laid out once. Groups that were not laid out yet may have other heights than
   * they were given, so it looks again until the row has stayed there for some frames. */
  follow(stayed = 0, left = 12) {
    cancelAnimationFrame(this.again);
    this.again = requestAnimationFrame(() => this.scroll(stayed, left));
  }

  scroll(stayed, left) {
    if (!this.current) return;
    const box = this.root.getBoundingClientRect(), row = this.current.getBoundingClientRect();
    const third = box.height / 3;
    const before = this.root.scrollTop;
    if (row.top < box.top + third || row.bottom > box.bottom - third) {
      this.root.scrollTop += row.top - box.top - box.height / 2 + row.height / 2;
    }
    if (left && stayed < 3) this.follow(this.root.scrollTop === before ? stayed + 1 : 0, left - 1);
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (row && !event.target.closest("a")) this.viewer.visit(this.viewer.course.frames[Number(row.dataset.at)].n);
  }

  /** Leave the rows that hold what is searched for. */
  search() {
    const wanted = this.field.value.trim().toLowerCase();
    this.root.classList.toggle("searched", Boolean(wanted));
    this.hits = [];
    for (const [at, row] of this.rows) {
      const hit = wanted && row.textContent.toLowerCase().includes(wanted);
      row.hidden = Boolean(wanted) && !hit;
      if (hit) this.hits.push(at);
    }
    this.found.hidden = !wanted;
    this.found.textContent = `${this.hits.length} of ${this.rows.size} events; Enter jumps to the next`;
    if (!wanted) this.follow();
  }

  /** Enter goes to the next event that was found, with Shift to the one before; Escape ends the search. */
  typed(event) {
    if (event.key === "Escape") {
      this.field.value = "";
      this.search();
      this.field.blur();
    }
    if (event.key !== "Enter" || !this.hits.length) return;
    event.preventDefault();
    const ahead = event.shiftKey ? this.hits.filter((at) => at < this.viewer.at).pop() : this.hits.find((at) => at > this.viewer.at);
    const at = ahead ?? (event.shiftKey ? this.hits[this.hits.length - 1] : this.hits[0]);
    this.viewer.visit(this.viewer.course.frames[at].n);
  }
}

/** A sentence as an element; what a bot said or noted is told by a word and by its look. */
function sentence({ kind, text }) {
  const deep = text.startsWith("  ") ? " deep" : "";
  const sign = kind === "fault" ? make("strong", { class: "sign", text: "fault " }) : null;
  return make("span", { class: `one ${kind ?? "event"}${deep}` }, sign, text.trim());
}
