// The table of the board game in sentences, for those who do not see it.

/** The sentences, in the order in which one would look: the deal, the seats, the spaces that are covered. */
function boardWords(match, state) {
  const deal = match.about.deals.find((each) => each.number === state.deal);
  const where = match.about.spaces[state.marker] ? `The marker is on ${spaceWords(match, state.marker, null, state.failed_here)}.` : "";
  const covered = state.ledger.map(({ number, space, boss, proceeds }) => `The deal on space ${space} was closed by ${seatName(match, boss)} for $${proceeds}M; card ${number} covers it.`);
  const sentences = [
    deal ? `Card ${deal.number} is next: a dividend is worth $${deal.value}M.` : "All deals are done.", where,
    ...state.money.map((_, seat) => `${seatWords(match, state, seat)}.`), ...covered,
  ].filter(Boolean);
  return sentences.map((text) => make("li", { text }));
}

/** A seat in a sentence. */
function seatWords(match, state, seat) {
  const placards = state.placards.filter((placard) => placard.owner === seat)
    .map(({ family, card }) => `${familyOf(match, family).name} placard${card ? " (travelling)" : ""}`);
  const laid = state.laid[seat].map((family) => `${familyOf(match, family).name} clan card`);
  const roles = [state.boss === seat ? "the Boss" : "", state.on_turn === seat ? "on turn" : ""].filter(Boolean);
  return [`Seat ${seat}, ${seatName(match, seat)}`, ...roles, `$${state.money[seat]}M`, howMany(state.hand_sizes[seat], "card"),
    ...placards, ...laid].join(", ");
}
