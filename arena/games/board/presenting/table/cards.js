// The cards of the board game: families on the board, placards and influence cards, small in drawings and among text.

/** The influence cards that have no family: their icon, the word under it, and what they are. */
const INFLUENCE = {
  "travel wild": { icon: "suitcase", word: "any", title: "travel card for any family" },
  recruitment: { icon: "people", word: "recruit", title: "recruitment card" },
  boss: { icon: "crown", word: "boss", title: "boss card" },
  stop: { icon: "stop", word: "stop", title: "STOP card" },
};

/** A family as the edition names it: {family, name, letters}. */
function familyOf(match, family) {
  return match.about.families.find((each) => each.family === family);
}

/** A family's card inside a drawing, its centre at x, y: `kind` "need" is round, "placard" broad, "clan" upright. */
function drawFamily(match, family, kind, x, y, size, title, more = "") {
  const { name, letters } = familyOf(match, family);
  const [width, height, corner] = { need: [1, 1, 0.5], placard: [1.3, 1, 0.18], clan: [0.86, 1.16, 0.12] }[kind].map((part) => part * size);
  return draw("g", { class: `family ${family} ${kind} ${more}` },
    draw("title", { text: title ?? name }),
    draw("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: corner }),
    draw("text", { x, y: y + size * 0.22, "font-size": size * [0, 0.64, 0.54, 0.4][letters.length], text: letters }));
}

/** A family's card among text; `kind` as in a drawing. */
function familyChip(match, family, kind, title) {
  const { name, letters } = familyOf(match, family);
  return make("span", { class: `chip ${family} ${kind}`, title: title ?? name, text: letters });
}

/** The cards that terms name, placards before clan cards; for none of them, words. */
function termsChips(match, { placards = [], clans = [] }) {
  if (!placards.length && !clans.length) return [quietWords("goodwill", "a side promise: no card takes part")];
  return [
    ...placards.map((family) => familyChip(match, family, "placard", `${familyOf(match, family).name} placard`)),
    ...clans.map((family) => familyChip(match, family, "clan", `${familyOf(match, family).name} clan card`)),
  ];
}

/** What terms name, in words. */
function termsWords(match, { placards = [], clans = [] }) {
  const names = (families, what) => families.map((family) => `${familyOf(match, family).name} ${what}`);
  return [...names(placards, "placard"), ...names(clans, "clan card")].join(", ") || "goodwill";
}

/** What an influence card is called. */
function influenceTitle(match, card) {
  if (INFLUENCE[card]) return INFLUENCE[card].title;
  const [kind, family] = card.split(" ");
  return `${familyOf(match, family).name} ${kind} card`;
}

/** An influence card of a hand, and how many of its kind there are. */
function influenceCard(match, card, count) {
  const plain = INFLUENCE[card];
  const [kind, family] = card.split(" ");
  const face = plain ? [tableIcon(plain.icon)] : [kind === "travel" ? tableIcon("suitcase") : null,
    make("b", { text: familyOf(match, family).letters })];
  const title = influenceTitle(match, card);
  return make("span", {
    class: `card ${plain ? card.replace(" ", "-") : `${kind} ${family}`}`, title, role: "img", "aria-label": `${count} × ${title}`,
  }, make("span", { class: "face" }, ...face), make("span", { class: "word", text: plain?.word ?? kind }),
  count > 1 ? make("span", { class: "count", text: `×${count}` }) : null);
}

/** What a play does, in words that follow the seat's name. */
function playWords(match, state, play) {
  if (play.move === "boss") return "plays a boss card, to become the Boss";
  if (play.move === "recruit") return `plays three recruitment cards, to take the ${familyOf(match, play.placard).name} placard`;
  const { name } = familyOf(match, play.family);
  const card = play.wild ? "a travel card for any family" : `a ${name} travel card`;
  if (play.clan_of === undefined || play.clan_of === null) return `plays ${card} on the ${name} placard`;
  return `plays ${card} on the ${name} clan card of ${seatName(match, play.clan_of)}`;
}
