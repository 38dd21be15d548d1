// What the signs on the table of the board game mean.

/** The key, as what a "details" element holds: samples of what is drawn, and what they are. */
function boardKey(match) {
  const [first, second, third] = match.about.families.map((each) => each.family);
  const rows = [
    [[familyChip(match, first, "need")], "on a space: a family that it requires"],
    [["1 of", familyChip(match, second, "need choice"), familyChip(match, third, "need choice")],
      "families to choose from, and how many"],
    [[familyChip(match, first, "placard")], "placard of a family, in front of its owner or aside; dashed with a suitcase: it travels"],
    [[familyChip(match, first, "clan")], "clan card that is laid, offered or agreed"],
    [[keyLine("agreed")], "agreed with the Boss"],
    [[keyLine("asks")], "the seat asks a price of the Boss"],
    [[keyLine("bids")], "the Boss offers the seat a price"],
    [[keySign("sure", "✓")], "a need of the open deal, filled by the Boss's own cards or an agreement"],
    [[keySign("open", "?")], "an offer to the Boss, or a clan card in the Boss's hand, would fill this need"],
    [[keySign("missing", "–")], "no known card fills this need"],
    [[seatBadge(0), seatBadge(1)], "seats, by number and shape; the chart of money has the same shapes"],
    [[tableIcon("crown")], "the Boss, in a gold frame; the seat on turn has a dashed frame"],
    [[make("span", { class: "card-back small" })], "number of cards in hand"],
  ];
  return [make("summary", { text: "What the signs mean" }), make("ul", {}, ...rows.map(([samples, words]) =>
    make("li", {}, make("span", { class: "sample" }, ...samples), make("span", { text: words }))))];
}

/** The sign before a need. */
function keySign(kind, sign) {
  return make("span", { class: kind }, make("span", { class: "tick-mark", text: sign }));
}

/** A piece of a line as it runs between the Boss and a seat. */
function keyLine(kind) {
  return draw("svg", { class: "key-line", viewBox: "0 0 56 8", "aria-hidden": "true" },
    draw("path", { class: `terms ${kind} seat-0`, d: "M2 4H54" }));
}
