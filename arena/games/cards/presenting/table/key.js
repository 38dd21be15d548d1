// What the signs on the table of the card game mean.

/** The key, as what a "details" element holds: samples of what is drawn, and what they are. */
function cardsKey() {
  const rows = [
    [dealCardFace("blue +3"), "a value card: it counts for the centre"],
    [dealCardFace("green pota"), "a piece of the action: one share for the seat in front of which it lies"],
    [dealCardFace("red reverse"), "a reverse card: an odd number of them turns what the seat receives into a payment, and back"],
    [dealCardFace("blue move 2"), "a move card: moves up to this many cards on the table"],
    [dealCardFace("wild pota"), "a piece of the action of any colour"],
    [tableIcon("token"), "a Cousin token: one share"],
    [seatBadge(1), "a seat, by number and shape; the chart of money has the same shapes"],
    [tableIcon("crown"), "the Boss, in a gold frame, has one share; the seat on turn has a dashed frame"],
    [passDisks(1), "disks: turned once for each pass; with two the seat is out"],
  ];
  return [make("summary", { text: "What the signs mean" }), make("ul", {}, ...rows.map(([sample, words]) =>
    make("li", {}, make("span", { class: "sample" }, sample), make("span", { text: words }))))];
}
