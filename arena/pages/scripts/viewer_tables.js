// The table beside the sentences: drawn by the game's own drawing, or as its fields where a game has none.

/** The drawing of the game's table: draw(root, state, match, options) shows the table `state` in `root`. `match` is the
 * data of the page; options are those of {@link Course#options}. A game with a drawing of its own sets it. */
const matchTable = { draw: drawFields };

/** In the page that opens matches of several games: the drawing of each game's table, by the name of the game. */
const gameTables = new Map();

/** Show a table in `root`. */
function showTable(root, state, match, options) {
  if (!state) return void root.replaceChildren(make("p", { class: "quiet", text: "This game does not draw its table." }));
  matchTable.draw(root, state, match, options);
}

/** Any table as its fields; those that the event changed are marked. */
function drawFields(root, state, match, { previous }) {
  const rows = Object.entries(state).map(([name, value]) => {
    const changed = previous && previous[name] !== value;
    return make("tr", { class: changed ? "changed" : null },
      make("th", { class: "l", scope: "row", text: name.replaceAll("_", " ") }),
      make("td", { class: "l", text: fieldText(value) }),
      make("td", { class: "l mark", text: changed ? "changed" : "" }));
  });
  const table = make("table", { class: "fields" }, make("tbody", {}, ...rows));
  root.replaceChildren(make("div", { class: "scroll" }, table));
}

/** A value in words as short as they can be. */
function fieldText(value) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.length ? value.map(fieldText).join(" · ") : "–";
  if (typeof value !== "object") return String(value);
  return Object.entries(value).filter(([, part]) => part !== null).map(([name, part]) => `${name} ${fieldText(part)}`).join(", ");
}
