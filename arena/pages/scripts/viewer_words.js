// The words of the page, explained in its help.

const viewerWords = {
  event: "something that happened; its number is the number of its line in the replay, and never changes",
  seen: "something that this seat saw, with the seat's own number; numbers of lines are not shown, because gaps in them would reveal actions of others",
  moment: "one of the ten places with the highest figures in this match or, if a seat is chosen, of that seat. They are places to look at, not verdicts",
  refused: "a moment: an offer was refused, but nothing better came",
  payment: "one of the ten largest",
  fault: "a bot broke a rule, failed or was late; a default was played instead of its move",
  notes: "a text that a bot wrote down; the others do not see it",
};
const wordsOfGame = {
  board: {
    turn: "a seat moves the marker or opens a deal",
    deal: "a negotiation, also a failed one, numbered from 1 in the order of opening; the deal card has a different number",
    tick: "a step of a negotiation: offers are made and answered, then cards are played",
    gift: "a moment: a sale far below the usual price of such cards in this match, or a STOP that helped another seat; it may be intended or not",
    "boss card": "a moment: a seat took over the deal with a boss card, and closed it",
  },
  cards: {
    turn: "a seat lays cards or asks for a Cousin token",
    round: "until all pass; then shares are paid",
    gift: "a moment: a Cousin token, or cards laid in front of another seat, from which that seat gained; it may be intended or not",
  },
};

/** The words that the page of a match uses, as a list. */
function wordList(course) {
  const { event, seen, ...others } = viewerWords;
  const first = course.match.seat === null ? { event } : { seen };
  const words = { ...first, ...wordsOfGame[course.match.game], ...(wordsOfGame[course.match.game] ? others : { fault: others.fault, notes: others.notes }) };
  return make("dl", { class: "words" }, ...Object.entries(words).flatMap(([word, told]) => [make("dt", { text: word }), make("dd", { text: told })]));
}
