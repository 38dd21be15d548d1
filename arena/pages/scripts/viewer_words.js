// The words of the page, explained in its help.

const viewerWords = {
  event: "something that happened; its number is that of its line in the replay, and never changes",
  seen: "something that this seat saw, by its own count; the lines of the replay are not numbered here, because gaps between them would tell what others did",
  moment: "one of the ten places with the highest figures in this match; of a seat that is chosen, its own ten. They are places to look at, not verdicts",
  refused: "a moment: an offer that was refused, and nothing better came",
  payment: "one of the ten largest",
  fault: "a bot broke a rule, failed or was late; another move was played instead of its own",
  notes: "what a bot wrote down; the others do not hear it",
};
const wordsOfGame = {
  board: {
    turn: "a seat moves the marker or opens a deal",
    deal: "a negotiation, counted from 1 in the order of opening, also one that fails; its deal card has another number",
    tick: "a step of a negotiation: those who want to make offers make them, all are answered, and cards are played",
    gift: "a moment: a sale far below what like cards usually cost in this very match, or a STOP that helped another; it may be meant or not",
    "boss card": "a moment: a seat took the deal with such a card, and closed it",
  },
  cards: {
    turn: "a seat lays cards or asks for a Cousin token",
    round: "until all pass; then a share is paid",
    gift: "a moment: a Cousin token, or cards laid in front of another, by which that seat gained; it may be meant or not",
  },
};

/** The words that the page of a match uses, as a list. */
function wordList(course) {
  const { event, seen, ...others } = viewerWords;
  const first = course.match.seat === null ? { event } : { seen };
  const words = { ...first, ...wordsOfGame[course.match.game], ...(wordsOfGame[course.match.game] ? others : { fault: others.fault, notes: others.notes }) };
  return make("dl", { class: "words" }, ...Object.entries(words).flatMap(([word, told]) => [make("dt", { text: word }), make("dd", { text: told })]));
}
