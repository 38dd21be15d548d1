// What the tables of both games are made of: icons, seats' badges, money, and parts that are drawn again only when
// what they show has changed.

/** Icons as paths in a square of 20 by 20. */
const TABLE_ICONS = {
  crown: "M2 17h16l1.5-11-5.2 3.8L10 3 5.7 9.8.5 6z",
  suitcase: "M2 6h5V3h6v3h5v11H2zM9 6h2V5H9z",
  people: "M7 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM1 17.5c0-4.2 2.5-6.5 6-6.5s6 2.3 6 6.5z"
    + "M15 5h2v3h3v2h-3v3h-2v-3h-3V8h3z",
  stop: "M6.2 1h7.6L19 6.2v7.6L13.8 19H6.2L1 13.8V6.2zM5 8.5v3h10v-3z",
  pawn: "M10 1a4.2 4.2 0 0 1 2.3 7.7c.4 2.7 1.6 4.5 3.7 6.1V19H4v-4.2c2.1-1.6 3.3-3.4 3.7-6.1A4.2 4.2 0 0 1 10 1z",
  reverse: "M6 2L1 7l5 5V8.5h8v-3H6zM14 8.5v3H6v3h8V18l5-5z",
  slice: "M10 10V1a9 9 0 1 0 9 9zM12 8V1.3A9 9 0 0 1 18.7 8z",
  arrows: "M10 1l4 4h-2.5v3.5H15V6l4 4-4 4v-2.5h-3.5V15H14l-4 4-4-4h2.5v-3.5H5V14l-4-4 4-4v2.5h3.5V5H6z",
  token: "M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM10 4l1.8 3.9 4.2.500-3.1 2.9.800 4.2L10 13.4l-3.7 2.1.800-4.2L4 8.4l4.2-.500z",
};
/** Where the pips of a die lie, in a square of 20 by 20. */
const TABLE_PIPS = {
  1: [[10, 10]], 2: [[6, 6], [14, 14]], 3: [[5.5, 5.5], [10, 10], [14.5, 14.5]],
  4: [[6, 6], [14, 6], [6, 14], [14, 14]], 5: [[5.5, 5.5], [14.5, 5.5], [10, 10], [5.5, 14.5], [14.5, 14.5]],
  6: [[6, 5], [14, 5], [6, 10], [14, 10], [6, 15], [14, 15]],
};

