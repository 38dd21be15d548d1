// The address says which edition is shown, who is picked and what is looked at, so that it can be sent on.

/** What the address asks for: `#edition=…&entrant=…&at=…`, or the id of a place alone. */
function askedByAddress() {
  const asked = location.hash.slice(1);
  return new URLSearchParams(asked === "" || asked.includes("=") ? asked : `at=${asked}`);
}

/** Put what is chosen into the address; without a value a choice is left out. `visit` makes it a step to go back. */
function writeAddress(changes, visit = false) {
  const asked = askedByAddress();
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") asked.delete(name);
    else asked.set(name, value);
  }
  const told = asked.size ? `#${asked}` : location.pathname + location.search;
  if (visit) history.pushState(null, "", told);
  else history.replaceState(null, "", told);
}
