// The seats inside the ring: name, money, number of cards, placards and laid clan cards; and what lies between them.

/** The middles of the seats, clockwise from the bottom: one at the bottom and at the top, or none, the rest at the sides. */
function seatPlaces(players, height, shape) {
  const x = shape.width / 2, y = height / 2;
  const [width, tall] = shape.seat;
  const across = x - shape.side - width / 2 - shape.gap, down = y - shape.top - tall / 2 - shape.gap;
  const turned = players === 6 ? 0.5 : 0;
  const angles = Array.from({ length: players }, (_, seat) => Math.PI / 2 + 2 * Math.PI * (seat + turned) / players);
  const highest = Math.max(...angles.map((angle) => Math.abs(Math.sin(angle))));
  return angles.map((angle) => {
    const aside = Math.abs(Math.cos(angle)) > 0.1 ? Math.sign(Math.cos(angle)) : 0;
    return { x: x + across * aside, y: y + down * Math.round(Math.sin(angle) / highest * 100) / 100 };
  });
}

/** The seats as elements; `previous` is the table before the event, for what changed. */
function boardSeats(match, state, previous, places, shape) {
  return places.map((place, seat) => {
    const [width, height] = shape.seat;
    const x = place.x - width / 2, y = place.y - height / 2;
    const boss = state.boss === seat;
    const kinds = `${boss ? "boss" : ""} ${isOnTurn(state, seat) ? "turn" : ""}`;
    return draw("g", { class: `seat ${kinds}` },
      draw("title", { text: seatWords(match, state, seat) }),
      draw("rect", { class: "frame", x, y, width, height, rx: 9 }),
      ...seatHead(match, state, seat, { x, y, width, height }, shape),
      ...seatMoney(state, previous, seat, { x, y, width }, shape),
      ...seatCards(match, state, seat, { x, y, width, height }, shape));
  });
}

function isOnTurn(state, seat) {
  return state.on_turn === seat && !state.over;
}

function seatHead(match, state, seat, { x, y, width, height }, shape) {
  const { text } = shape, radius = text * 0.72, boss = state.boss === seat;
  const mark = boss ? (shape.roomy ? "Boss" : "") : isOnTurn(state, seat) ? (shape.roomy ? "on turn" : "▸") : "";
  const room = width - radius * 2 - 16, crown = x + width - text * (shape.roomy ? 3.9 : 0.95);
  return [
    drawBadge(seat, x + radius + 6, y + radius + 6, radius),
    drawText(seatName(match, seat), x + radius * 2 + 10, y + radius + 5 + text * 0.36, text, { class: "start strong" }, room, text * 0.65),
    boss ? drawIcon("crown", crown, y + height - text * 0.95, text * 1.25, { class: "crown" }) : null,
    mark ? drawText(mark, x + width - 7, y + height - 7, text - 1.5, { class: boss ? "end strong" : "end quiet" }) : null,
  ];
}

function seatMoney(state, previous, seat, { x, y, width }, shape) {
  const { text } = shape, line = y + text * 2.95;
  const gained = previous ? state.money[seat] - previous.money[seat] : 0;
  const size = state.hand_sizes[seat];
  return [
    drawText(`$${state.money[seat]}M`, x + 7, line, text + 2, { class: "start strong money" }),
    gained ? drawText(`${gained > 0 ? "+" : "−"}${Math.abs(gained)}`, x + 7, line + text * 1.1, text, { class: "start gain" }) : null,
    draw("rect", { class: "back", x: x + width - text * 2.6, y: line - text, width: text * 0.8, height: text * 1.15, rx: 2 }),
    drawText(size, x + width - 6, line, text, { class: "end" }),
  ];
}

/** Placards, travelling ones with their card on them, and laid clan cards. */
function seatCards(match, state, seat, { x, y, width, height }, shape) {
  const { chip } = shape;
  const placards = state.placards.filter((placard) => placard.owner === seat);
  const pieces = [
    ...placards.map((placard) => ({ wide: chip * 1.42, element: (at, line) => drawPlacard(match, placard, at, line, shape) })),
    ...state.laid[seat].map((family) => ({
      wide: chip,
      element: (at, line) => drawFamily(match, family, "clan", at, line, chip, `${familyOf(match, family).name} clan card, laid`),
    })),
  ];
  const whole = pieces.reduce((sum, piece) => sum + piece.wide, 0);
  const room = width - 12 - (state.boss === seat || isOnTurn(state, seat) ? shape.text * (shape.roomy ? 4.4 : 1.2) : 0);
  const squeeze = Math.min(1, room / whole);
  let left = x + 6;
  return pieces.map((piece) => {
    const element = piece.element(left + piece.wide / 2, y + height - chip * 0.8);
    left += piece.wide * squeeze;
    return element;
  });
}

