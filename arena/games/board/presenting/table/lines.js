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

/** A line for each seat that has terms with the Boss: whole where agreed, dashed where asked, dotted where offered. */
function boardLines(state, terms, room) {
  const kinds = new Map();
  for (const each of terms) {
    const before = kinds.get(each.partner) ?? { kind: each.kind, fresh: false };
    const kind = [before.kind, each.kind].includes("agreed") ? "agreed" : before.kind === each.kind ? each.kind : "asks";
    kinds.set(each.partner, { kind, fresh: before.fresh || each.fresh });
  }
  return [...kinds].map(([partner, { kind, fresh }]) => draw("path", {
    class: `terms ${kind} ${fresh ? "fresh" : ""} seat-${partner}`,
    d: seatPath(partner, state.boss, room).d,
  }));
}

/** Prices with their cards beside the seats they concern: at most three each; `tags` are those of {@link priceTags}. */
function boardPrices(match, tags, shape) {
  const tall = tagHeight(shape);
  return tags.flatMap(({ at, shown, more }) => [
    ...shown.map((each, row) => priceTag(match, each, at.x, at.y + row * tall, shape, shape.roomy || !more ? "" : `+${more}`)),
    more && shape.roomy ? drawText(`${more} more`, at.x, at.y + shown.length * tall + 4, shape.text - 2, { class: "quiet" }) : null,
  ]);
}

function priceTag(match, { terms, kind, fresh }, x, y, shape, more) {
  const { text, chip } = shape, small = chip * 0.8, width = tagWidth({ terms, kind }, shape, more);
  const cards = [...(terms.placards ?? []).map((family) => [family, "placard"]), ...(terms.clans ?? []).map((family) => [family, "clan"])];
  const shown = shape.roomy ? cards : [];
  return draw("g", { class: `price ${kind} ${fresh ? "fresh" : ""}` },
    draw("title", { text: `${termsWords(match, terms)} for $${terms.price}M` }),
    draw("rect", { x: x - width / 2, y: y - text * 0.6 - 2.5, width, height: text * 1.2 + 5, rx: text * 0.6 }),
    ...shown.map(([family, sort], index) => drawFamily(match, family, sort, x - width / 2 + 6 + small * (0.65 + index * 1.4), y, small)),
    drawText(tagText({ terms, kind }, more), x + width / 2 - 7, y + text * 0.36, text, { class: "end" }));
}

/** Where the play that can be stopped now runs, and where its sign stands: {d, x, y}; a play on the seat's own cards
 *  runs nowhere. */
function playPath(state, room) {
  const { by, play } = state.play, radius = signRadius(room.shape);
  const owner = (family) => state.placards.find((placard) => placard.family === family)?.owner ?? family;
  const target = play.move === "boss" ? state.boss : play.move === "recruit" ? owner(play.placard) : play.clan_of ?? owner(play.family);
  if (target === by) return besideSeat(by, room, radius);
  const { d, sign } = seatPath(by, target, room, radius);
  return { d, ...sign };
}

/** How large the sign of a play is. */
function signRadius(shape) {
  return shape.chip * 0.85;
}

/** The line of that play, which runs behind the seats. */
function boardAim(state, room) {
  const path = state.play && playPath(state, room);
  return path?.d ? [draw("path", { d: path.d })] : [];
}

/** The sign of that play. */
function boardPlay(match, state, room) {
  if (!state.play) return [];
  const { by, play } = state.play, { x, y } = playPath(state, room), { shape } = room;
  const icon = { boss: "crown", recruit: "people", travel: "suitcase" }[play.move];
  return [draw("g", { class: "in-air" }, draw("title", { text: `${seatName(match, by)} ${playWords(match, state, play)}` }),
    draw("circle", { cx: x, cy: y, r: signRadius(shape) }), drawIcon(icon, x, y, shape.chip, { class: "glyph" }))];
}
