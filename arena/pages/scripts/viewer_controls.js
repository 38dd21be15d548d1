// The buttons under the page: steps by event and by every kind of part, both ends, and play at a pace.

const paces = [["slow", 2000], ["normal", 1000], ["fast", 350], ["very fast", 90]];

class Controls {
  constructor(viewer, root) {
    Object.assign(this, { viewer, root, timer: null });
    this.playButton = make("button", { type: "button", id: "play", on: { click: () => this.toggle() } });
    this.pace = make("select", { id: "pace", "aria-label": "pace" }, ...paces.map(([name, wait]) => make("option", { value: wait, text: name })));
    this.pace.value = remembered.get("pace") ?? "1000";
    if (!this.pace.value) this.pace.value = "1000";
    this.pace.addEventListener("change", () => remembered.set("pace", this.pace.value));
    const levels = ["event", ...viewer.course.match.course.levels.map(({ name }) => name)];
    root.replaceChildren(
      make("div", { class: "steps" }, ...levels.map((name) => this.pair(name))),
      make("div", { class: "play" }, this.end("first", "|‹", 0), this.playButton, this.pace, this.end("last", "›|", -1)));
    new ResizeObserver(() => document.documentElement.style.setProperty("--steps", `${root.offsetHeight}px`)).observe(root);
    this.label();
  }

  /** The two buttons of a kind of step. */
  pair(name) {
    const button = (direction, sign) => make("button", { type: "button", id: `${direction < 0 ? "previous" : "next"}-${name}`,
      "aria-label": `${direction < 0 ? "previous" : "next"} ${name}`, text: sign, on: { click: () => this.step(name, direction) } });
    return make("span", { class: "pair", role: "group", "aria-label": name }, button(-1, "‹"), make("span", { text: name }), button(1, "›"));
  }

  end(name, sign, place) {
    return make("button", { type: "button", id: name, "aria-label": `${name} event`, text: sign,
      on: { click: () => this.viewer.go(this.viewer.course.visible.at(place)) } });
  }

  /** Go on by one of a kind of step, or back; to the end where there is no more. */
  step(name, direction) {
    const { course, at } = this.viewer;
    const found = name === "event" ? course.beside(at, direction) : course.nextOf(course.starts(name), at, direction);
    this.viewer.go(found ?? course.visible.at(direction > 0 ? -1 : 0), !this.playing);
  }

  get playing() {
    return this.timer !== null;
  }

  toggle() {
    if (this.playing) return this.stop();
    const { course, at } = this.viewer;
    if (at === course.visible.at(-1)) this.viewer.go(course.visible[0]);
    this.wait();
    this.label();
  }

  wait() {
    this.timer = setTimeout(() => this.tick(), Number(this.pace.value));
  }

  tick() {
    this.step("event", 1);
    if (this.viewer.at === this.viewer.course.visible.at(-1)) this.stop();
    else this.wait();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.label();
  }

  label() {
    this.playButton.textContent = this.playing ? "pause" : "▶ play";
    this.viewer.now.setAttribute("aria-live", this.playing ? "off" : "polite");
  }
}