/** A placard, and over one that travels the travel card. */
function drawPlacard(match, placard, x, y, shape) {
  const { name } = familyOf(match, placard.family);
  const away = placard.card !== null && placard.card !== undefined;
  const title = `${name} placard${away ? `, travelling: ${influenceTitle(match, placard.card)}` : ""}`;
  const drawn = drawFamily(match, placard.family, "placard", x, y, shape.chip, title, away ? "away" : "");
  if (away) {
    drawn.append(draw("circle", { class: "over", cx: x + shape.chip * 0.5, cy: y - shape.chip * 0.5, r: shape.chip * 0.42 }),
      drawIcon("suitcase", x + shape.chip * 0.5, y - shape.chip * 0.5, shape.chip * 0.56, { class: "glyph" }));
  }
  return drawn;
}

/** Where the middle of the board is free: between rows of seats where some stand to both sides of it. */
function openMiddle(places, middle) {
  const beside = places.some((place) => Math.abs(place.y - middle.y) < 1) && places.length === 6;
  return beside ? { x: middle.x, y: (middle.y + Math.min(...places.map((place) => place.y))) / 2 } : middle;
}

/** The placards that no seat has. */
function asidePlacards(state) {
  return state.placards.filter((placard) => placard.owner === null || placard.owner === undefined);
}

/** The middles of the placards that lie aside, {x, y} each: in a row below the middle, or in several where seats to both
 *  sides leave no room for one. */
function asideSpots(aside, middle, places, { text, chip, roomy, seat: [width, height] }) {
  const top = middle.y + text * 2.4 + chip * 0.6 - (roomy ? 0 : text);
  const beside = places.filter(({ x, y }) => Math.abs(x - middle.x) > width / 2 && Math.abs(y - top) < height / 2 + chip);
  const room = 2 * Math.min(...beside.map(({ x }) => Math.abs(x - middle.x) - width / 2));
  const step = chip * 1.5, most = Math.max(1, Math.min(aside.length, Math.floor(room / step)));
  return aside.map((placard, index) => {
    const row = Math.floor(index / most), last = Math.min(most, aside.length - row * most) - 1;
    return { x: middle.x + (index % most - last / 2) * step, y: top + row * chip * 1.25 };
  });
}

/** What lies in the middle: the deal card, what the space pays or paid under it, and placards that are aside; `number`
 *  is how many deals have been opened. */
function boardMiddle(match, state, middle, places, shape, number) {
  const { x, y } = middle, { text } = shape;
  const aside = asidePlacards(state), spots = asideSpots(aside, middle, places, shape);
  const closed = closedHere(state), card = closed ? closed.number : state.deal;
  const deal = state.over ? null : match.about.deals.find((each) => each.number === card);
  const space = match.about.spaces[state.marker];
  const worth = deal ? `$${closed ? closed.proceeds : deal.pays[state.marker] ?? deal.value}M` : "end";
  const rise = text * (aside.length ? 1.6 : 0.6);
  return [
    deal ? drawText(middleHead(number, card, closed || state.boss !== null, shape), x, y - rise - text * 0.9, text, { class: "quiet" }) : null,
    drawText(worth, x, y - rise + text * 1.1, text * (shape.roomy ? 2 : 1.45), { class: "strong" }),
    deal && space && shape.roomy
      ? drawText(closed ? "closed" : `${space.dividends} × $${deal.value}M`, x, y - rise + text * 2.4, text - 1, { class: "quiet" }) : null,
    aside.length ? drawText("aside", x, y + text * 2.1 - (shape.roomy ? 0 : text), text - 2, { class: "quiet" }) : null,
    ...aside.map((placard, index) => drawPlacard(match, placard, spots[index].x, spots[index].y, shape)),
  ];
}

/** The number of the deal and of its card; of both the first alone where there is little room. */
function middleHead(number, card, open, shape) {
  if (!open || !number) return `card ${card}`;
  return shape.roomy ? `deal ${number} · card ${card}` : `deal ${number}`;
}
