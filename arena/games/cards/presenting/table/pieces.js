// The cards of the card game, and what it says in words: bargains, moves, values.

/** A card taken apart: {color (null for a wild one), kind, number, face, icon, title}. */
function dealCard(card) {
  const [color, ...rest] = card === "wild pota" ? [null, "pota"] : card.split(" ");
  const [kind, number] = rest;
  const owner = color ?? "wild", signed = kind.replace("-", "−");
  if (kind === "pota") return { color, kind, face: "", icon: "slice", title: `${owner} piece of the action` };
  if (kind === "reverse") return { color, kind, face: "", icon: "reverse", title: `${owner} reverse card` };
  if (kind !== "move") return { color, kind: "value", number: Number(kind), face: signed, icon: null, title: `${owner} ${signed}` };
  return { color, kind, face: number, icon: "arrows", title: `${owner} move card: up to ${howMany(Number(number), "move")}` };
}

/** A card of the card game; `count` of them, some of them just laid where it is `fresh`. */
function dealCardFace(card, count = 1, fresh = false) {
  const { color, face, icon, title } = dealCard(card);
  const kinds = `card deal-card ${color ?? "wild"} ${fresh ? "fresh" : ""}`;
  return make("span", { class: kinds, title, role: "img", "aria-label": `${count} × ${title}${fresh ? ", new" : ""}` },
    make("span", { class: "face" }, icon ? tableIcon(icon) : null, face ? make("b", { text: face }) : null),
    make("span", { class: "word", text: color ?? "wild" }),
    count > 1 ? make("span", { class: "count", text: `×${count}` }) : null);
}

/** Cards side by side, the same ones together; marked are those of which there were fewer `before`. */
function dealCards(cards, before = null) {
  const earlier = before === null ? null : tableCounts(before);
  return [...tableCounts(cards)].map(([card, count]) => dealCardFace(card, count, earlier !== null && (earlier.get(card) ?? 0) < count));
}

/** An amount of whole dollars with its sign. */
function dollars(amount) {
  return amount < 0 ? `−$${-amount}` : `$${amount}`;
}

/** Where a card lies, in words. */
function placeWords(match, seat, nowhere) {
  return seat === null || seat === undefined ? nowhere : `in front of ${seatName(match, seat)}`;
}

/** An action in words, as a seat would offer it. */
function actionWords(match, action) {
  if (action.move === "pass") return action.double ? "passing twice" : "passing";
  const { title, kind } = dealCard(action.card);
  if (action.move === "drop") return `discarding a ${title} without effect`;
  const moves = (action.shifts ?? []).map((shift) => shiftWords(match, shift)).join("; ");
  if (moves) return `playing a ${title}, to move ${moves}`;
  return `playing a ${title}${kind === "value" ? " to the centre" : ` ${placeWords(match, action.to, "")}`}`;
}

/** One move of a move card in words. */
function shiftWords(match, { card, source, to }) {
  const from = source === null || source === undefined ? "from the centre" : `from ${placeWords(match, source)}`;
  return `a ${dealCard(card).title} ${from} to ${to === null || to === undefined ? "the discard pile" : seatName(match, to)}`;
}

/** What the Boss wants for a Cousin token, in words. */
function requestWords({ want, least }) {
  return {
    positive: `a positive card of at least +${least}`, negative: `a negative card of −${least} or less`,
    pota: "a piece of the action for the Boss", reverse: "discarding a reverse card", pass: "passing", gift: "nothing: a gift",
  }[want];
}
