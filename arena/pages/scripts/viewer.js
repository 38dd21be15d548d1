// The page of a match: what is shown, and how its parts follow.

const smallScreen = matchMedia("(max-width: 55.99rem)");

class Viewer {
  constructor({ match }) {
    const find = (id) => document.getElementById(id);
    showHead(match);
    this.listening = new AbortController();
    this.course = new Course(match);
    this.at = this.course.visible[0];
    this.unnamed = null;
    this.now = find("now");
    this.table = find("table");
    this.eyes = find("eyes");
    this.addresses = new Address(this);
    const controls = this.controls = new Controls(this, find("controls")), jumps = new Jumps(this, find("jumps"));
    const chart = new Chart(this, find("chart"), find("legend"));
    this.choosing = [chart, jumps];
    const list = new SentenceList(this, find("list"), find("search"), find("found"));
    this.parts = [chart, new Talk(this, this.now, find("talk")), list, jumps, new Shell(this, find("shell"))];
    new Keys(this, find("keys"), { controls, jumps, field: find("search") });
    swiped(this.table, (direction) => controls.step("event", direction));
    swiped(this.now, (direction) => controls.step("event", direction));
    if (this.eyes) this.chooseEyes(match);
    this.look(match.seat, true);
    if (match.opens) this.go(this.course.at(match.opens));
    if (match.opens_ask) this.goAsk(match.opens_ask);
    if (location.hash) this.addresses.read();
  }

  /** Stop listening and playing: another match is shown from now on. */
  close() {
    this.listening.abort();
    this.controls.stop();
    this.addresses.close();
  }

  /** The address of a line, as the eyes chosen see it. */
  address(n) {
    return Address.of(this.course, n);
  }

  /** Show a frame, and bring the table in sight unless it shall stay where it is. */
  go(at, reveal = true, unnamed = null) {
    this.at = at;
    this.unnamed = unnamed;
    this.show();
    if (reveal) this.reveal();
    this.addresses.show();
  }

  /** Go to an ask; where no event names it, to the event before its answer, and tell of the ask there. */
  goAsk(ask) {
    const found = this.course.ask(ask);
    if (found) this.go(this.course.at(found.n), true, found.hook ? found : null);
  }

  /** On a small screen, where the whole page scrolls: bring the sentence and the drawing back if they are not in sight. */
  reveal() {
    if (!smallScreen.matches) return;
    const board = this.table.querySelector(".board"), steps = document.getElementById("controls").offsetHeight;
    const { top, bottom } = (board ?? this.table).getBoundingClientRect();
    const free = innerHeight - steps, tall = board ? bottom - top : Math.min(bottom - top, free / 3);
    if (Math.min(bottom, free) - Math.max(top, 0) >= Math.min(tall, free) - 1) return;
    this.now.parentElement.scrollIntoView({ block: "start" });
    board?.scrollIntoView({ block: "nearest" });
  }

  /** Go to a line so that the browser's "back" leads to where one was. */
  visit(n) {
    this.addresses.write();
    location.hash = this.address(n);
  }

  /** See the match through the eyes of a seat; null: see everything. */
  look(seat, anew = false) {
    if (!anew && (seat === this.course.seat || seat >= this.course.match.entrants.length)) return;
    const n = this.course.frames[this.at].n;
    this.course.look(seat);
    this.at = this.course.at(n);
    if (this.eyes) this.eyes.value = seat === null ? "" : String(seat);
    for (const part of this.parts) part.look();
    this.show();
    if (!anew) this.addresses.show();
  }

  /** Choose a seat whose money and places alone are shown; null: those of all. */
  choose(seat) {
    this.course.chosen = seat;
    for (const part of this.choosing) part.choose();
  }

  show() {
    const { course, at } = this;
    showTable(this.table, course.table(at), course.match, course.options(at));
    for (const part of this.parts) part.show();
  }

  chooseEyes({ entrants }) {
    const seats = entrants.map((entrant, seat) => make("option", { value: seat, text: `what ${this.course.name(seat)} sees` }));
    this.eyes.replaceChildren(make("option", { value: "", text: "all hands" }), ...seats);
    this.eyes.addEventListener("change", () => this.look(this.eyes.value === "" ? null : Number(this.eyes.value)));
  }
}

/** The match that is shown; null while none is, in the page that opens files. */
let viewer = pageData().match ? new Viewer(pageData()) : null;
