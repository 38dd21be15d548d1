// The head of the page: which match it is, how it ended, and whose knowledge is shown.

/** Fill the head. */
function showHead(match) {
  const find = (id) => document.getElementById(id);
  document.title = `${match.edition}: ${match.entrants.join(", ")}`;
  find("heading").replaceChildren(`${match.edition} `, make("span", { class: "quiet", text: match.match }));
  find("ranks").hidden = !match.result.length;
  find("ranks").querySelector("ol").replaceChildren(...match.result.map(({ seat, rank, money }) =>
    make("li", { text: `${rank}. ${match.entrants[seat]} (${seat}) ${moneyText(match.unit, money)}` })));
  find("void").hidden = !match.void;
  find("void").textContent = match.void ? "This match is void: it does not count in standings and statistics." : "";
  find("eyes-fixed").hidden = match.seat === null;
  find("eyes-fixed").textContent = match.seat === null ? "" : `what seat ${match.seat} knew`;
  if (match.seat !== null) for (const id of ["eyes-choice", "shell"]) find(id)?.remove();
}

/** An amount in the game's money. */
function moneyText(unit, amount) {
  return `${amount < 0 ? "−" : ""}${unit[0]}${Math.abs(amount)}${unit.slice(1)}`;
}
