// Haggler: a bot for arena in one file of plain JavaScript (node 18 or later), made to be copied.
//
//     arena match cmd:"node haggler.js" greedy fair hard
//     arena match cmd:"node haggler.js --keep=0.5" 'cmd:node haggler.js?patience=2' fair hard
//
// It speaks the wire protocol of `arena docs protocol` and plays the board game of `arena docs rules`. From the bottom
// of the file: Protocol reads lines and writes lines, Strategy has one function for each hook, and Reading a view
// answers the questions that Strategy asks. To write a bot of your own, put your ideas into Strategy.
//
// Character: it starts from high demands and gives way tick by tick, as the Boss and as a partner. It says yes to
// whatever is as good as its own demand, and closes for less the longer it has waited.
"use strict";

const FAMILIES = ["red", "yellow", "blue", "magenta", "orange", "green"];
const HOOKS = ["place_marker", "turn", "offer", "accept", "interrupt", "close", "discard"];

// What may be set, by `--name=value` or in a tournament file.
const OPTIONS = {
  keep: 0.4, // share of the proceeds it wants for itself as the Boss, in the end
  patience: 4, // ticks from its first demand to its last
  ripe: 3, // $M that a dividend must be worth before it opens a deal
};

// ------------------------------------------------------------------------------------------------------ Reading a view
//
// A view is used as it comes. `game` holds what `start` has told: the rules, the seed.

const union = (...lists) => FAMILIES.filter((family) => lists.some((list) => list.includes(family)));
const count = (list, item) => list.filter((each) => each === item).length;
const cards = (terms) => [...(terms.placards ?? []), ...(terms.clans ?? [])];
const fairShares = (game, view) => game.rules.fair_share || view.players === 2;

// The choice groups of a space: a single one stands in the space itself, two or more in `choices`.
const groupsOf = (space) => space.choices ?? [{ choose: space.choose ?? 0, from: space.from ?? [] }];

// How many needs of a space the families `have` fill at most (B4.2). Groups may share families, so this is the least,
// over all sets of groups, of what that set asks for and how many families the other groups find (Hall).
function filled(space, have) {
  const [required, groups] = [space.required ?? [], groupsOf(space)];
  const free = have.filter((family) => !required.includes(family));
  let least = FAMILIES.length;
  for (let chosen = 0; chosen < 2 ** groups.length; chosen++) {
    const others = groups.filter((_, index) => !((chosen >> index) & 1));
    const asked = groups.reduce((sum, group) => (others.includes(group) ? sum : sum + group.choose), 0);
    least = Math.min(least, asked + free.filter((family) => others.some((one) => one.from.includes(family))).length);
  }
  return have.length - free.length + least;
}

// What the space still needs beyond the families `have`: how many, and the families `wanted`, any of which would help.
function missing(space, have) {
  const listed = new Set([...(space.required ?? []), ...groupsOf(space).flatMap((group) => group.from)]);
  const helps = (family) => !have.includes(family) && filled(space, [...have, family]) > filled(space, have);
  const wanted = [...listed].filter(helps);
  return { number: needs(space) - filled(space, have), wanted };
}

const needs = (space) =>
  (space.required ?? []).length + groupsOf(space).reduce((sum, group) => sum + group.choose, 0);

// The placards of a seat that can take part in a deal.
const placardsOf = (view, seat) =>
  view.placards.filter((placard) => placard.owner === seat && !placard.travelling).map((placard) => placard.family);

const clansInHand = (view) => FAMILIES.filter((family) => view.hand.includes(`clan ${family}`));
const mine = (view) => union(placardsOf(view, view.seat), view.laid[view.seat], clansInHand(view));
const placardsInPlay = (view) => view.placards.filter((each) => each.owner !== null && !each.travelling);
const onTable = (view) => union(placardsInPlay(view).map((placard) => placard.family), ...view.laid);
const promised = (view) => union(...view.agreements.map(cards));

// How many unpromised clan cards of a family lie before a seat.
function freeClans(view, seat, family) {
  const given = view.agreements.filter((terms) => terms.partner === seat && (terms.clans ?? []).includes(family));
  return count(view.laid[seat], family) - given.length;
}

const canGive = (view, family) =>
  count(view.hand, `clan ${family}`) + freeClans(view, view.seat, family) > 0;

// The families that the Boss could name now, apart from clan cards in hand.
function bossHas(game, view) {
  if (fairShares(game, view)) return onTable(view);
  const offers = view.offers.filter((each) => each.offer.to === view.boss).map((each) => cards(each.offer));
  return union(placardsOf(view, view.boss), view.laid[view.boss], promised(view), ...offers);
}

