// Keys and touch: every step without a mouse, and the dialog that tells them.

class Keys {
  constructor(viewer, dialog, { controls, jumps, field }) {
    Object.assign(this, { viewer, dialog, controls, jumps, field });
    this.keys = this.bound();
    document.addEventListener("keydown", (event) => this.pressed(event));
    document.getElementById("help").addEventListener("click", () => this.help());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }

  /** What each key does: [keys, what is told of them, act]. */
  bound() {
    const { controls, jumps, viewer } = this;
    const steps = viewer.course.match.course.levels.map(({ name }) => name);
    const twice = (key, told, act) => [[[key], `next ${told}`, () => act(1)], [[key.toUpperCase()], `previous ${told}`, () => act(-1)]];
    const letter = (name) => (name === "turn" ? "u" : name[0]);
    return [
      [["ArrowRight", "n"], "next event", () => controls.step("event", 1)],
      [["ArrowLeft", "p"], "previous event", () => controls.step("event", -1)],
      ...steps.flatMap((name) => twice(letter(name), name, (direction) => controls.step(name, direction))),
      [["Home"], "first event", () => viewer.go(viewer.course.visible[0])],
      [["End"], "last event", () => viewer.go(viewer.course.visible.at(-1))],
      [[" "], "play, pause", () => controls.toggle()],
      ...twice("f", "fault", (direction) => jumps.next("fault", direction)),
      ...twice("b", "change of Boss", (direction) => jumps.next("boss", direction)),
      ...twice("m", "moment", (direction) => jumps.next("moment", direction)),
      ...twice("y", "big payment", (direction) => jumps.next("payment", direction)),
      ...(viewer.course.match.seat === null ? [[["0", "1", "2", "3", "4", "5"], "the eyes of this seat", (key) => viewer.look(Number(key))],
        [["a"], "everything", () => viewer.look(null)]] : []),
      [["/"], "search", () => this.field.focus()],
      [["?"], "this help", () => this.help()],
    ];
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || this.dialog.open) return;
    if (event.target.closest("input, select")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    const found = this.keys.find(([keys]) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found[2](event.key);
  }

  help() {
    const names = { ArrowRight: "→", ArrowLeft: "←", " ": "Space" };
    const rows = this.keys.map(([keys, told]) => make("tr", {},
      make("th", { class: "l", scope: "row" }, ...keys.flatMap((key) => [make("kbd", { text: names[key] ?? key }), " "])),
      make("td", { class: "l", text: told })));
    this.dialog.replaceChildren(
      make("h2", { id: "keys-title", text: "Keys" }), make("table", {}, make("tbody", {}, ...rows)),
      make("p", { class: "quiet", text: "On a touch screen: swipe the table to the left for the next event, to the right for the one before; drag along the money." }),
      make("form", { method: "dialog" }, make("button", { text: "close" })));
    this.dialog.showModal();
  }
}

/** Call `act` with 1 for a swipe to the left in `root`, with -1 for one to the right, unless what is swiped scrolls. */
function swiped(root, act) {
  let from = null;
  root.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  root.addEventListener("touchend", (event) => {
    if (!from) return;
    const across = event.changedTouches[0].clientX - from.clientX, down = event.changedTouches[0].clientY - from.clientY;
    const scrolls = event.target.closest(".scroll");
    from = null;
    if (scrolls && scrolls.scrollWidth > scrolls.clientWidth) return;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) act(across < 0 ? 1 : -1);
  });
}
