// The middle of the card game's table: the round, what is bargained about, the centre and what a share is worth.

/** What is going on, in a line, and below it what asks for an answer. */
function cardsStatus(match, state) {
  const said = [];
  if (state.over) said.push(make("b", { text: "The match is over." }));
  else if (!state.round) said.push(make("span", { text: "Before the first round" }));
  else said.push(make("span", { text: `Round ${state.round} of ${match.about.rounds}` }));
  if (state.boss !== null && !state.over) said.push(make("span", {}, tableIcon("crown"), " Boss: ", seatBadge(state.boss, match)));
  if (state.on_turn !== null) said.push(make("span", {}, "on turn: ", seatBadge(state.on_turn, match)));
  return [make("p", { class: "status-line" }, ...said), cardsAlert(match, state)];
}

/** A bargain in the air, what a seat is bound to, a move card in use; else the piles of cards. */
function cardsAlert(match, state) {
  if (state.bargain) {
    const { by, offer } = state.bargain;
    const words = offer.move === "propose" ? ` offers the Boss, for a Cousin token: ${actionWords(match, offer.action)}.`
      : ` offers a Cousin token for ${requestWords(offer)} to `;
    const asked = offer.move === "request" && state.on_turn !== null;
    return seatAlert(match, by, words, ...(asked ? [seatBadge(state.on_turn, match)] : []));
  }
  if (state.moving) {
    const done = state.moved.length ? ` So far: ${state.moved.map((shift) => shiftWords(match, shift)).join("; ")}.` : "";
    return seatAlert(match, state.on_turn, ` uses a ${dealCard(state.moving).title}; ${state.moves_left} left.${done}`);
  }
  if (state.bound) return seatAlert(match, state.on_turn, ` is bound to ${requestWords(state.bound)}.`);
  return make("p", { class: "calm quiet", text: `${howMany(state.deck, "card")} in the deck, ${state.discard_pile} discarded` });
}

/** The cloth: the cards in the centre, the multiplier, the tokens, and what a share is worth. */
function cardsCentre(match, state, previous) {
  const same = previous && previous.round === state.round && previous.color === state.color ? previous.centre : null;
  return [
    make("div", { class: "centre-head" },
      make("h3", { text: "Centre" }), state.color ? colorName(state.color) : quietWords("no colour yet")),
    make("div", { class: "hand lying" }, ...(state.centre.length ? dealCards(state.centre, same) : [quietWords("no cards")])),
    shareValue(match, state),
    make("div", { class: "kit" }, ...multiplierPieces(state), ...tokenPieces(match, state)),
  ];
}

function colorName(color) {
  return make("span", { class: `color-name ${color}`, text: color });
}

/** What a share is worth, and how it is reckoned. */
function shareValue(match, state) {
  const { factor, limit } = match.about, { total, uncut } = state;
  const most = limit === null ? "" : `; at most $${limit}`;
  const cut = uncut !== state.value ? `, cut to ${dollars(state.value)}` : "";
  return make("p", { class: "share-value" },
    make("b", { class: state.value < 0 ? "loss" : null, text: dollars(state.value) }), make("span", { text: " a share" }),
    quietWords(`${factor} × ${state.multiplier} × ${String(total).replace("-", "−")} = ${dollars(uncut)}${cut}${most}`));
}

/** The disk and the X cards that lie open. */
function multiplierPieces(state) {
  const disk = make("span", { class: "disk", title: `2X disk${state.third_x ? ", the third X under it" : ""}`, text: "2X" });
  const exes = Array.from({ length: state.exes }, () => make("span", { class: "card deal-card ex", title: "X card", text: "X" }));
  return [make("span", { class: "kit-group" }, disk, ...exes, quietWords(`multiplier ${state.multiplier}`))];
}

/** The Cousin tokens that the Boss still has. */
function tokenPieces(match, state) {
  if (!match.about.cousins || state.boss === null) return [];
  const left = Array.from({ length: state.tokens }, () => make("span", { class: "token" }, tableIcon("token")));
  return [make("span", { class: "kit-group" }, ...left, quietWords(`${howMany(state.tokens, "Cousin token")} left`))];
}

/** The rounds that are settled: what a share was worth and what each seat got. */
function cardsSettled(match, state) {
  if (!state.ledger.length) return [];
  const seats = state.money.map((_, seat) => seat);
  return [make("h3", { text: "Settled rounds" }), make("div", { class: "scroll" }, make("table", { class: "settled" },
    make("caption", { class: "unseen", text: "What a share was worth in each round, and what each seat received, in $" }),
    make("thead", {}, make("tr", {}, ...headCells(["round", "Boss", "colour", "a share"], [3]),
      ...seats.map((seat) => make("th", { scope: "col", title: seatName(match, seat) }, seatBadge(seat))))),
    make("tbody", {}, ...state.ledger.map((deal) => make("tr", {},
      make("td", { class: "l", text: deal.round }), make("td", { class: "l" }, seatBadge(deal.boss)),
      make("td", { class: "l" }, colorName(deal.color)), make("td", { text: dollars(deal.value) }),
      ...deal.amounts.map((amount) => make("td", { class: amount ? null : "quiet", text: dollars(amount) })))))))];
}
