// Lines between the Boss and the seats for what is offered and agreed, prices beside them, and the play in the air.

/** All terms between the Boss and the others: {partner, terms, kind: "agreed"|"asks"|"bids", fresh} each. */
function openTerms(state, previous) {
  if (state.boss === null) return [];
  const seen = (list, each) => (list ?? []).some((other) => sameThing(other, each));
  const agreed = state.agreements.map((terms) => ({
    partner: terms.partner, terms, kind: "agreed", fresh: Boolean(previous) && !seen(previous.agreements, terms),
  }));
  const offered = state.offers.map((open) => ({
    partner: open.by === state.boss ? open.offer.to : open.by, terms: open.offer,
    kind: open.by === state.boss ? "bids" : "asks", fresh: Boolean(previous) && !seen(previous.offers, open),
  }));
  return [...agreed, ...offered].sort((one, other) => one.partner - other.partner);
}

/** Whether two things of the data are the same. */
function sameThing(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The path between two seats, bent aside where it would run across the middle of the board or another seat. */
function termsPath(from, to, middle, shape) {
  const x = (from.x + to.x) / 2, y = (from.y + to.y) / 2;
  const away = Math.hypot(x - middle.x, y - middle.y);
  const reach = shape.chip * 4;
  if (from.x === to.x && away > 1 && Math.abs(from.y - to.y) > 2 * shape.seat[1]) {
    const bend = from.x + Math.sign(middle.x - from.x) * shape.seat[0] * 1.3;
    return { d: `M${from.x} ${from.y}Q${bend} ${y} ${to.x} ${to.y}`, x: (from.x + bend) / 2, y };
  }
  if (away > reach) return { d: `M${from.x} ${from.y}L${to.x} ${to.y}`, x, y };
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const bend = { x: x - (to.y - from.y) / length * reach * 1.4, y: y + (to.x - from.x) / length * reach * 1.4 };
  return { d: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`, x: (x + bend.x) / 2, y: (y + bend.y) / 2 };
}

/** A line for each seat that has terms with the Boss: whole where agreed, dashed where asked, dotted where offered. */
function boardLines(state, terms, places, middle, shape) {
  const kinds = new Map();
  for (const each of terms) {
    const before = kinds.get(each.partner) ?? { kind: each.kind, fresh: false };
    const kind = [before.kind, each.kind].includes("agreed") ? "agreed" : before.kind === each.kind ? each.kind : "asks";
    kinds.set(each.partner, { kind, fresh: before.fresh || each.fresh });
  }
  return [...kinds].map(([partner, { kind, fresh }]) => draw("path", {
    class: `terms ${kind} ${fresh ? "fresh" : ""} seat-${partner}`,
    d: termsPath(places[partner], places[state.boss], middle, shape).d,
  }));
}

/** Prices with their cards beside the seats they concern: at most three each. */
function boardPrices(match, state, terms, places, middle, shape) {
  const byPartner = new Map();
  for (const each of terms) byPartner.set(each.partner, [...(byPartner.get(each.partner) ?? []), each]);
  return [...byPartner].flatMap(([partner, own]) => {
    const most = !shape.roomy ? 1 : own.length > 3 ? 2 : 3;
    const shown = own.slice(0, most);
    const more = own.length - shown.length;
    const tall = shape.text + 8;
    const at = pricesPlace(places[partner], places, middle, shape, (shown.length + (more && most > 1 ? 1 : 0)) * tall);
    return [
      ...shown.map((each, row) => priceTag(match, each, at.x, at.y + row * tall, shape, most === 1 && more ? `+${more}` : "")),
      more && most > 1 ? drawText(`${more} more`, at.x, at.y + shown.length * tall + 4, shape.text - 2, { class: "quiet" }) : null,
    ];
  });
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

function priceTag(match, { terms, kind, fresh }, x, y, shape, more) {
  const { text, chip } = shape, small = chip * 0.8;
  const cards = [...(terms.placards ?? []).map((family) => [family, "placard"]), ...(terms.clans ?? []).map((family) => [family, "clan"])];
  const shown = shape.roomy ? cards : [];
  const price = `${kind === "agreed" ? "✓" : ""}$${terms.price}M${more}`;
  const letters = price.length * text * 0.64;
  const width = letters + shown.length * small * 1.4 + 17;
  return draw("g", { class: `price ${kind} ${fresh ? "fresh" : ""}` },
    draw("title", { text: `${termsWords(match, terms)} for $${terms.price}M` }),
    draw("rect", { x: x - width / 2, y: y - text * 0.6 - 2.5, width, height: text * 1.2 + 5, rx: text * 0.6 }),
    ...shown.map(([family, sort], index) => drawFamily(match, family, sort, x - width / 2 + 6 + small * (0.65 + index * 1.4), y, small)),
    drawText(price, x + width / 2 - 7, y + text * 0.36, text, { class: "end" }));
}

/** Where the play that can be stopped now runs, from the seat that made it to the seat that it is about: {d, x, y} of
 *  its line and of its icon; null where it is about the seat itself. */
function playPath(state, places, middle, shape) {
  const { by, play } = state.play;
  const owner = (family) => state.placards.find((placard) => placard.family === family)?.owner;
  const target = play.move === "boss" ? state.boss : play.move === "recruit" ? owner(play.placard) : play.clan_of ?? owner(play.family);
  return target === by ? null : termsPath(places[by], places[target] ?? middle, middle, shape);
}

/** The line of that play, which runs behind the seats. */
function boardAim(state, places, middle, shape) {
  const path = state.play && playPath(state, places, middle, shape);
  return path ? [draw("path", { d: path.d })] : [];
}

/** The icon of that play, on its line. */
function boardPlay(match, state, places, middle, shape) {
  if (!state.play) return [];
  const { by, play } = state.play;
  const { x, y } = playPath(state, places, middle, shape) ?? places[by];
  const icon = { boss: "crown", recruit: "people", travel: "suitcase" }[play.move];
  return [draw("g", { class: "in-air" }, draw("title", { text: `${seatName(match, by)} ${playWords(match, state, play)}` }),
    draw("circle", { cx: x, cy: y, r: shape.chip * 0.95 }), drawIcon(icon, x, y, shape.chip * 1.1, { class: "glyph" }))];
}
