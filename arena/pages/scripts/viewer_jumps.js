// Places worth going to: moments, ends of deals, changes of the Boss, the biggest payments, faults.

const jumpNames = { moment: "moments", deal: "deals", boss: "new Bosses", payment: "payments", fault: "faults" };
const momentNames = { gift: "gift", theft: "boss card", refused: "refused" };

class Jumps {
  constructor(viewer, root) {
    Object.assign(this, { viewer, root, open: null });
  }

  look() {
    const { course } = this.viewer;
    this.buttons = Object.keys(jumpNames).map((kind) => {
      const count = course.jumps(kind).length;
      return make("button", { type: "button", "data-jump": kind, disabled: !count, "aria-expanded": "false", "aria-controls": "places",
        text: `${this.name(kind)} ${count}`, on: { click: () => this.toggle(kind) } });
    });
    this.places = make("ol", { id: "places", class: "places", hidden: true });
    this.root.replaceChildren(make("div", { class: "kinds", role: "group", "aria-label": "go to" }, ...this.buttons), this.places);
    if (this.open) this.toggle(this.open, true);
  }

  name(kind) {
    const rounds = kind === "deal" && this.viewer.course.starts("round").length;
    return rounds ? "rounds" : jumpNames[kind];
  }

  toggle(kind, again = false) {
    this.open = this.open === kind && !again ? null : kind;
    for (const button of this.buttons) button.setAttribute("aria-expanded", String(button.dataset.jump === this.open));
    this.places.hidden = this.open === null;
    if (this.open) this.fill(kind);
  }

  fill(kind) {
    const { course } = this.viewer;
    this.places.replaceChildren(...course.jumps(kind).map((place) => make("li", { "data-n": place.n },
      make("a", { href: this.viewer.address(place.n) },
        make("span", { class: "n", text: String(place.n) }),
        place.of ? make("span", { class: `of ${place.of}`, text: momentNames[place.of] }) : null,
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
