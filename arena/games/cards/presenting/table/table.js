// The table of the card game: its parts put together, and drawn again as far as an event changes them.

matchTable.draw = drawCardsTable;

/** Draws the table `state` of `match` into `root`; `options` are those of {@link Course#options}. */
function drawCardsTable(root, state, match, options = {}) {
  const shape = root.clientWidth < 600 ? "narrow" : "roomy";
  const previous = options.previous ?? null;
  const hosts = tableHosts(root, match, shape, () => cardsHosts(root, match, shape), () => drawCardsTable(root, state, match, options));
  const part = (host, things, content) => tablePart(root, host, things, content);
  const { centre, color, exes, third_x: third, tokens, boss, round, over, on_turn: turn, cousins } = state;
  part(hosts.status, [state], () => cardsStatus(match, state));
  part(hosts.centre, [centre, color, exes, third, tokens, boss, previous?.centre], () => cardsCentre(match, state, previous));
  hosts.seats.forEach((host, seat) => {
    const { money, passes, fronts, hands, hand_sizes: sizes } = state;
    const things = [money[seat], previous?.money[seat], passes[seat], fronts[seat], previous?.fronts[seat], hands[seat], sizes[seat],
      cousins.includes(seat), color === null, state.stakes[seat].amount, boss === seat, turn === seat, round, previous?.round, over];
    part(host, things, () => cardsSeat(match, state, previous, seat));
  });
  part(hosts.discards, [state.discards, state.face_down, state.discard_pile], () => cardsDiscards(match, state));
  part(hosts.settled, [state.ledger], () => cardsSettled(match, state));
  part(hosts.words, [state], () => cardsWords(match, state));
}

/** The elements that hold the parts, in the root: the seats around the centre, clockwise, or one below another. */
function cardsHosts(root, match, shape) {
  const seats = Array.from({ length: match.about.players }, () => make("div", { class: "place" }));
  const hosts = { seats, status: make("section", { class: "table-status" }), centre: make("section", { class: "cloth" }),
    settled: make("section", { class: "settled-rounds" }), discards: make("details", { class: "discards" }),
    words: make("ul", { class: "unseen" }) };
  const over = Math.ceil(seats.length / 2);
  const top = seats.slice(1, 1 + over), bottom = [seats[0], ...seats.slice(1 + over).reverse()];
  const row = (places) => make("div", { class: "around" }, ...places);
  const around = shape === "narrow" ? [hosts.centre, row(seats)] : [row(top), hosts.centre, row(bottom)];
  root.replaceChildren(make("div", { class: `cards-table ${shape}` }, hosts.status, ...around, hosts.settled, hosts.discards,
    make("details", { class: "key" }, ...cardsKey()), hosts.words));
  return hosts;
}
