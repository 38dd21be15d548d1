// Which cards would fill the needs of the deal that is open: the Boss's own, agreed ones, and those still on offer.

/**
 * What the Boss may close with as things stand, {mask, cost, seat, placards, clans, how} each: own placards and laid
 * clan cards, agreements, and fair shares where the rules have them.
 */
function sureSources(match, state) {
  const { boss } = state;
  const placards = state.placards.filter((placard) => placard.owner === boss && !placard.card).map((placard) => placard.family);
  const agreed = state.agreements.filter((terms) => mayBePaid(match, state, terms.partner)).map((terms) => coverSource(
    match, terms.partner, match.about.pay_all ? 0 : terms.price, "agreed", terms.placards, terms.clans));
  return [
    ...placards.map((family) => coverSource(match, boss, 0, "own placard", [family])),
    ...[...new Set(state.laid[boss])].map((family) => coverSource(match, boss, 0, "laid", [], [family])),
    ...agreed, ...fairSources(match, state),
  ].filter((each) => each.mask);
}

/** What may come to it, in the same form: clan cards in the Boss's hand, and offers to the Boss that are open. */
function openSources(match, state) {
  const { boss } = state;
  const hand = new Set((state.hands[boss] ?? []).filter((card) => card.startsWith("clan ")));
  const offers = state.offers.filter(({ by }) => by !== boss && mayBePaid(match, state, by));
  return [
    ...[...hand].map((card) => coverSource(match, boss, 0, "in hand", [], [card.slice(5)])),
    ...offers.map(({ by, offer }) => coverSource(match, by, offer.price, "asks", offer.placards, offer.clans)),
  ].filter((each) => each.mask);
}

function coverSource(match, seat, cost, how, placards = [], clans = []) {
  return { mask: familyMask(match, [...placards, ...clans]), cost, seat, placards, clans, how };
}

/** Cards that the Boss may use without asking, at the proceeds by the number of needs (rule B9.1). */
function fairSources(match, state) {
  if (!match.about.fair_share) return [];
  const promised = state.agreements.flatMap((terms) => terms.placards ?? []);
  const price = Math.floor(openProceeds(match, state) / match.about.spaces[state.marker].needs);
  const placards = state.placards
    .filter(({ family, owner, card }) => Number.isInteger(owner) && owner !== state.boss && !card && !promised.includes(family))
    .map(({ family, owner }) => coverSource(match, owner, price, "fair share", [family]));
  const clans = state.laid.flatMap((families, seat) => seat === state.boss ? [] : [...new Set(families)]
    .filter((family) => freeClans(state, seat, family) > 0).map((family) => coverSource(match, seat, price, "fair share", [], [family])));
  return [...placards, ...clans];
}

function freeClans(state, seat, family) {
  const promised = state.agreements.filter((terms) => terms.partner === seat && (terms.clans ?? []).includes(family));
  return state.laid[seat].filter((each) => each === family).length - promised.length;
}

/** Whether a seat may receive money for this deal (rule B8, "active to be paid"). */
function mayBePaid(match, state, seat) {
  return !match.about.active_to_be_paid || state.active.includes(seat);
}

/** What the open deal pays, in $M. */
function openProceeds(match, state) {
  return match.about.spaces[state.marker].dividends * match.about.deals.find((deal) => deal.number === state.deal).value;
}

/** What the Boss pays in any case, {seat, price} each: side promises, and where the edition says so every agreement. */
function fixedPayments(match, state) {
  return state.agreements
    .filter((terms) => match.about.pay_all || !((terms.placards ?? []).length + (terms.clans ?? []).length))
    .filter((terms) => mayBePaid(match, state, terms.partner))
    .map((terms) => ({ seat: terms.partner, price: terms.price }));
}

function bitsIn(mask) {
  let count = 0;
  for (; mask; mask &= mask - 1) count += 1;
  return count;
}

/**
 * The sources that fill the most needs of a space, and of those choices the cheapest: {mask, cost, used}. `start` is
 * what is chosen before. A source is used whole or not at all, and a family counts once (rules B4.2, B4.5).
 */
function bestCover(space, sources, start, budget) {
  const best = new Map([[start.mask, start]]);
  for (const source of sources) {
    for (const [mask, chosen] of [...best]) {
      const both = mask | source.mask, cost = chosen.cost + source.cost;
      if (mask & source.mask || Number(space.filled[both]) < bitsIn(both) || cost > budget) continue;
      if ((best.get(both)?.cost ?? Infinity) > cost) best.set(both, { mask: both, cost, used: [...chosen.used, source] });
    }
  }
  return [...best.values()].reduce((one, other) =>
    bitsIn(other.mask) > bitsIn(one.mask) || (bitsIn(other.mask) === bitsIn(one.mask) && other.cost < one.cost) ? other : one);
}

/**
 * How the open deal stands: `sure` and `all` of {@link bestCover}, without and with what is not agreed; the `proceeds`;
 * the payments that are `fixed`; and what the Boss would `pay` each seat for what is sure, in $M.
 */
function openDeal(match, state) {
  const space = match.about.spaces[state.marker];
  const proceeds = openProceeds(match, state), fixed = fixedPayments(match, state);
  const budget = proceeds - fixed.reduce((sum, each) => sum + each.price, 0);
  const none = { mask: 0, cost: 0, used: [] };
  const sure = state.named ? namedCover(match, state) : bestCover(space, sureSources(match, state), none, budget);
  const all = state.named ? sure : bestCover(space, openSources(match, state), sure, budget);
  const pay = state.money.map((_, seat) => fixed.filter((each) => each.seat === seat).reduce((sum, each) => sum + each.price, 0)
    + sure.used.filter((each) => each.seat === seat).reduce((sum, each) => sum + each.cost, 0));
  return { space, proceeds, fixed, sure, all, pay };
}

/** The closing that the Boss has named, in the same form. */
function namedCover(match, state) {
  const { by, closing } = state.named;
  const agreed = (terms) => state.agreements.some((each) => sameThing(each, terms));
  const used = [
    ...(closing.placards ?? []).map((family) => coverSource(match, by, 0, "own placard", [family])),
    ...(closing.clans ?? []).map((family) => coverSource(match, by, 0, "laid", [], [family])),
    ...(closing.partners ?? []).map((terms) => coverSource(match, terms.partner, match.about.pay_all && agreed(terms) ? 0 : terms.price,
      "named", terms.placards, terms.clans)),
  ];
  return { mask: used.reduce((mask, each) => mask | each.mask, 0), cost: used.reduce((sum, each) => sum + each.cost, 0), used };
}

/** The places of a space, {families, held} each: `held` is the family that takes the place, or null. */
function coverPlaces(space, families) {
  const places = [
    ...space.required.map((family) => ({ families: [family], held: null })),
    ...space.groups.flatMap((group) => Array.from({ length: group.choose }, () => ({ families: group.from, held: null }))),
  ];
  const give = (family, tried) => places.some((place) => {
    if (tried.has(place) || !place.families.includes(family)) return false;
    tried.add(place);
    if (place.held !== null && !give(place.held, tried)) return false;
    place.held = family;
    return true;
  });
  for (const family of families) give(family, new Set());
  return places;
}
