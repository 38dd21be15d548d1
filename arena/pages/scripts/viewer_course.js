// A match as it is gone through: which events there are for the eyes chosen, and where the next part begins.

class Course {
  /** `match` is the data of the page; the eyes are a seat, or null for all hands. */
  constructor(match) {
    this.match = match;
    this.frames = match.course.frames;
    this.whole = tablesOf(match.course);
    this.seen = new Map();
    this.chosen = null;
    this.look(match.seat);
  }

  /** Look through the eyes of a seat (null: see everything). */
  look(seat) {
    this.seat = seat;
    this.told = this.frames.map((frame) => (frame.told ?? []).filter((each) => this.knows(each)));
    const all = this.frames.map((frame, at) => at);
    this.visible = all.filter((at) => this.happened(this.frames[at]));
    this.places = this.match.places.filter((place) => this.knowsPlace(place));
  }

  /** Whether anything happened to the eyes in a frame. */
  happened(frame) {
    return this.isWhole() || !(frame.unseen ?? []).includes(this.seat);
  }

  /** Whether all that the page has is shown. */
  isWhole() {
    return this.seat === null || this.match.seat !== null;
  }

  /** Whether a sentence was told to the eyes. Who sees everything is told no part of it. */
  knows(told) {
    return this.isWhole() ? !told.part : !told.only || told.only.includes(this.seat);
  }

  knowsPlace(place) {
    return this.isWhole() || !place.only || place.only.includes(this.seat);
  }

  /** The table after frame `at`; -1 is before the first. */
  table(at) {
    if (!this.whole) return null;
    if (this.isWhole()) return this.whole[at + 1];
    if (!this.seen.has(this.seat)) this.seen.set(this.seat, seenTables(this.match.course, this.whole, this.seat));
    return this.seen.get(this.seat)[at + 1];
  }

  /** What the drawing of a table is told besides: the eyes (`seat`), the table before the event (`previous`), the
   * `event`, how many deals have been opened (`deal`), and the `last` table before the event of which something holds. */
  options(at) {
    const event = this.frames[at];
    const deal = this.starts("deal").filter((n) => n <= event.n).length;
    return { seat: this.seat, previous: this.table(at - 1), event, deal, last: (holds) => this.lastTable(at, holds) };
  }

  /** The last table before frame `at` of which something holds; null for none. */
  lastTable(at, holds) {
    for (let place = at - 1; place >= -1; place -= 1) if (holds(this.table(place))) return this.table(place);
    return null;
  }

  /** The last visible frame of line `n` or before it; the first where there is none. */
  at(n) {
    let low = 0, high = this.visible.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[this.visible[middle]].n <= n) low = middle + 1;
      else high = middle;
    }
    return this.visible[Math.max(0, low - 1)];
  }

  /** Where an ask is: its number (`ask`) and event (`n`); where no event names it, also its `hook` and `seat`, and
   * whether nothing was done (`silent`); undefined where there is no such ask. */
  ask(ask) {
    const told = this.frames.find((frame) => frame.ask === ask);
    if (told) return { ask, n: told.n };
    for (const [n, hook, silent, asks, seats] of this.match.asks) {
      const place = asks.indexOf(ask);
      if (place >= 0) return { ask, n, hook, silent, seat: seats[place] };
    }
    return undefined;
  }

  /** The visible frame that comes after `at` (or before it, for -1); the same where there is none. */
  beside(at, direction) {
    const place = this.visible.indexOf(at);
    const last = this.visible.length - 1;
    return this.visible[Math.min(last, Math.max(0, place + direction))];
  }

  /** The visible frame in which the next of some numbered lines lies after `at`, or the one before; null for none. */
  nextOf(numbers, at, direction) {
    const n = this.frames[at].n;
    const ahead = numbers.filter((number) => (direction > 0 ? number > n : number < n));
    if (!ahead.length) return null;
    const found = this.at(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
    return found === at ? null : found;
  }

  /** The lines with which parts of a kind begin. */
  starts(name) {
    return this.match.course.levels.find((level) => level.name === name)?.starts ?? [];
  }

  /** The places of a kind, in the order of their lines: those of the match, or of the seat chosen. */
  jumps(kind, chosen = this.chosen) {
    return this.places.filter((place) => place.jump === kind && (chosen === null ? !place.extra : place.seats?.includes(chosen)));
  }

  /** What the number of a frame is called: a line of the replay, or the count of the one seat that the page is for. */
  get word() {
    return this.match.seat === null ? "event" : "seen";
  }

  /** What a place is, in a sentence. */
  placeText(place) {
    return place.text || this.told[this.at(place.n)].map((each) => each.text.trim()).join(" ");
  }

  /** An entrant with its seat. */
  name(seat) {
    return `${this.match.entrants[seat]} (${seat})`;
  }

  /** An amount in the game's money. */
  money(amount) {
    return moneyText(this.match.unit, amount);
  }
}
