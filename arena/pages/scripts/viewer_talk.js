// What happened now, in words; and what the bots said and noted lately, as talk beside the table.

const talkShown = 2;

class Talk {
  constructor(viewer, now, root) {
    Object.assign(this, { viewer, now, root });
  }

  look() {
    const { course } = this.viewer;
    this.lines = course.visible.flatMap((at) => course.told[at]
      .filter(({ kind }) => kind === "said" || kind === "note")
      .map(({ kind, words }) => ({ at, kind, words, seat: course.frames[at].seat })));
    this.root.hidden = !this.lines.length;
  }

  show() {
    const { course, at, unnamed } = this.viewer, { n, ask, kind } = course.frames[at];
    const told = course.told[at].map((each) => sentence(each));
    this.now.className = `sentence ${kind}`;
    const parts = [
      make("a", { class: "n", href: this.viewer.address(n), title: "the address of this event", text: `${course.word} ${n}` }),
      ask ? make("span", { class: "quiet ask", text: `ask ${ask}` }) : null, ...told, this.seats(),
      unnamed ? make("span", { class: "quiet unnamed", text: this.asked(unnamed) }) : null];
    this.now.replaceChildren(...parts.filter(Boolean));
    if (this.lines.length) this.talk(course, at);
  }

  /** An ask that no event names, in words. */
  asked({ ask, hook, silent, seat }) {
    return `then ask ${ask}: ${this.viewer.course.name(seat)}, ${hook}${silent ? ": idle answer" : ""}`;
  }

  /** Which seats were not told, where the eyes know more than some. */
  seats() {
    const { course, at } = this.viewer;
    const only = course.isWhole() && course.match.seat === null ? course.told[at].find((each) => each.only)?.only : null;
    if (!only || only.length === course.match.entrants.length) return null;
    const less = course.frames[at].told.some((each) => each.part);
    const none = less ? "bots see less than this" : "no bot sees this";
    const text = only.length ? `seen only by ${only.map((seat) => course.name(seat)).join(", ")}` : none;
    return make("span", { class: "quiet only", text });
  }

  /** The newest words of the last seats that spoke in this turn, the newest first; each seat's own once. */
  talk(course, at) {
    const spoken = [], since = this.turnOf(course, at);
    for (let place = this.until(at); place >= 0 && this.lines[place].at >= since && spoken.length < talkShown; place -= 1) {
      const line = this.lines[place];
      if (!spoken.some((each) => each.seat === line.seat && each.kind === line.kind)) spoken.push(line);
    }
    const none = make("p", { class: "quiet silent", text: course.starts("turn").length ? "nothing said in this turn yet" : "nothing said yet" });
    this.root.replaceChildren(...(spoken.length ? spoken.map((line) => this.words(course, line, at)) : [none]));
  }

  words(course, line, at) {
    const { n } = course.frames[line.at], now = line.at === at;
    const how = line.kind === "note" ? " notes; other seats do not see it" : "";
    return make("blockquote", { class: `${line.kind} ${seatClass(line.seat)}${now ? " newest" : ""}`, title: line.words },
      make("cite", {}, seatSign(line.seat), `${course.name(line.seat)}${how}, `,
        now ? "now" : make("a", { href: this.viewer.address(n), text: `at ${course.word} ${n}` })),
      make("p", { text: line.words }));
  }

  /** The frame with which the turn began in which frame `at` lies; the first where there are no turns. */
  turnOf(course, at) {
    const { n } = course.frames[at], begun = course.starts("turn").filter((start) => start <= n);
    return begun.length ? course.at(begun[begun.length - 1]) : 0;
  }

  /** The place of the last words until frame `at`; -1 where nothing has been said. */
  until(at) {
    let low = 0, high = this.lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lines[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
