// The ring of spaces: where each lies, what it needs and pays, and the deals that cover some.

/** Measures of the board in both its shapes, in units of its drawing. The narrow one is for phones. */
const BOARD_SHAPES = {
  full: { width: 560, across: 5, top: 62, side: 86, step: 80, inner: 396, chip: 15, text: 12.5, seat: [118, 76], gap: 6, roomy: true },
  narrow: { width: 360, across: 4, top: 60, side: 66, step: 90, inner: 330, chip: 14, text: 11, seat: [84, 74], gap: 4, roomy: false },
};

/**
 * The places of `count` spaces clockwise from the top left corner, {x, y, width, height} each, and the height of the
 * board. The rest of the spaces lie at the sides, as evenly as their number allows.
 */
function ringPlaces(count, shape) {
  const top = Math.min(count, Math.max(Math.min(shape.across, Math.ceil(count / 4) + 1), 1));
  const bottom = Math.min(top, Math.max(0, Math.ceil((count - top) / 2)), count - top);
  const right = Math.ceil((count - top - bottom) / 2), left = count - top - bottom - right;
  const inner = Math.max(shape.inner, Math.max(left, right) * shape.step);
  const height = 2 * shape.top + inner;
  const row = (number, y) => Array.from({ length: number }, (_, index) =>
    ({ x: index * shape.width / number, y, width: shape.width / number, height: shape.top }));
  const column = (number, x) => Array.from({ length: number }, (_, index) =>
    ({ x, y: shape.top + index * inner / number, width: shape.side, height: inner / number }));
  const places = [...row(top, 0), ...column(right, shape.width - shape.side),
    ...row(bottom, height - shape.top).reverse(), ...column(left, 0).reverse()];
  return { places, height };
}

/** The spaces of the board: {places, height} of {@link ringPlaces}, as elements. */
function ringSpaces(match, state, ring, shape) {
  const closed = new Map(state.ledger.map((deal) => [deal.space, deal]));
  return match.about.spaces.map((space, index) => {
    const place = ring.places[index];
    const deal = closed.get(index);
    const here = state.marker === index;
    const failed = here && state.failed_here;
    return draw("g", { class: `space ${deal ? "covered" : ""} ${here ? "here" : ""}` },
      draw("title", { text: spaceWords(match, index, deal, failed) }),
      draw("rect", { x: place.x + 1.5, y: place.y + 1.5, width: place.width - 3, height: place.height - 3, rx: 7 }),
      ...(deal ? coveredSpace(match, deal, place, shape) : openSpace(match, space, index, place, shape)),
      failed ? drawText("failed", place.x + place.width - 8, place.y + shape.text + 4, shape.text - 1, { class: "failed end" }) : null);
  });
}

/** A space in a sentence. */
function spaceWords(match, index, deal, failed) {
  const space = match.about.spaces[index];
  if (deal) return `space ${index}: covered by card ${deal.number}, closed by ${seatName(match, deal.boss)} for $${deal.proceeds}M`;
  const pays = `pays ${howMany(space.dividends, "dividend")}, needs ${needsWords(match, space)}`;
  return `space ${index}: ${pays}${failed ? "; a deal has failed here" : ""}`;
}

/** Whom a space needs, in words. */
function needsWords(match, space) {
  const named = (families) => families.map((family) => familyOf(match, family).name).join(", ");
  const groups = space.groups.map((group) => `${group.choose} of ${named(group.from)}`);
  return [...(space.required.length ? [named(space.required)] : []), ...groups].join(" and ");
}

function coveredSpace(match, deal, place, shape) {
  const x = place.x + place.width / 2, y = place.y + place.height / 2, size = shape.text;
  return [
    drawText(`card ${deal.number}`, x, y - size * 0.9, size - 1, { class: "quiet" }),
    drawBadge(deal.boss, x - size * 1.7, y + size * 0.35, size * 0.72),
    drawText(`$${deal.proceeds}M`, x - size * 0.7, y + size * 0.72, size, { class: "start strong" }),
    shape.roomy ? drawText(seatName(match, deal.boss), x, y + size * 2.1, size - 1, { class: "quiet" }, place.width - 12) : null,
  ];
}

function openSpace(match, space, index, place, shape) {
  const { chip, text } = shape;
  const x = place.x + chip * 0.45, y = place.y + text + 4;
  const unit = place.width < 100 ? "div." : space.dividends === 1 ? "dividend" : "dividends";
  return [
    drawText(space.dividends, x, y + 1, text + 4, { class: "start strong" }),
    drawText(unit, x + String(space.dividends).length * (text + 4) * 0.68 + 3, y, text - 2, { class: "start quiet" }),
    drawText(index, place.x + place.width - chip * 0.4, y, text - 2, { class: "end quiet" }),
    ...needsChips(match, space, place, shape),
  ];
}

/** The families of a space in rows: required ones filled, those of a choice behind its number, open; as large as fits. */
function needsChips(match, space, place, shape) {
  const pieces = [
    ...space.required.map((family) => ({ family, kind: "sure" })),
    ...space.groups.flatMap((group) => [{ word: `${group.choose} of` }, ...group.from.map((family) => ({ family, kind: "choice" }))]),
  ];
  const rows = [1, 0.85, 0.7, 0.55].map((scale) => chipRows(pieces, place, shape, scale));
  const { chip, places } = rows.find((each) => each.bottom <= place.y + place.height - 3) ?? rows[rows.length - 1];
  return pieces.map((piece, index) => {
    const { x, y } = places[index];
    if (piece.word) return drawText(piece.word, x + 2, y + chip * 0.26, Math.min(shape.text - 2, chip * 0.75), { class: "start quiet" });
    return drawFamily(match, piece.family, "need", x + chip / 2, y, chip, null, piece.kind);
  });
}

/** Where the pieces of a space's needs lie at a scale, the size of their chips, and where the last row ends. */
function chipRows(pieces, place, shape, scale) {
  const chip = shape.chip * scale, step = chip + (shape.roomy ? 3 : 2);
  const widths = pieces.map((piece) => piece.word ? Math.max(shape.text, chip) * 1.85 : step);
  const left = place.x + shape.chip * 0.35, right = place.x + place.width - 3;
  let x = left, y = place.y + shape.text + 8 + chip / 2;
  const places = pieces.map((piece, index) => {
    const ahead = piece.word ? widths[index + 1] ?? 0 : 0;
    if (x > left && x + widths[index] + ahead > right) [x, y] = [left, y + step];
    x += widths[index];
    return { x: x - widths[index], y };
  });
  return { chip, places, bottom: y + chip / 2 };
}

/** The marker: at first drawn where it stands, later moved there. */
function moveMarker(marker, state, ring, shape) {
  const place = ring.places[state.marker];
  marker.classList.toggle("away", !place);
  if (!place) return;
  const x = place.x + place.width - shape.chip * 0.75, y = place.y + place.height - shape.chip * 0.9;
  marker.style.transform = `translate(${x}px, ${y}px)`;
}
