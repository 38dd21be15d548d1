// The seats of the card game: money, passes, tokens, the cards in front of them, their shares and their hands.

/** A seat as an element; `previous` is the table before the event, for what changed. */
function cardsSeat(match, state, previous, seat) {
  const boss = state.boss === seat && !state.over;
  const same = previous && previous.round === state.round ? previous.fronts[seat] : null;
  const kinds = `${boss ? "boss" : ""} ${state.on_turn === seat ? "turn" : ""} ${state.passes[seat] > 1 ? "out" : ""}`;
  const front = state.fronts[seat].length ? dealCards(state.fronts[seat], same) : [quietWords("nothing in front")];
  return make("section", { class: `player ${kinds}`, "aria-label": seatName(match, seat), "data-seat": seat },
    make("div", { class: "player-head" }, seatBadge(seat, match), ...seatRoles(state, seat, boss),
      make("span", { class: "player-state" }, passDisks(state.passes[seat]), seatPurse(state, previous, seat))),
    make("div", { class: "front" }, make("span", { class: "hand" }, ...front), seatReckoning(state, seat)),
    make("div", { class: "hand own" }, ...seatHand(state, seat)));
}

function seatRoles(state, seat, boss) {
  return [
    boss ? make("span", { class: "role" }, tableIcon("crown"), " Boss") : null,
    state.cousins.includes(seat) ? make("span", { class: "role" }, tableIcon("token"), " Cousin") : null,
    state.on_turn === seat ? make("span", { class: "role turn-mark", text: "on turn" }) : null,
  ].filter(Boolean);
}

function seatPurse(state, previous, seat) {
  const gained = previous ? state.money[seat] - previous.money[seat] : 0;
  return make("span", { class: "purse" }, make("b", { text: `$${state.money[seat]}` }),
    gained ? make("span", { class: gained > 0 ? "gain" : "loss", text: ` ${gained > 0 ? "+" : "−"}${Math.abs(gained)}` }) : null);
}

/** The two disks of a seat: turned ones are filled. */
function passDisks(turned) {
  const words = ["in", "passed once", "out"][turned];
  const disks = [0, 1].map((disk) => make("span", { class: `pass-disk ${disk < turned ? "turned" : ""}`, "aria-hidden": "true" }));
  return make("span", { class: "passes" }, ...disks, quietWords(words));
}

/** The seat's shares and what it would get as things stand. */
function seatReckoning(state, seat) {
  if (state.color === null) return null;
  const { shares, reverses, turned, amount } = state.stakes[seat];
  const how = `${howMany(shares, "share")}${reverses ? `, ${howMany(reverses, "reverse")}: ${turned ? "turned" : "turned back"}` : ""}`;
  return make("p", { class: "reckoning" }, make("span", { text: how }), make("b", { class: amount < 0 ? "loss" : null, text: dollars(amount) }));
}

function seatHand(state, seat) {
  const hand = state.hands[seat];
  if (!state.hand_sizes[seat]) return [quietWords("none")];
  if (hand !== null) return dealCards(hand);
  return [cardBacks(state.hand_sizes[seat])];
}

/** The discard pile, as what a "details" element holds: cards face up, and those face down that are known. */
function cardsDiscards(match, state) {
  const hidden = state.discard_pile - sumOf(state.discards) - state.face_down.length;
  const known = match.about.cards.flatMap((card, kind) => state.discards[kind] ? [dealCardFace(card, state.discards[kind])] : []);
  return [make("summary", { text: `${howMany(state.discard_pile, "card")} in the discard pile` }),
    make("div", { class: "hand" }, ...known, ...dealCards(state.face_down), hidden > 0 ? cardBacks(hidden) : null)];
}