/** An icon among text. */
function tableIcon(name) {
  return draw("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    draw("path", { d: TABLE_ICONS[name], "fill-rule": "evenodd" }));
}

/** An icon inside a drawing, `size` wide, with its centre at x, y. */
function drawIcon(name, x, y, size, attributes = {}) {
  const place = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 20})`;
  return draw("path", { d: TABLE_ICONS[name], "fill-rule": "evenodd", transform: place, ...attributes });
}

/** The face of a die, as an element among text. */
function tableDie(face) {
  return draw("svg", { class: "die", viewBox: "0 0 20 20", role: "img", "aria-label": `die: ${face}` },
    draw("rect", { x: 1, y: 1, width: 18, height: 18, rx: 4 }),
    ...TABLE_PIPS[face].map(([x, y]) => draw("circle", { cx: x, cy: y, r: 1.9 })));
}

/** The name of the seat's bot. */
function seatName(match, seat) {
  const entrant = match.entrants?.[seat];
  return String(entrant?.name ?? entrant ?? `seat ${seat}`);
}

/** By shape of a seat: how much larger it is as a badge than in the chart, and where the foot of its number lies. */
const BADGE_FITS = [[1.25, 3], [1.25, 3], [1.32, 4.7], [1.25, 3], [1.32, 1.3], [1.42, 3]];

/** A seat's number on its shape, which is that of its line in the chart: what is inside a drawing of 16 by 16. */
function badgeParts(seat) {
  const [scale, foot] = BADGE_FITS[seat % BADGE_FITS.length];
  return [draw("path", { d: seatShapes[seat % seatShapes.length], transform: `scale(${scale})` }),
    draw("text", { y: foot, "font-size": 8.4, text: seat })];
}

/** A seat's number on its shape; with `match` the name of its bot beside it. */
function seatBadge(seat, match = null) {
  const badge = draw("svg", { class: `badge seat-${seat}`, viewBox: "-8 -8 16 16", role: "img", "aria-label": `seat ${seat}` }, ...badgeParts(seat));
  return match === null ? badge : make("span", { class: "seat-name" }, badge, make("span", { text: seatName(match, seat) }));
}

/** A seat's badge inside a drawing, with its centre at x, y. */
function drawBadge(seat, x, y, radius) {
  return draw("g", { class: `badge seat-${seat}`, transform: `translate(${x} ${y}) scale(${radius / 6.5})` }, ...badgeParts(seat));
}

/** A text inside a drawing. Where it is longer than `width` allows (a letter is about 0.6 of its size wide), it is drawn
 *  smaller, down to the size `least`, and cut where that is not enough. */
function drawText(text, x, y, size, attributes = {}, width = Infinity, least = size) {
  const letters = Array.from(String(text));
  const fitting = Math.max(least, Math.min(size, width / (letters.length * 0.6)));
  const most = Math.max(2, Math.floor(width / (fitting * 0.6) + 0.01));
  const cut = letters.length > most;
  const shown = draw("text", { x, y, "font-size": fitting, ...attributes, text: cut ? `${letters.slice(0, most - 1).join("")}…` : text });
  if (cut) shown.append(draw("title", { text }));
  return shown;
}

/** How often each thing stands in a list, in the list's order. */
function tableCounts(list) {
  const counts = new Map();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

/** The name of a thing by its number: "1 card", "3 cards". */
function howMany(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Words that stand back. */
function quietWords(text, title = null) {
  return make("span", { class: "quiet", text, title });
}

/** The cells of a table's head; those at the places in `numbers` stand over numbers. */
function headCells(texts, numbers) {
  return texts.map((text, place) => make("th", { class: numbers.includes(place) ? null : "l", scope: "col", text }));
}

/** What an alert says: the seat, and what it does. */
function seatAlert(match, seat, ...words) {
  return make("p", { class: "alert" }, seatBadge(seat, match), ...words);
}

/** The sum of some numbers. */
function sumOf(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The most backs that are drawn of one hand. */
const MOST_BACKS = 60;

/** Cards that are not known: their backs, one over another. */
function cardBacks(size) {
  return make("span", { class: "backs", role: "img", "aria-label": `${howMany(size, "card")}, face down` },
    ...Array.from({ length: Math.min(size, MOST_BACKS) }, () => make("span", { class: "card-back" })));
}

/** What is remembered of each table that has been drawn: its shape, its hosts, and what each part was drawn from. */
const drawnTables = new WeakMap();

/**
 * The hosts of the table's parts in `root`: those of the last drawing, or where the match or the shape (such as wide
 * or narrow) is another, new ones from `build()`, an object of elements. `again()` is called when the width changes.
 */
function tableHosts(root, match, shape, build, again) {
  const before = drawnTables.get(root);
  if (before) before.again = again;
  if (before?.match === match && before.shape === shape) return before.hosts;
  const table = before ?? { again };
  if (!before) {
    let width = root.clientWidth;
    new ResizeObserver(() => { if (root.clientWidth !== width) { width = root.clientWidth; table.again(); } }).observe(root);
  }
  Object.assign(table, { match, shape, hosts: build(), seen: new Map() });
  drawnTables.set(root, table);
  return table.hosts;
}

/** Draws a part into its host, unless it was drawn from the very same things before. `content` gives elements. */
function tablePart(root, host, things, content) {
  const { seen } = drawnTables.get(root);
  const before = seen.get(host);
  if (before && before.every((thing, place) => thing === things[place])) return;
  seen.set(host, things);
  host.replaceChildren(...[content()].flat().filter((element) => element !== null));
}
