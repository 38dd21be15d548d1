// How seats are told apart in the chart: by colour, by shape, by the pattern of their lines, and by number.

const seatShapes = [
  "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z",
  "M-4.5 -4.5H4.5V4.5H-4.5Z",
  "M0 -5.5L5.5 4.5H-5.5Z",
  "M0 -6L6 0L0 6L-6 0Z",
  "M0 5.5L5.5 -4.5H-5.5Z",
  "M-2 -5.5H2V-2H5.5V2H2V5.5H-2V2H-5.5V-2H-2Z",
];
const seatDashes = ["", "7 3", "2 3", "10 3 2 3", "5 2 1 2 1 2", "1 3"];

/** The class that gives an element the colour of a seat. */
function seatClass(seat) {
  return `of-seat of-seat-${seat % seatShapes.length}`;
}

/** The mark of a seat, as SVG, at a place of a drawing. */
function seatMark(seat, x, y) {
  return draw("path", { class: `mark ${seatClass(seat)}`, d: seatShapes[seat % seatShapes.length], transform: `translate(${x} ${y})` });
}

/** The mark of a seat as a small picture of its own. */
function seatSign(seat) {
  return draw("svg", { class: "sign", viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" }, seatMark(seat, 0, 0));
}
