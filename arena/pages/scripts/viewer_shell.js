// The commands that look at the event shown from a shell. A page for one seat alone has none: they name lines and asks.

const around = 5;
const decided = new Set(["answer", "fault"]);

class Shell {
  constructor(viewer, root) {
    Object.assign(this, { viewer, root });
    this.list = make("dl");
    root?.append(make("summary", { text: "commands for this event" }), this.list);
    root?.addEventListener("toggle", () => this.show());
  }

  look() {}

  /** The commands for the event shown; made only where somebody looks at them. */
  show() {
    if (!this.root?.open) return;
    const told = this.commands().flatMap(([what, command]) => [make("dt", { text: what }), this.line(command)]);
    this.list.replaceChildren(...told);
  }

  /** What commands show, with the commands. */
  commands() {
    const { course, at, unnamed } = this.viewer, { n, kind } = course.frames[at], { called } = course.match;
    const ask = unnamed ? unnamed.ask : course.frames[at].ask;
    const show = [["the events before and after it", `arena show ${called} --from ${Math.max(1, n - around)} --to ${n + around}`]];
    if (ask) show.push(["view, legal moves and answer", `arena show ${called} --at ask${ask}`]);
    show.push(["the table after it, for programs", `arena show ${called} --jsonl --from ${n} --to ${n}`]);
    if (ask) {
      const where = decided.has(kind) && !unnamed ? `--at ${n}` : `--at ask${ask}`;
      return [...show, ...this.decision(where, "there")];
    }
    const { seat } = course;
    if (seat === null) return show;
    const seen = course.visible.filter((each) => each <= at).length;
    return [...show, ...this.decision(`--seat ${seat} --at ${Math.max(1, seen)}`, "when it is asked next")];
  }

  /** The commands about a decision: with a seat it is named by that seat's own count. */
  decision(where, when) {
    const { called } = this.viewer.course.match;
    return [
      [`the answer of your bot ${when}`, `arena refeed ${called} ${where} --bot ./mine.py`],
      [`the worth of another answer ${when}`, `arena branch ${called} ${where}`],
    ];
  }

  line(command) {
    const code = make("code", { text: command });
    const button = make("button", { type: "button", text: "copy", "aria-label": `copy: ${command}`, on: { click: () => this.copy(code, button) } });
    return make("dd", {}, code, button);
  }

  /** Copy a command; where the browser does not allow it, select it. */
  async copy(code, button) {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
  }
}
