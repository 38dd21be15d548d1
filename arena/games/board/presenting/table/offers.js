// Who asks what for which family: the offers and agreements of the negotiation as a table.

/** The terms on the table by seat, and those that went with this event. */
function boardOffers(match, state, previous, terms) {
  if (state.boss === null) return [];
  const gone = goneTerms(state, previous);
  const rows = [...terms, ...gone].sort((one, other) => one.partner - other.partner);
  const head = make("h3", { text: "Who asks what" });
  if (!rows.length) return [head, make("p", { class: "quiet", text: "Nothing is offered now." })];
  return [head, make("div", { class: "scroll" }, make("table", { class: "offers" },
    make("caption", { class: "unseen", text: "Offers and agreements between the Boss and the seats" }),
    make("thead", {}, make("tr", {}, ...headCells(["seat", "", "$M", "for"], [2]))),
    make("tbody", {}, ...rows.map((row, index) => termsRow(match, state, row, rows[index - 1]))))),
  ];
}

function termsRow(match, state, row, before) {
  const { partner, terms, kind, fresh } = row;
  const verb = { agreed: "agreed", asks: "asks", bids: "is offered", gone: "no longer" }[kind];
  const same = before?.partner === partner;
  return make("tr", { class: `${kind} ${fresh ? "fresh" : ""}`, "data-partner": partner },
    make("td", { class: "l" }, same ? make("span", { class: "unseen", text: seatName(match, partner) }) : seatBadge(partner, match)),
    make("td", { class: "l notes" }, kind === "agreed" ? make("span", { class: "mark-agreed", text: "✓" }) : null,
      make("span", { text: verb }), fresh ? make("span", { class: "mark-new", text: "new" }) : null),
    make("td", { text: terms.price }),
    make("td", { class: "l chips" }, ...termsChips(match, terms),
      !state.unpayable.includes(partner) ? null : quietWords(" may not be paid yet", "it has played no card in this negotiation")));
}

/** Terms that stood before this event under the same Boss and stand no more, neither open nor agreed. */
function goneTerms(state, previous) {
  if (!previous || previous.boss === null || previous.boss !== state.boss || previous.tick !== state.tick) return [];
  const key = (partner, terms) => JSON.stringify([partner, terms.price, terms.placards ?? [], terms.clans ?? []]);
  const now = new Set(openTerms(state, null).map(({ partner, terms }) => key(partner, terms)));
  return openTerms(previous, null).filter(({ partner, terms }) => !now.has(key(partner, terms)))
    .map((each) => ({ ...each, kind: "gone", fresh: false }));
}