// What this seat's terms would bring it if the Boss used them all, in dividends.
function income(view) {
  const agreed = view.agreements.filter((terms) => terms.partner === view.seat).map((terms) => terms.price);
  const open = view.offers.filter((each) => each.by === view.seat && view.seat !== view.boss);
  return [...agreed, ...open.map((each) => each.offer.price)].reduce((sum, price) => sum + price, 0) / view.dividend;
}

// The legal price nearest below `price`, and at least the least there is (B4.4).
function legalPrice(game, view, price) {
  const step = game.rules.prices === "dividends" ? view.dividend : 1;
  return Math.min(Math.max(Math.floor(price / step), 1) * step, view.proceeds);
}

// The placards that a recruitment triple may take: those aside, else those of the others (B5.4).
function recruitable(view) {
  if (count(view.hand, "recruitment") < 3) return [];
  const aside = view.placards.filter((placard) => placard.owner === null);
  const others = view.placards.filter((placard) => placard.owner !== view.seat);
  return (aside.length ? aside : others).map((placard) => placard.family);
}

// How much the spaces still to come want a family, in dividends.
function demand(game, view, family) {
  return view.uncovered.reduce((sum, index) => {
    const space = game.rules.spaces[index];
    if ((space.required ?? []).includes(family)) return sum + space.dividends;
    const groups = groupsOf(space).filter((group) => group.from.includes(family));
    return groups.reduce((most, group) => most + (space.dividends * group.choose) / group.from.length / 2, sum);
  }, 0);
}

