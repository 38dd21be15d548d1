// Who asks what for which family: the offers and agreements of the negotiation as a table, a row for each seat.

/** The terms on the table by seat, and those that went with this event. */
function boardOffers(match, state, previous, terms) {
  if (state.boss === null) return [];
  const all = [...terms, ...goneTerms(state, previous)];
  const head = make("h3", { text: "Who asks what" });
  if (!all.length) return [head, make("p", { class: "quiet", text: "Nothing is offered now." })];
  const partners = [...new Set(all.map(({ partner }) => partner))].sort((one, other) => one - other);
  return [head, make("table", { class: "offers" },
    make("caption", { class: "unseen", text: "Offers and agreements between the Boss and the seats" }),
    make("tbody", {}, ...partners.map((partner) => termsRow(match, state, partner, all.filter((each) => each.partner === partner))))),
  ];
}

/** What terms of each kind are called. */
const TERMS_WORDS = { agreed: "agreed", asks: "asks", bids: "offered", gone: "no longer" };

/** The terms of a seat: those that are agreed, those that it asks, those that it is offered, those that are gone. */
function termsRow(match, state, partner, terms) {
  const groups = Object.keys(TERMS_WORDS).flatMap((kind) => [false, true].map((fresh) =>
    termsGroup(match, kind, fresh, terms.filter((each) => each.kind === kind && each.fresh === fresh))));
  return make("tr", {},
    make("th", { class: "l", scope: "row" }, seatBadge(partner, match)),
    make("td", { class: "l" }, ...groups.flat(),
      !state.unpayable.includes(partner) ? null : quietWords("may not be paid yet", "it has played no card in this negotiation")));
}

/** The terms of a kind in a row, behind what they are called; nothing where there are none. */
function termsGroup(match, kind, fresh, terms) {
  if (!terms.length) return [];
  return [make("span", { class: `terms-group ${kind} ${fresh ? "fresh" : ""}` },
    fresh ? make("span", { class: "mark-new", text: "new" }) : null,
    kind === "agreed" ? make("span", { class: "mark-agreed", text: "✓" }) : null,
    make("span", { text: TERMS_WORDS[kind] }),
    ...terms.flatMap((each) => [" ", make("span", { class: `term ${kind}`, "data-partner": each.partner },
      ...termsChips(match, each.terms), make("b", { text: `$${each.terms.price}M` }))])), " "];
}

/** Terms that stood before this event under the same Boss and stand no more, neither open nor agreed. */
function goneTerms(state, previous) {
  if (!previous || previous.boss === null || previous.boss !== state.boss || previous.tick !== state.tick) return [];
  const key = (partner, terms) => JSON.stringify([partner, terms.price, terms.placards ?? [], terms.clans ?? []]);
  const now = new Set(openTerms(state, null).map(({ partner, terms }) => key(partner, terms)));
  return openTerms(previous, null).filter(({ partner, terms }) => !now.has(key(partner, terms)))
    .map((each) => ({ ...each, kind: "gone", fresh: false }));
}
