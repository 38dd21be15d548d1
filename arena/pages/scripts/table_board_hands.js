// The hands of influence cards, seat by seat: all of them, or as one seat knows them.

/** A row for each seat: its name and its cards, or their backs. */
function boardHands(match, state) {
  return [make("h3", { text: "Hands" }), make("ul", { class: "hands" }, ...state.hand_sizes.map((size, seat) => handRow(match, state, seat, size)))];
}

function handRow(match, state, seat, size) {
  const hand = state.hands[seat];
  const cards = hand === null ? [cardBacks(size)] : [...tableCounts(hand)].map(([card, count]) => influenceCard(match, card, count));
  return make("li", {},
    make("span", { class: "hand-head" }, seatBadge(seat, match), make("span", { class: "quiet", text: howMany(size, "card") })),
    make("span", { class: "hand" }, ...(size ? cards : [make("span", { class: "quiet", text: "none" })])));
}

/** The discard pile, as what a "details" element holds. */
function boardDiscards(match, state) {
  return [make("summary", { text: `${howMany(sumOf(state.discards), "card")} in the discard pile` }),
    make("div", { class: "hand" }, ...match.about.cards.flatMap((card, kind) => state.discards[kind] ? [influenceCard(match, card, state.discards[kind])] : []))];
}
