// The hands of influence cards, seat by seat: all of them, or as one seat knows them.

/** A row for each seat: its name and its cards, or their backs. */
function boardHands(match, state) {
  const rows = state.hand_sizes.map((size, seat) => handRow(match, state, seat, size));
  return [make("h3", { class: "hands-title", text: "Hands" }), make("ul", { class: "hands" }, ...rows)];
}

function handRow(match, state, seat, size) {
  const hand = state.hands[seat];
  const cards = hand === null ? [cardBacks(size)] : [...tableCounts(hand)].map(([card, count]) => influenceCard(match, card, count));
  return make("li", {},
    make("span", { class: "hand-head" }, seatBadge(seat, match), quietWords(`${size} in hand`)),
    make("span", { class: "hand" }, ...(size ? cards : [quietWords("none")])));
}

/** The discard pile, as what a "details" element holds. */
function boardDiscards(match, state) {
  const cards = match.about.cards.flatMap((card, kind) => state.discards[kind] ? [influenceCard(match, card, state.discards[kind])] : []);
  return [make("summary", { text: `${howMany(sumOf(state.discards), "card")} in the discard pile` }), make("div", { class: "hand" }, ...cards)];
}
