// The address of an event: #event=412, with &seat=1 what that seat sees then; #seen=57 in a page for one seat alone,
// which has that seat's own count. #ask=47 is an ask, also where its answer has no event. It is the same for good.

const addressPause = 400;

class Address {
  constructor(viewer) {
    this.viewer = viewer;
    this.timer = null;
    this.known = location.hash; // the last that was read or written
    const changed = ({ newURL }) => this.read(new URL(newURL).hash);
    window.addEventListener("hashchange", changed, { signal: viewer.listening.signal });
  }

  /** The address of event `n` as the eyes see it. */
  static of(course, n, word = course.word) {
    const seat = course.match.seat === null && course.seat !== null ? `&seat=${course.seat}` : "";
    return `#${word}=${n}${seat}`;
  }

  /** Go where the address says; what it does not say stays as it is. */
  read(address = location.hash) {
    clearTimeout(this.timer);
    this.timer = null;
    this.known = address;
    const asked = new URLSearchParams(address.slice(1));
    const { course } = this.viewer;
    const seat = asked.get("seat") ? Number(asked.get("seat")) : null;
    const known = seat !== null && Number.isInteger(seat) && seat >= 0 && seat < course.match.entrants.length;
    const n = Number(asked.get(course.word)), ask = Number(asked.get("ask"));
    if (course.match.seat === null && (asked.has("event") || asked.has("ask"))) this.viewer.look(known ? seat : null);
    if (Number.isInteger(ask) && ask >= 1) this.viewer.goAsk(ask);
    else if (Number.isInteger(n) && n >= 1) this.viewer.go(course.at(n));
  }

  /** The event shown stands in the address soon: browsers do not like it changed at every step. */
  show() {
    this.timer ??= setTimeout(() => this.write(), addressPause);
  }

  close() {
    clearTimeout(this.timer);
  }

  /** Put the event shown into the address; but not over one that is still to be read, from a link or the browser's
   * "back": the browser does not tell of a change to an address that stands there already. */
  write() {
    this.timer = null;
    if (location.hash !== this.known) return;
    const { course, at, unnamed } = this.viewer;
    const address = unnamed ? Address.of(course, unnamed.ask, "ask") : Address.of(course, course.frames[at].n);
    if (address === this.known) return;
    history.replaceState(null, "", address);
    this.known = address;
  }
}
