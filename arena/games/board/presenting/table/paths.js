// Where lines run between the seats: past the words in the middle, past other seats and past prices.

/** How far apart the bends are that are tried, and how many to each side, in chips. */
const BEND_STEP = 0.6, BENDS = 12;
/** How many points of a path are looked at. */
const PATH_POINTS = 32;

/** What a line must not cross, {left, top, right, bottom, weight} each: the words in the middle, seats and prices. Those
 *  of a seat have its number: its own lines begin there. The `cloth` is what lines may run over. */
function boardRoom(state, terms, { places, middle, open, ring }, shape) {
  const tags = priceTags(terms, places, middle, shape), aside = asidePlacards(state);
  const spots = asideSpots(aside, open, places, shape);
  const { text, chip } = shape, [width, height] = shape.seat;
  const broad = Math.max(text * (shape.roomy ? 5.2 : 2.6), ...spots.map(({ x }) => Math.abs(x - open.x) + chip * 0.75));
  const low = aside.length ? spots.at(-1).y + chip * 0.5 : open.y + text * (shape.roomy ? 2.1 : 0.9);
  const words = { left: open.x - broad, right: open.x + broad, top: open.y - text * (aside.length ? 3.6 : 2.6), bottom: low, weight: 20 };
  const around = (x, y, wide, tall) => ({ left: x - wide / 2, right: x + wide / 2, top: y - tall / 2, bottom: y + tall / 2 });
  const seats = places.map(({ x, y }, seat) => ({ ...around(x, y, width + 6, height + 6), seat, weight: 10 }));
  const prices = tags.map(({ partner, at, rows, wide }) =>
    ({ ...around(at.x, at.y + (rows - 1) * tagHeight(shape) / 2, wide, rows * tagHeight(shape)), seat: partner, price: true, weight: 3 }));
  const cloth = { left: shape.side + 4, right: shape.width - shape.side - 4, top: shape.top + 4, bottom: ring.height - shape.top - 4 };
  const ends = new Map(aside.map((placard, index) => [placard.family, { x: spots[index].x, y: low + 8 }]));
  return { places, blocks: [words, ...seats, ...prices], cloth, tags, ends, shape };
}

/** The prices that are shown beside each seat, {partner, at, shown, more, rows, wide}. */
function priceTags(terms, places, middle, shape) {
  const byPartner = new Map();
  for (const each of terms) byPartner.set(each.partner, [...(byPartner.get(each.partner) ?? []), each]);
  return [...byPartner].map(([partner, own]) => {
    const shown = own.slice(0, !shape.roomy ? 1 : own.length > 3 ? 2 : 3);
    const more = own.length - shown.length, rows = shown.length + (more && shape.roomy ? 1 : 0);
    const wide = Math.max(...shown.map((each) => tagWidth(each, shape, !shape.roomy && more ? `+${more}` : "")));
    return { partner, shown, more, rows, wide, at: pricesPlace(places[partner], places, middle, shape, rows * tagHeight(shape)) };
  });
}

/** How far below another a price stands. */
function tagHeight(shape) {
  return shape.text + 8;
}

/** The price that stands on a tag. */
function tagText({ terms, kind }, more) {
  return `${kind === "agreed" ? "✓" : ""}$${terms.price}M${more}`;
}

/** How wide a tag is: its price, and where there is room its cards. */
function tagWidth(each, { text, chip, roomy }, more) {
  const { placards = [], clans = [] } = each.terms;
  return tagText(each, more).length * text * 0.64 + (roomy ? (placards.length + clans.length) * chip * 1.12 : 0) + 17;
}

/** Where the first of a seat's prices stands: under it or over it, where there is more room, or else beside it. */
function pricesPlace(place, places, middle, shape, tall) {
  const [width, height] = shape.seat, away = height / 2 + shape.text;
  const under = { x: place.x, y: place.y + away }, over = { x: place.x, y: place.y - away - tall + shape.text + 5 };
  if (Math.abs(place.x - middle.x) < 1) return place.y > middle.y ? over : under;
  const column = places.filter((other) => other !== place && other.x === place.x).map((other) => other.y - place.y);
  const below = Math.min(...column.filter((gap) => gap > 0), 2 * middle.y - shape.top - place.y + height / 2);
  const above = Math.min(...column.filter((gap) => gap < 0).map(Math.abs), place.y - shape.top + height / 2);
  if (shape.roomy && column.length > 1 && Math.abs(place.y - middle.y) < 1) {
    return { x: place.x + Math.sign(middle.x - place.x) * (width / 2 + 36), y: place.y - tall / 2 + shape.text * 0.8 };
  }
  return below >= above ? under : over;
}

