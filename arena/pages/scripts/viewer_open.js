// The page that opens matches: a file that is dropped or chosen, or one of this server that the address names.

const mostBytes = 48_000_000;
const beginning = "{\"";
const opening = Object.fromEntries(["opening", "file", "problem"].map((id) => [id, document.getElementById(id)]));
const shownParts = ["main", "nav.controls", "dialog", "header.viewer-head"];
/** The parts of the page before any match, to be put there again for the next. */
const emptyParts = new Map(shownParts.map((part) => [part, document.querySelector(part).cloneNode(true)]));

/** Show a match in place of what is shown. */
function openMatch(match) {
  closeMatch();
  const drawing = gameTables.get(match.game);
  matchTable.draw = drawing ?? drawFields;
  document.body.dataset.game = match.game;
  for (const part of ["main", "nav.controls"]) document.querySelector(part).hidden = false;
  opening.opening.hidden = true;
  viewer = new Viewer({ match });
}

/** Put the page back as it was before any match. */
function closeMatch() {
  if (viewer) {
    viewer.close();
    history.replaceState(null, "", location.href.split("#")[0]); // the next match begins with its own first event
  }
  viewer = null;
  for (const [part, empty] of emptyParts) document.querySelector(part).replaceWith(empty.cloneNode(true));
  opening.opening.hidden = false;
  opening.problem.hidden = true;
  opening.file.value = ""; // so that the same file, perhaps written anew, can be chosen again
}

/** Say why nothing can be shown. */
function tellProblem(problem) {
  closeMatch();
  opening.problem.textContent = problem instanceof WrongFile ? problem.message : `This file cannot be shown: ${problem.message ?? problem}`;
  opening.problem.hidden = false;
}

/** Open the match of which this is the first line. */
function openLine(text) {
  need(text.startsWith(beginning), "it does not begin like a line of arena show --jsonl");
  let line;
  try {
    line = JSON.parse(text);
  } catch {
    throw new WrongFile("This file cannot be shown: its first line is not JSON.");
  }
  need(line.event !== "match", "it is a replay; write a file for this page with: arena show FILE --jsonl");
  need(line.page, "its first line has no page; write it again, from the first event on, with: arena show FILE --jsonl");
  openMatch(checkedMatch(line.page));
}

/** The first line of a stream of bytes, as text; no more is read of it. */
async function firstLine(stream) {
  const reader = stream.getReader(), decoder = new TextDecoder(), parts = [];
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    const end = text.indexOf("\n");
    parts.push(end < 0 ? text : text.slice(0, end));
    bytes += value?.byteLength ?? 0;
    if (bytes > mostBytes) await reader.cancel();
    need(bytes <= mostBytes, `it has more than ${mostBytes / 1e6} MB`);
    if (done) return parts.join("");
    if (end >= 0) {
      await reader.cancel();
      return parts.join("");
    }
  }
}

/** Open what a stream holds; `source` gives it. */
async function openStream(source) {
  try {
    openLine(await firstLine(await source()));
  } catch (problem) {
    tellProblem(problem);
  }
}

/** The match that the address names: of this very server, and nothing but a file of it. */
async function fetchMatch(name) {
  const address = new URL(name, location.href);
  need(/^https?:$/.test(location.protocol), "this page was opened as a file, so it cannot read addresses; drop the match file on it");
  need(address.origin === location.origin, "the address is of another server");
  const answer = await fetch(address, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" });
  need(answer.ok && answer.body, `the server says ${answer.status} to ${address.pathname}`);
  return answer.body;
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) openStream(() => file.stream());
});
document.addEventListener("change", (event) => {
  if (event.target.id === "file" && event.target.files[0]) openStream(() => event.target.files[0].stream());
});
document.addEventListener("click", (event) => { if (event.target.closest?.("#another")) closeMatch(); });
addEventListener("error", (event) => { if (viewer) tellProblem(event.error ?? event.message); });
const namedMatch = new URLSearchParams(location.search).get("match");
if (namedMatch) openStream(() => fetchMatch(namedMatch));