// A number from 0 to below 1 that follows from the seed and `name`: chance that repeats itself.
function chance(game, name) {
  let hash = 0x811c9dc5;
  for (const unit of `${game.seed}/${name}`) hash = Math.imul(hash ^ unit.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

// The offers of a list that the rules allow, each once (B4.4, B4.5). Each names one card.
function legalOffers(game, view, offers) {
  const asBoss = view.seat === view.boss;
  const seen = new Set();
  const legal = offers.filter((offer) => {
    const partner = asBoss ? offer.to : view.seat;
    const placards = (offer.placards ?? []).every(
      (family) => placardsOf(view, partner).includes(family) && !promised(view).includes(family),
    );
    const clans = asBoss || (offer.clans ?? []).every((family) => canGive(view, family));
    const key = JSON.stringify(offer);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh && placards && clans && offer.to !== view.seat && offer.price <= view.proceeds;
  });
  return legal.slice(0, game.rules.max_offers);
}

// Everything that the Boss may fill needs with: own cards, agreements, open offers, fair shares (B4.3 to B4.5, B9.1).
function sources(game, view) {
  const { rules } = game;
  const own = (family, kind) => ({ families: [family], cost: 0, kind, family });
  const bought = (terms, cost = terms.price) => ({ families: cards(terms), cost, kind: "partner", terms });
  const mayBePaid = (seat) => !rules.active_to_be_paid || view.active.includes(seat);
  const found = [
    ...placardsOf(view, view.seat).map((family) => own(family, "placard")),
    ...union(view.laid[view.seat], clansInHand(view)).map((family) => own(family, "clan")),
  ];
  for (const terms of view.agreements)
    if (mayBePaid(terms.partner)) found.push(bought(terms, rules.pay_all_agreements ? 0 : terms.price));
  for (const { by, offer } of view.offers) {
    const { to, ...terms } = offer;
    if (to === view.seat && mayBePaid(by)) found.push(bought({ partner: by, ...terms }));
  }
  if (fairShares(game, view)) {
    const price = Math.floor(view.proceeds / needs(view.space));
    for (let partner = 0; partner < view.players; partner++) {
      if (partner === view.seat) continue;
      const taken = view.agreements.flatMap((terms) => terms.placards ?? []);
      for (const family of placardsOf(view, partner))
        if (!taken.includes(family)) found.push(bought({ partner, price, placards: [family] }));
      for (const family of FAMILIES)
        if (freeClans(view, partner, family) > 0) found.push(bought({ partner, price, clans: [family] }));
    }
  }
  return found.filter((source) => source.families.length);
}

// What the Boss pays whatever the closing names: side promises, or all agreements where the rules say so (B4.5).
function fixedCost(game, view) {
  return view.agreements
    .filter((terms) => game.rules.pay_all_agreements || !cards(terms).length)
    .filter((terms) => !game.rules.active_to_be_paid || view.active.includes(terms.partner))
    .reduce((sum, terms) => sum + terms.price, 0);
}

// The cheapest closing there is now, as { cost, used }, or null. Sets of families are masks here.
function cheapestClosing(game, view) {
  const mask = (families) => families.reduce((bits, family) => bits | (1 << FAMILIES.indexOf(family)), 0);
  const inside = (bits) => FAMILIES.filter((_, index) => bits & (1 << index));
  const welcome = mask(missing(view.space, []).wanted);
  const ways = new Map([[0, { cost: 0, used: [] }]]);
  for (const source of sources(game, view)) {
    const bits = mask(source.families);
    if (bits & ~welcome) continue;
    for (const [set, way] of [...ways]) {
      const cost = way.cost + source.cost;
      const known = ways.get(set | bits);
      if (!(set & bits) && (!known || cost < known.cost)) ways.set(set | bits, { cost, used: [...way.used, source] });
    }
  }
  const fixed = fixedCost(game, view);
  const full = [...ways]
    .filter(([set, way]) => inside(set).length === needs(view.space) && way.cost + fixed <= view.proceeds)
    .filter(([set]) => filled(view.space, inside(set)) === needs(view.space))
    .sort(([, one], [, other]) => one.cost - other.cost);
  return full.length ? { cost: full[0][1].cost + fixed, used: full[0][1].used } : null;
}

// ------------------------------------------------------------------------------------------------------------ Strategy
//
// One function for each hook, from (game, view) to a move. null does nothing, where that is possible.

// How far it has given way: 0 in the first tick, 1 when its patience is at an end.
const given = (view) => Math.min(1, (view.tick - 1) / Math.max(1, OPTIONS.patience));

// What it wants for a card now, from 1.7 dividends (a little more or less, by chance) to 1. A clan card is spent by the
// deal, and costs a quarter more.
function asked(game, view, isClan) {
  const first = 1.6 + 0.2 * chance(game, `ask/${view.turn}`);
  return view.dividend * (first + (1 - first) * given(view)) * (isClan ? 1.25 : 1);
}

// What it pays for a card now at most: from 0.8 dividends to an equal part of what it does not keep.
function payable(game, view) {
  const number = Math.max(1, missing(view.space, mine(view)).number);
  const last = Math.min(1.6 * view.dividend, ((1 - OPTIONS.keep) * view.proceeds) / number);
  const first = Math.min(0.8 * view.dividend, last);
  return first + (last - first) * Math.min(1, 0.3 + given(view));
}

// Whether the cards in sight fill the space, or would with a placard recruited from those aside.
function withinReach(view) {
  const need = missing(view.space, union(mine(view), onTable(view)));
  const aside = view.placards.filter((placard) => placard.owner === null).map((placard) => placard.family);
  const recruits = recruitable(view).some((family) => aside.includes(family) && need.wanted.includes(family));
  return need.number === 0 || (need.number === 1 && recruits);
}

// The dividends that the deal would leave it as its Boss; below 0 where it is out of reach.
function hope(game, view) {
  const partner = fairShares(game, view) ? view.space.dividends / needs(view.space) : 1;
  return withinReach(view) ? view.space.dividends - partner * missing(view.space, mine(view)).number : -1;
}

function bestRecruit(game, view, wanted) {
  const from = recruitable(view);
  const best = from.filter((family) => wanted.includes(family));
  const wants = (family) => demand(game, view, family);
  const [placard] = (best.length ? best : from).sort((one, other) => wants(other) - wants(one));
  return { move: "recruit", placard };
}

// A travel play after which the cards in sight no longer suffice for the deal.
function spoil(view) {
  const seen = onTable(view);
  if (missing(view.space, seen).number) return null;
  for (const family of seen) {
    const rest = seen.filter((each) => each !== family);
    const wild = !view.hand.includes(`travel ${family}`);
    if (!missing(view.space, rest).number || (wild && !view.hand.includes("travel wild"))) continue;
    const placard = placardsInPlay(view).find((each) => each.family === family);
    const holders = view.laid.flatMap((laid, seat) => laid.filter((each) => each === family).map(() => seat));
    if (placard && !holders.length && placard.owner !== view.seat) return { move: "travel", family, wild };
    if (!placard && holders.length === 1 && holders[0] !== view.seat)
      return { move: "travel", family, clan_of: holders[0], wild };
  }
  return null;
}

// Whether a play is worth a STOP.
function hurts(view, play) {
  if (play.move === "boss") return view.seat === view.boss || income(view) >= 2;
  const family = play.move === "recruit" ? play.placard : play.family;
  if (play.move === "recruit" && placardsOf(view, view.seat).includes(family)) return true;
  const hasPart = view.agreements.some((terms) => terms.partner === view.seat);
  if (view.seat !== view.boss) return hasPart && income(view) >= 1.5;
  return missing(view.space, []).wanted.includes(family);
}

const strategy = {
  place_marker(game) {
    // Somebody else begins here: the space that pays least, by chance if there are several.
    const pays = game.rules.spaces.map((space, index) => space.dividends + chance(game, `space/${index}`));
    return { move: "place", space: pays.indexOf(Math.min(...pays)) };
  },

  turn(game, view) {
    const { rules } = game;
    const allowed = view.hand.length >= rules.min_cards_to_deal && (rules.reopen_failed || !view.failed_here);
    const alone = missing(view.space, mine(view)).number === 0;
    const late = view.hand.length >= rules.hand_limit || String(view.deal) in rules.end_rolls;
    if (allowed && alone && rules.self_sufficient_close) {
      // what the space needs beyond own placards, no more: the deal closes at once (B4.7)
      const have = placardsOf(view, view.seat);
      const lay = [];
      for (const family of missing(view.space, have).wanted.filter((each) => clansInHand(view).includes(each)))
        if (missing(view.space, [...have, ...lay]).wanted.includes(family)) lay.push(family);
      return { move: "open", lay };
    }
    const pays = hope(game, view) >= (late ? 2 : 3.5) && (late || view.dividend >= OPTIONS.ripe);
    if (allowed && pays && (alone || !view.failed_here)) return { move: "open" };
    if (!view.rolled) return { move: "roll" };
    return view.must_deal ? { move: "open" } : { move: "draw" };
  },

  offer(game, view) {
    if (view.boss === null) return null;
    if (view.seat !== view.boss) {
      // as a partner: each card that the Boss may still need, a clan card only in place of a placard
      const have = union(placardsOf(view, view.boss), view.laid[view.boss], promised(view));
      const { wanted } = missing(view.space, have);
      const own = placardsOf(view, view.seat);
      const price = (isClan) => legalPrice(game, view, asked(game, view, isClan));
      const sell = (family) =>
        own.includes(family)
          ? { to: view.boss, price: price(false), placards: [family] }
          : { to: view.boss, price: price(true), clans: [family] };
      return { move: "offers", offers: legalOffers(game, view, wanted.map(sell)) };
    }
    // as the Boss: three bids for every placard that is missing, and for clan cards where placards do not suffice
    const need = missing(view.space, mine(view));
    if (!need.number) return null;
    const owners = new Map(placardsInPlay(view).map((placard) => [placard.family, placard.owner]));
    const scarce = missing(view.space, union(mine(view), [...owners.keys()])).wanted;
    const others = view.hand_sizes.map((size, seat) => seat).filter((seat) => seat !== view.seat);
    const most = payable(game, view);
    const offers = [];
    for (const price of [0.6 * most, 0.8 * most, most].map((bid) => legalPrice(game, view, bid)))
      for (const family of need.wanted.filter((each) => !promised(view).includes(each))) {
        if (owners.has(family)) offers.push({ to: owners.get(family), price, placards: [family] });
        else if (scarce.includes(family))
          for (const to of others.filter((seat) => view.hand_sizes[seat] || view.laid[seat].length))
            offers.push({ to, price, clans: [family] });
      }
    return { move: "offers", offers: legalOffers(game, view, offers) };
  },

  accept(game, view) {
    const { offer } = view;
    const named = cards(offer);
    if (view.seat === view.boss) {
      // a card it needs, at its own price, and nobody sells it cheaper; an agreement that is not used costs nothing
      const { wanted } = missing(view.space, union(mine(view), promised(view)));
      const rivals = view.offers.filter((each) => each.offer.to === view.seat && each.offer.price < offer.price);
      const cheaper = rivals.some((each) => cards(each.offer).some((family) => named.includes(family)));
      const useful = named.length === 1 && wanted.includes(named[0]) && !game.rules.pay_all_agreements;
      return useful && !cheaper && offer.price <= payable(game, view);
    }
    // of several bids for the same cards only the best
    const same = view.offers.filter((each) => each.by === view.by && each.offer.to === view.seat);
    const better = same.some((each) => each.offer.price > offer.price && String(cards(each.offer)) === String(named));
    const able = (offer.clans ?? []).every((family) => canGive(view, family));
    const least = legalPrice(game, view, 0.7 * asked(game, view, Boolean(offer.clans)) * Math.max(1, named.length));
    return able && !better && offer.price >= least;
  },

  interrupt(game, view) {
    const { hand, can_stop: open } = view;
    if (open) return hand.includes("stop") && hurts(view, open.play) ? { move: "stop" } : null;
    if (view.boss === null) return null;
    const isBoss = view.seat === view.boss;
    if (recruitable(view).length) return bestRecruit(game, view, isBoss ? missing(view.space, mine(view)).wanted : []);
    if (isBoss) return null;
    if (hand.includes("boss") && view.dividend >= OPTIONS.ripe && hope(game, view) >= income(view) + 1.5)
      return { move: "boss" };
    // whoever closes without it is to know the price of that
    return income(view) < 0.6 && missing(view.space, bossHas(game, view)).number <= 1 ? spoil(view) : null;
  },

  close(game, view) {
    const closing = cheapestClosing(game, view);
    const share = OPTIONS.keep + (1 - given(view)) * 0.1;
    const wanted = view.quiet ? view.dividend : Math.max(view.dividend, share * view.proceeds);
    if (!closing || view.proceeds - closing.cost < wanted) return null;
    const of = (kind) => closing.used.filter((source) => source.kind === kind);
    return {
      move: "close",
      placards: of("placard").map((source) => source.family),
      clans: of("clan").map((source) => source.family),
      partners: of("partner").map((source) => source.terms),
    };
  },

  discard(game, view) {
    if (recruitable(view).length && !view.cards_only && game.rules.triple_at_limit !== "no")
      return bestRecruit(game, view, []);
    const worth = { stop: 4, boss: 4, recruitment: 2.6 };
    const valued = view.hand.map((card, index) => {
      const copies = count(view.hand.slice(0, index), card);
      const value = worth[card] ?? (card.startsWith("clan") ? 2.5 : 1.5);
      return { card, value: copies > 1 && card !== "recruitment" ? value / 2 : value };
    });
    valued.sort((one, other) => one.value - other.value);
    return { move: "discard", cards: valued.slice(0, view.excess).map((each) => each.card) };
  },
};

// ------------------------------------------------------------------------------------------------------------ Protocol

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// Puts options over those there are. Throws an Error that names the first that is none.
function setOptions(given) {
  for (const [name, value] of given) {
    const good = Object.hasOwn(OPTIONS, name) && typeof value === "number" && value >= 0;
    if (!good) throw new Error(`no such option or value: ${name}; it takes ${Object.keys(OPTIONS).join(", ")}`);
    OPTIONS[name] = value;
  }
}

// `--name=value` as [name, value]; what is none of that will not be found among the options.
function readArgument(word) {
  const [, name, value] = /^--(\w+)=(\d+(?:\.\d+)?)$/.exec(word) ?? [null, word, null];
  return [name, value === null ? null : Number(value)];
}

// The first line: it speaks, or it says why it cannot.
function begin() {
  try {
    setOptions(process.argv.slice(2).map(readArgument));
    send({ type: "hello", protocol: 2, name: "haggler", games: ["board"], hooks: HOOKS });
  } catch (problem) {
    send({ type: "fault", id: 0, kind: "missing", evidence: problem.message });
  }
}

// Answers a message; `game` is what the bot knows since `start`.
function onMessage(message, game) {
  switch (message?.type) {
    case "start":
      game.rules = message.rules;
      game.seed = message.seed;
      try {
        setOptions(Object.entries(message.options ?? {}));
        send({ type: "reply", id: 0 });
      } catch (problem) {
        send({ type: "fault", id: 0, kind: "missing", evidence: problem.message });
      }
      break;
    case "ask": {
      let move = null;
      try {
        if (Object.hasOwn(strategy, message.hook)) move = strategy[message.hook](game, message.view);
      } catch (problem) {
        send({ type: "fault", id: message.id, kind: "broken", evidence: String(problem.stack).slice(0, 1000) });
        break;
      }
      send({ type: "reply", id: message.id, move });
      break;
    }
    case "bye":
      process.exit(0);
  }
}

begin();
const game = {};
require("readline")
  .createInterface({ input: process.stdin, terminal: false })
  .on("line", (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      console.error(`haggler: no JSON: ${line.slice(0, 60)}`);
      return;
    }
    onMessage(message, game);
  });
