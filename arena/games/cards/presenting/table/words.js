// The table of the card game in sentences, for those who do not see it.

/** The sentences: the centre, then the seats. */
function cardsWords(match, state) {
  const centre = state.centre.map((card) => dealCard(card).title).join(", ") || "no cards";
  const sentences = [
    `Round ${state.round} of ${match.about.rounds}, ${state.color ?? "no colour yet"}.`,
    `In the centre: ${centre}; a share is worth ${dollars(state.value)}.`,
    ...state.money.map((money, seat) => cardsSeatWords(match, state, seat, money)),
  ];
  return sentences.map((text) => make("li", { text }));
}

function cardsSeatWords(match, state, seat, money) {
  const roles = [state.boss === seat ? "the Boss" : "", state.cousins.includes(seat) ? "a Cousin" : "",
    state.on_turn === seat ? "on turn" : "", ["", "has passed once", "is out"][state.passes[seat]]].filter(Boolean);
  const front = state.fronts[seat].map((card) => dealCard(card).title);
  return `${[`Seat ${seat}, ${seatName(match, seat)}`, ...roles, `$${money}`, howMany(state.hand_sizes[seat], "card"),
    howMany(state.stakes[seat].shares, "share"), ...front].join(", ")}.`;
}
