// A bot in JavaScript: sells and buys cards at one dividend each, and closes as soon as it can.
//
//     arena match cmd:"node modest.js" greedy fair hard

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// The families that this seat can bring into a deal.
function mine(view) {
  const placards = view.placards.filter((each) => each.owner === view.seat).map((each) => each.family);
  const clans = view.hand.filter((card) => card.startsWith("clan ")).map((card) => card.slice(5));
  return [...placards, ...clans];
}

const hooks = {
  turn(view, legal) {
    const fills = view.space.required.every((family) => mine(view).includes(family));
    return fills && !view.failed_here ? { move: "open" } : legal[0]; // roll, or draw after rolling
  },
  offer(view, legal) {
    const offers = legal.flatMap((move) => move.offers ?? []).filter((each) => each.placards || each.clans);
    return { move: "offers", offers: offers.filter((each) => each.price === view.dividend).slice(0, 12) };
  },
  accept(view, legal) {
    const can = legal.some((move) => move.move === "yes"); // not if the card is no longer there
    return can && (view.offer.price >= view.dividend || view.boss === view.seat);
  },
  close: (view, legal) => legal.find((move) => move.move === "close") ?? null, // null: go on bargaining
};

const names = Object.keys(hooks);
send({ type: "hello", protocol: 2, name: "modest", games: ["board"], hooks: names, legal: true });

require("readline").createInterface({ input: process.stdin, terminal: false }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") send({ type: "reply", id: 0 });
  if (message.type === "ask") {
    send({ type: "reply", id: message.id, move: hooks[message.hook](message.view, message.legal) });
  }
  if (message.type === "bye") process.exit(0);
});
