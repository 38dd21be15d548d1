// Places worth going to: moments, ends of deals, changes of the Boss, the biggest payments, faults.

const jumpNames = { moment: "moments", deal: null, boss: "changes of Boss", payment: "payments", fault: "faults" };
/** What kinds of moments are called, where that is not their name. A game may set more. */
const momentNames = {};

class Jumps {
  constructor(viewer, root) {
    Object.assign(this, { viewer, root, open: "moment" });
  }

  look() {
    const { course } = this.viewer;
    this.buttons = Object.keys(jumpNames).map((kind) => {
      return make("button", { type: "button", "data-jump": kind, disabled: !course.jumps(kind).length, "aria-expanded": "false",
        "aria-controls": "places", text: `${this.name(kind)} ${this.count(kind)}`, on: { click: () => this.toggle(kind) } });
    });
    this.places = make("ol", { id: "places", class: "places", hidden: true });
    const told = course.chosen === null ? null : make("p", { class: "quiet found", role: "status", text: `only places of ${course.name(course.chosen)}` });
    const kinds = make("div", { class: "kinds", role: "group", "aria-label": "go to" }, ...this.buttons);
    this.root.replaceChildren(...[kinds, told, this.places].filter(Boolean));
    if (this.open) this.toggle(course.jumps(this.open).length ? this.open : null, true);
  }

  /** Places of the seat chosen alone, or of all. */
  choose() {
    this.look();
  }

  name(kind) {
    return kind === "deal" ? `${this.viewer.course.match.deal}s` : jumpNames[kind];
  }

  /** How many there are; of negotiations also how many of them were closed. */
  count(kind) {
    const places = this.viewer.course.jumps(kind), failed = places.filter((place) => place.failed).length;
    return failed ? `${places.length} (${places.length - failed} closed)` : String(places.length);
  }

  toggle(kind, again = false) {
    this.open = this.open === kind && !again ? null : kind;
    for (const button of this.buttons) button.setAttribute("aria-expanded", String(button.dataset.jump === this.open));
    this.places.hidden = this.open === null;
    if (this.open) this.fill(kind);
  }

  fill(kind) {
    const { course } = this.viewer;
    this.places.setAttribute("aria-label", course.chosen === null ? this.name(kind) : `${this.name(kind)} of ${course.name(course.chosen)}`);
    this.places.replaceChildren(...course.jumps(kind).map((place) => make("li", { "data-n": place.n },
      make("a", { href: this.viewer.address(place.n) },
        make("span", { class: "n", text: String(place.n) }),
        place.of ? make("span", { class: `of ${place.of}`, text: momentNames[place.of] ?? place.of }) : null,
        place.number ? make("span", { class: "of", text: `${course.match.deal} ${place.number}` }) : null,
        make("span", { class: "what", text: course.placeText(place) }),
        place.figure ? make("b", { class: "figure", text: place.figure }) : null))));
    this.show();
  }

  show() {
    const n = this.viewer.course.frames[this.viewer.at].n;
    if (this.open) for (const item of this.places.children) item.classList.toggle("current", Number(item.dataset.n) === n);
  }

  /** Go to the next place of a kind, or the one before. */
  next(kind, direction) {
    const { course, at } = this.viewer;
    const found = course.nextOf(course.jumps(kind).map(({ n }) => n), at, direction);
    if (found !== null) this.viewer.go(found);
  }
}
