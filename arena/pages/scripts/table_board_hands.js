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

/** Cards that are not known: their backs, one over another. */
function cardBacks(size) {
  return make("span", { class: "backs", role: "img", "aria-label": `${howMany(size, "card")}, face down` },
    ...Array.from({ length: size }, () => make("span", { class: "card-back" })));
}
