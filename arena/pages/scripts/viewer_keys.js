// Keys and touch: every step without a mouse, and the dialog that tells them.

/** Keys of parts that are not their first letter, because others have it. */
const levelKeys = { turn: "u" };

class Keys {
  constructor(viewer, dialog, { controls, jumps, field }) {
    Object.assign(this, { viewer, dialog, controls, jumps, field });
    this.keys = this.bound();
    const { signal } = viewer.listening;
    document.addEventListener("keydown", (event) => this.pressed(event), { signal });
    document.getElementById("help").addEventListener("click", () => this.help(), { signal });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); }, { signal });
  }

  /** What each key does: [keys, what is told of them, act]. Of two keys the second goes back. */
  bound() {
    const { controls, jumps, viewer } = this, { course } = viewer;
    const pair = (keys, told, act) => [keys, `next, previous ${told}`, (key) => act(key === keys[0] ? 1 : -1)];
    const letters = (letter) => [letter, letter.toUpperCase()];
    const levels = course.match.course.levels.map(({ name }) => name);
    const jump = (letter, told, kind) => pair(letters(letter), told, (direction) => jumps.next(kind, direction));
    const seats = course.match.entrants.map((entrant, seat) => String(seat));
    return [
      pair(["ArrowRight", "ArrowLeft"], "event", (direction) => controls.step("event", direction)),
      ...levels.map((name) => pair(letters(levelKeys[name] ?? name[0]), name, (direction) => controls.step(name, direction))),
      [["Home", "End"], "first, last event", (key) => viewer.go(course.visible.at(key === "Home" ? 0 : -1))],
      [[" "], "play, pause", () => controls.toggle()],
      jump("f", "fault", "fault"), jump("b", "change of Boss", "boss"), jump("m", "moment", "moment"), jump("y", "big payment", "payment"),
      ...(course.match.seat === null ? [[seats, "only what this seat sees", (key) => viewer.look(Number(key))],
        [["a"], "all hands", () => viewer.look(null)]] : []),
      [["/"], "search in sentences", () => this.field.focus()],
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
      make("form", { method: "dialog", class: "keys-head" }, make("h2", { id: "keys-title", text: "Keys" }), make("button", { text: "close" })),
      make("table", {}, make("tbody", {}, ...rows)),
      make("p", { class: "quiet", text: "On a touch screen: swipe the table to the left for the next event, to the right for the previous one; drag along the money." }),
      make("h2", { text: "Words" }), wordList(this.viewer.course));
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
