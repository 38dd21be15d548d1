// The deal beside the board: the state of the turn in a line, what the Boss still needs, and who would get what.

/** What is going on, in a line: the turn, the tick, the die, and a play that can be stopped. */
function boardStatus(match, state, event) {
  const { turn, on_turn: seat } = state;
  const said = [];
  if (state.over) said.push(make("b", { text: "The match is over." }));
  else if (!turn) said.push(make("span", { text: "Before the first turn" }));
  else said.push(make("span", {}, `Turn ${turn}: `, seatBadge(seat, match)));
  if (event?.roll) said.push(make("span", {}, event.kind === "marker" ? "rolls " : "roll for the end: ", tableDie(event.roll)));
  if (state.boss !== null) {
    said.push(make("span", {}, tableIcon("crown"), " Boss: ", seatBadge(state.boss, match)));
    if (state.tick) said.push(make("span", { text: `tick ${state.tick}` }));
  } else if (state.must_deal) said.push(make("span", { text: "must open a deal" }));
  return [make("p", { class: "status-line" }, ...said), boardAlert(match, state)];
}

/** What asks for an answer now, a play that a STOP would cancel or a closing that is named; else the piles of cards. */
function boardAlert(match, state) {
  if (state.play) {
    return seatAlert(match, state.play.by, ` ${playWords(match, state, state.play.play)}. A STOP would cancel it.`);
  }
  if (state.named) {
    return seatAlert(match, state.named.by, match.about.last_call ? " names this closing; this is the last call to play cards." : " names this closing.");
  }
  const quiet = state.boss !== null && state.quiet ? `nothing new for ${howMany(state.quiet, "tick")}; ` : "";
  const text = `${quiet}${howMany(state.draw_pile, "card")} to draw, ${sumOf(state.discards)} discarded`;
  return make("p", { class: "calm quiet", text });
}

/** The deal that covers the marker's space: it has closed, and its cards are being put away. Null where none does. */
function closedHere(state) {
  const last = state.ledger[state.ledger.length - 1];
  return last && last.space === state.marker ? last : null;
}

/** The table as it was at the end of the last negotiation. */
function lastNegotiation({ previous, last }) {
  const open = (table) => table.boss !== null;
  return previous && open(previous) ? previous : last?.(open) ?? null;
}

/** What the deal is called: its `number` in the match while it is open, where it is, and its card. */
function dealName(state, number, card) {
  const where = state.marker === null ? "" : `${number ? "Deal" : "Space"} ${number ? `${number} on space ` : ""}${state.marker} · card `;
  return `${where || "Card "}${card}`;
}

/** The deal that has just closed, what filled its needs as the table stood `before`, and who got what. */
function closedDeal(match, state, number, before) {
  const { number: card, space, boss, proceeds, amounts } = closedHere(state);
  const worth = `closed: ${dividendsWords(match, space, card)}: $${proceeds}M`;
  return [make("h3", { text: dealName(state, number, card) }), make("p", { class: "quiet", text: worth }),
    before ? needsList(match, before, { ...before, hope: [] }) : null,
    make("p", { class: "split-head", text: "Money of each seat:" }), splitParts(match, boss, amounts)].filter(Boolean);
}

/** The open deal: its needs and who would be paid; outside a negotiation the deal that has just closed, with the table
 *  `before` it did, or what the marker's space would need. `number` is how many deals have been opened. */
function boardDeal(match, state, number, before) {
  if (closedHere(state)) {
    const end = state.over ? [make("h3", { text: "Money at the end" }), finalMoney(match, state)] : [];
    return [...closedDeal(match, state, number, before), ...end];
  }
  const deal = match.about.deals.find((each) => each.number === state.deal);
  const space = match.about.spaces[state.marker];
  if (state.over || !deal) return [make("h3", { text: state.over ? "Money at the end" : "All deals are done" }), finalMoney(match, state)];
  const ends = deal.ends.length ? `; the match ends on ${deal.ends.join(", ")} of the die` : "";
  const worth = space ? `${dividendsWords(match, state.marker, deal.number)}: $${deal.pays[state.marker]}M`
    : `a dividend is $${deal.value}M`;
  const head = [make("h3", { text: dealName(state, state.boss === null ? null : number, deal.number) }),
    make("p", { class: "quiet", text: `${worth}${ends}` })];
  if (!space) return head;
  if (state.boss === null) return [...head, needsList(match, state, { cover: [], hope: [] })];
  return [...head, needsList(match, state, state), ...splitBar(match, state)];
}

