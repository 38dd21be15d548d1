// The timeline: money of every seat over the events, with deals and faults, and the event that is shown.

class Chart {
  constructor(viewer, root, legend) {
    this.viewer = viewer;
    this.root = root;
    this.legend = legend;
    this.pressed = null;
    new ResizeObserver(() => this.resized()).observe(root);
  }

  /** The money of all seats has another form for other eyes. */
  look() {
    const { course } = this.viewer;
    this.points = moneyPoints(course);
    this.last = course.match.last;
    this.draw();
    this.makeLegend();
    this.emphasise();
  }

  resized() {
    if (this.points && this.root.clientWidth !== this.width) this.draw();
  }

  draw() {
    this.width = this.root.clientWidth;
    this.height = this.width < 600 ? 60 : 72;
    const amounts = this.points.flatMap((point) => point.money);
    this.low = Math.min(0, ...amounts);
    this.high = Math.max(1, ...amounts);
    this.cursor = draw("line", { class: "cursor", y1: 0, y2: this.height });
    this.svg = draw("svg", {
      class: "chart", width: this.width, height: this.height, role: "slider", tabindex: 0, "aria-label": "event",
      "aria-valuemin": 1, "aria-valuemax": this.last,
      on: { pointerdown: (event) => this.press(event), pointermove: (event) => this.move(event), pointerup: () => this.release(),
        pointercancel: () => this.release(), lostpointercapture: () => this.release() },
    }, ...this.grid(), ...this.marks(), ...this.lines(), this.cursor);
    this.root.replaceChildren(this.svg);
    this.emphasise();
    this.show();
  }

  x(n) {
    return 40 + ((n - 1) / Math.max(1, this.last - 1)) * (this.width - 52);
  }

  y(amount) {
    return this.height - 20 - ((amount - this.low) / (this.high - this.low)) * (this.height - 30);
  }

  /** Lines at round amounts, with what they are. */
  grid() {
    const step = roundStep((this.high - this.low) / 3);
    const found = [];
    for (let amount = Math.ceil(this.low / step) * step; amount <= this.high; amount += step) {
      found.push(draw("line", { class: "gridline", x1: 40, x2: this.width - 12, y1: this.y(amount), y2: this.y(amount) }));
      found.push(draw("text", { class: "axis", x: 35, y: this.y(amount) + 4, "text-anchor": "end", text: this.viewer.course.money(amount) }));
    }
    return found;
  }

  /** A tick for each end of a deal, and a sign for each fault. */
  marks() {
    const { course } = this.viewer, base = this.height - 14;
    const deals = course.jumps("deal", null).map(({ n }) => draw("line", { class: "end", x1: this.x(n), x2: this.x(n), y1: base, y2: base + 6 }));
    const faults = course.jumps("fault", null).map(({ n }) => draw("g", { class: "fault-mark", transform: `translate(${this.x(n)} ${base + 5})` },
      draw("title", { text: `fault at ${course.word} ${n}` }), draw("path", { d: "M0 -7L6 5H-6Z" }), draw("text", { y: 4, "text-anchor": "middle", text: "!" })));
    return [...deals, ...faults];
  }

  /** A stepped line for each seat, with its mark where its money changes. */
  lines() {
    const seats = this.points.length ? this.points[0].money.map((amount, seat) => seat) : [];
    return seats.map((seat) => {
      let path = "", before = null;
      const marks = [];
      for (const { n, money } of this.points) {
        if (before === money[seat]) continue;
        path += before === null ? `M${this.x(n)} ${this.y(money[seat])}` : `H${this.x(n)}V${this.y(money[seat])}`;
        if (before !== null) marks.push(seatMark(seat, this.x(n), this.y(money[seat])));
        before = money[seat];
      }
      path += `H${this.x(this.last)}`;
      return draw("g", { class: `money-line ${seatClass(seat)}`, "data-seat": seat },
        draw("path", { class: "line", d: path, "stroke-dasharray": seatDashes[seat % seatDashes.length] }), ...marks);
    });
  }

  makeLegend() {
    const { course } = this.viewer;
    this.amounts = course.match.entrants.map(() => make("b", { class: "amount" }));
    this.legend.replaceChildren(...course.match.entrants.map((entrant, seat) => make("li", {},
      make("button", { type: "button", class: seatClass(seat), "aria-pressed": "false", title: "show only this line and the places of this seat",
        on: { click: () => this.viewer.choose(course.chosen === seat ? null : seat) } },
      seatSign(seat), make("span", { class: "entrant", text: course.name(seat) }), this.amounts[seat]))));
  }

  choose() {
    this.emphasise();
  }

  /** Make the line of the seat chosen stand out. */
  emphasise() {
    const seat = this.viewer.course.chosen;
    for (const line of this.svg.querySelectorAll(".money-line")) line.classList.toggle("faint", seat !== null && Number(line.dataset.seat) !== seat);
    this.legend.querySelectorAll("button").forEach((button, each) => button.setAttribute("aria-pressed", String(each === seat)));
  }

  show() {
    const { course, at } = this.viewer, frame = course.frames[at];
    const x = this.x(frame.n);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.svg.setAttribute("aria-valuenow", frame.n);
    this.svg.setAttribute("aria-valuetext", `${course.word} ${frame.n} of ${this.last}`);
    const money = course.table(at)?.money;
    if (Array.isArray(money)) this.amounts?.forEach((each, seat) => { each.textContent = course.money(money[seat]); });
  }

  press(event) {
    this.pressed = event.pointerId;
    this.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  move(event) {
    if (this.pressed !== event.pointerId) return;
    const part = (event.clientX - this.svg.getBoundingClientRect().left - 40) / (this.width - 52);
    const n = 1 + Math.round(Math.min(1, Math.max(0, part)) * (this.last - 1));
    this.viewer.go(this.viewer.course.at(n), false);
  }

  release() {
    if (this.pressed !== null) this.viewer.reveal();
    this.pressed = null;
  }
}

/** The money of all seats whenever it changed, with the number of the line; empty where a table has none. */
function moneyPoints(course) {
  const first = course.table(-1)?.money;
  if (!Array.isArray(first)) return [];
  const found = [{ n: 1, money: first }];
  course.frames.forEach(({ n }, at) => {
    const { money } = course.table(at);
    if (money !== found[found.length - 1].money) found.push({ n, money });
  });
  return found;
}

/** A round number (1, 2 or 5 and noughts) that is not below `least`. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}
