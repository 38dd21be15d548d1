// The table of the board game: its parts put together, and drawn again as far as an event changes them.

matchTable.draw = drawBoardTable;
momentNames.theft = "boss card";

/** Draws the table `state` of `match` into `root`; `options` are those of {@link Course#options}. */
function drawBoardTable(root, state, match, options = {}) {
  const width = root.clientWidth;
  const shape = width < 560 ? BOARD_SHAPES.narrow : BOARD_SHAPES.full;
  const again = () => drawBoardTable(root, state, match, options);
  const hosts = tableHosts(root, match, shape, () => boardHosts(root, match, shape), again);
  hosts.table.classList.toggle("beside", width >= 740);
  const part = (name, things, content) => tablePart(root, hosts[name], things, content);
  drawBoard(part, hosts, state, match, options, shape);
  drawBeside(part, state, match, options);
  moveMarker(hosts.marker, state, hosts.ring, shape);
}

/** The parts of the board itself. */
function drawBoard(part, hosts, state, match, { previous = null, deal: number }, shape) {
  const { ring, places, open } = hosts;
  const { marker, covered, failed_here: failed, ledger, deal, money, hand_sizes: sizes, laid, placards, boss, on_turn: turn, over } = state;
  const terms = openTerms(state, previous), room = boardRoom(state, terms, hosts, shape);
  part("spaces", [marker, covered, failed, ledger], () => ringSpaces(match, state, ring, shape));
  part("between", [boss, marker, deal, placards, over, ledger, number], () => boardMiddle(match, state, open, places, shape, number));
  part("seats", [money, previous?.money, sizes, laid, placards, boss, turn, over], () => boardSeats(match, state, previous, places, shape));
  part("lines", [state, previous], () => boardLines(state, terms, room));
  part("prices", [state, previous], () => boardPrices(match, room.tags, shape));
  part("aim", [state], () => boardAim(state, room));
  part("play", [state], () => boardPlay(match, state, room));
}

/** The parts beside the board and below it. */
function drawBeside(part, state, match, options) {
  const { previous = null, event = null, deal: number } = options;
  const closing = closedHere(state) ? lastNegotiation(options) : null;
  const { deal, marker, boss, placards, named, cover, hope, missing, amounts, hands } = state;
  part("status", [state, event], () => boardStatus(match, state, event));
  part("deal", [deal, marker, boss, placards, named, cover, hope, missing, amounts, state.over, closing, number],
    () => boardDeal(match, state, number, closing));
  part("offers", [state, previous], () => boardOffers(match, state, previous, openTerms(state, previous)));
  part("hands", [hands, state.hand_sizes], () => boardHands(match, state));
  part("discards", [state.discards], () => boardDiscards(match, state));
  part("words", [state], () => boardWords(match, state));
}

/** The ground inside the ring. */
function feltCloth(ring, shape) {
  const [x, y] = [shape.side + 2, shape.top + 2];
  return draw("rect", { class: "felt", x, y, width: shape.width - 2 * x, height: ring.height - 2 * y, rx: 14 });
}

/** The elements that hold the parts, in the root, and where things lie. */
function boardHosts(root, match, shape) {
  const ring = ringPlaces(match.about.spaces.length, shape);
  const middle = { x: shape.width / 2, y: ring.height / 2 };
  const places = seatPlaces(match.about.players, ring.height, shape);
  const layer = (name) => draw("g", { class: name });
  const block = (name) => make("section", { class: name });
  const hosts = {
    ring, places, middle, open: openMiddle(places, middle),
    spaces: layer("spaces"), between: layer("between"), lines: layer("lines"), seats: layer("seats"), prices: layer("prices"),
    aim: layer("plays"), play: layer("plays"), marker: draw("g", { class: "marker" }, drawIcon("pawn", 0, 0, shape.chip * 1.5)),
    status: block("table-status"), deal: block("deal"), offers: block("asked"), hands: block("held"),
    discards: make("details", { class: "discards" }), words: make("ul", { class: "unseen" }),
  };
  const { spaces, between, lines, aim, seats, prices, play, marker } = hosts;
  const drawing = draw("svg", { class: "board", viewBox: `0 0 ${shape.width} ${ring.height}`, preserveAspectRatio: "xMidYMin meet", "aria-hidden": "true" },
    feltCloth(ring, shape), spaces, lines, between, aim, seats, prices, play, marker);
  hosts.table = make("div", { class: `board-table ${shape.roomy ? "" : "narrow"}` }, hosts.status, drawing, hosts.deal, hosts.offers,
    hosts.hands, hosts.discards, make("details", { class: "key" }, ...boardKey(match)), hosts.words);
  root.replaceChildren(hosts.table);
  return hosts;
}