/** The path from a seat to another, or to the placard of a family that lies aside, {d, points, sign}: bent as little as
 *  it must be to cross nothing. One with a sign of this `radius`, at the point `sign`, leaves the straight line to others. */
function seatPath(from, to, room, radius = 0) {
  const { places, ends, shape } = room;
  const step = shape.chip * BEND_STEP;
  const bends = Array.from({ length: 2 * BENDS + 1 }, (_, index) => (index % 2 ? 1 : -1) * Math.ceil(index / 2) * step);
  const passed = room.blocks.filter(({ seat, price }) => ![from, to].includes(seat) || (price && radius));
  const tried = bends.slice(radius && !ends.has(to) ? 3 : 0).map((bend) => {
    const path = bentPath(places[from], ends.get(to) ?? places[to], bend);
    return radius ? { ...path, sign: signPlace(path, room, radius) } : path;
  });
  const costs = tried.map(({ points, sign }, index) =>
    crossings(points, passed, room.cloth) + (sign ? 3 * covering(sign, room, radius) : 0) + index * 0.01);
  return tried[costs.indexOf(Math.min(...costs))];
}

/** A path whose middle is so far beside the straight line. */
function bentPath(start, end, bend) {
  const across = end.x - start.x, down = end.y - start.y, length = Math.hypot(across, down) || 1;
  const aside = { x: -down / length * bend * 4 / 3, y: across / length * bend * 4 / 3 };
  const [one, other] = [1 / 3, 2 / 3].map((part) => ({ x: start.x + across * part + aside.x, y: start.y + down * part + aside.y }));
  const points = Array.from({ length: PATH_POINTS + 1 }, (_, index) => {
    const t = index / PATH_POINTS, s = 1 - t;
    const at = (axis) => s ** 3 * start[axis] + 3 * s * s * t * one[axis] + 3 * s * t * t * other[axis] + t ** 3 * end[axis];
    return { x: at("x"), y: at("y") };
  });
  const d = bend ? `M${start.x} ${start.y}C${one.x} ${one.y} ${other.x} ${other.y} ${end.x} ${end.y}` : `M${start.x} ${start.y}L${end.x} ${end.y}`;
  return { d, points };
}

/** Whether a point lies in a box or so near to it. */
function isInside({ x, y }, { left, right, top, bottom }, near) {
  return x > left - near && x < right + near && y > top - near && y < bottom + near;
}

/** How much the points of a path cross, each by what it crosses. */
function crossings(points, blocks, cloth) {
  const weigh = (point) => (isInside(point, cloth, 0) ? 0 : 10)
    + sumOf(blocks.map((block) => (isInside(point, block, 2) ? block.weight : 0)));
  return sumOf(points.map(weigh));
}

/** How much a sign with this radius covers at a point. */
function covering(point, { blocks, cloth }, radius) {
  return sumOf(blocks.map((block) => (isInside(point, block, radius) ? block.weight : 0))) + (isInside(point, cloth, -radius) ? 0 : 15);
}

/** The first of some points at which a sign covers nothing; where there is none, the one at which it covers least. */
function freePoint(points, room, radius) {
  const covered = points.map((point) => covering(point, room, radius));
  return points[covered.indexOf(Math.min(...covered))];
}

/** Where a sign stands on a path: as near to its middle as it can without covering anything. */
function signPlace({ points }, room, radius) {
  const middle = PATH_POINTS / 2;
  const nearest = points.map((_, index) => index).sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  return freePoint(nearest.map((index) => points[index]), room, radius);
}

/** Where a sign beside a seat covers nothing. */
function besideSeat(seat, room, radius) {
  const { x, y } = room.places[seat], [width, height] = room.shape.seat;
  const across = width / 2 + radius + 5, down = height / 2 + radius + 5;
  const around = [1, 0.5, 0, -0.5, -1].flatMap((part) =>
    [[across, part * down], [-across, part * down], [part * across, down], [part * across, -down]]);
  return freePoint(around.map(([right, under]) => ({ x: x + right, y: y + under })), room, radius);
}