/** How many dividends a space pays, and what each is worth under a card. */
function dividendsWords(match, space, card) {
  const { value } = match.about.deals.find((each) => each.number === card);
  return `${howMany(match.about.spaces[space].dividends, "dividend")} of $${value}M`;
}

/** The seats by money, most first. */
function finalMoney(match, state) {
  const seats = state.money.map((_, seat) => seat).sort((one, other) => state.money[other] - state.money[one]);
  return make("ul", { class: "final" }, ...seats.map((seat) => make("li", {}, seatBadge(seat, match), make("b", { text: `$${state.money[seat]}M` }))));
}

/** The places of the marker's space, each with the card that fills it, of the `cover`, or would, of the `hope`. */
function needsList(match, state, { cover, hope }) {
  const used = [...cover, ...hope];
  const families = used.flatMap((source) => [...source.placards, ...source.clans]);
  const rows = coverPlaces(match.about.spaces[state.marker], families).map((place) => {
    const source = used.find((each) => each.placards.includes(place.held) || each.clans.includes(place.held));
    const sure = cover.includes(source);
    return make("li", { class: source ? sure ? "sure" : "open" : "missing" },
      make("span", { class: "tick-mark", text: source ? sure ? "✓" : "?" : "–" }),
      ...(source ? filledPlace(match, state, place, source) : emptyPlace(match, state, place)));
  });
  return make("ul", { class: "needs" }, ...rows);
}

function filledPlace(match, state, place, source) {
  const placard = source.placards.includes(place.held);
  const whole = source.placards.length + source.clans.length > 1 ? ", together" : "";
  const how = {
    "own placard": "own placard", laid: "own clan card", "in hand": "in the Boss's hand",
    agreed: `agreed${source.cost ? ` for $${source.cost}M${whole}` : ""}`, asks: `asks $${source.cost}M${whole}`,
    "fair share": `fair share of $${source.cost}M`, named: `$${source.cost}M${whole}`,
  }[source.how];
  return [familyChip(match, place.held, placard ? "placard" : "clan"), make("span", { text: familyOf(match, place.held).name }),
    seatBadge(source.seat), quietWords(how)];
}

function emptyPlace(match, state, place) {
  if (place.families.length > 1) {
    return [make("span", { text: "one of" }), ...place.families.map((family) => familyChip(match, family, "need choice"))];
  }
  const [family] = place.families;
  const { owner, card } = state.placards.find((placard) => placard.family === family);
  const where = card ? "placard travels" : owner === null || owner === undefined ? "placard lies aside" : "placard with";
  return [familyChip(match, family, "need"), make("span", { text: familyOf(match, family).name }),
    quietWords(where), where === "placard with" ? seatBadge(owner) : null].filter(Boolean);
}

/** What each seat gets of a deal, the Boss first. */
function splitParts(match, boss, amounts) {
  const shares = amounts.map((amount, seat) => ({ seat, amount })).filter(({ amount }) => amount > 0)
    .sort((one, other) => (other.seat === boss) - (one.seat === boss));
  const words = shares.map(({ seat, amount }) => `${seatName(match, seat)} $${amount}M`).join(", ");
  return make("div", { class: "split", role: "img", "aria-label": words },
    ...shares.map(({ seat, amount }) => {
      const part = make("span", { class: `part seat-${seat}`, title: `${seatName(match, seat)}: $${amount}M` },
        seat === boss ? tableIcon("crown") : null, seatBadge(seat), ` $${amount}M`);
      part.style.flexGrow = amount;
      return part;
    }));
}

/** The proceeds as the Boss would cut them, as things are agreed. */
function splitBar(match, state) {
  const said = state.named ? "Money of each seat if the deal closes as named:" : !state.missing ? "Money of each seat if the deal closes as agreed:"
    : `As agreed so far; ${howMany(state.missing, "investor")} still missing:`;
  return [make("p", { class: "split-head", text: said }), splitParts(match, state.boss, state.amounts)];
}
