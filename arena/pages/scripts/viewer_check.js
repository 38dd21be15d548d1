// Whether what a file has is the data of a match: a stranger may have written it. All text is shown as text, whatever it
// is; here its kinds and sizes are checked, so that nothing in it makes the page wait or grow.

const mostOf = { nodes: 4_000_000, depth: 12, letters: 20_000, items: 100_000, frames: 50_000, entries: 2_000, seats: 12, number: 1e9 };
/** Numbers of things that are drawn one by one. */
const drawnNumbers = new Set(["choose", "exes", "tokens", "players"]), mostDrawn = 50;
/** Letters that are not seen, or turn the direction of others. */
const unseenLetters = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** What is wrong with a file, in a sentence. */
class WrongFile extends Error {}

function need(holds, what) {
  if (!holds) throw new WrongFile(`This file cannot be shown: ${what}.`);
}

/** The data of a match, checked; what is not seen in its texts is replaced. */
function checkedMatch(match) {
  const counted = { nodes: 0 };
  const clean = cleanValue(match, 0, counted, "");
  need(isObject(clean), "it has no match data");
  const { entrants, seat, result, course, places } = clean;
  for (const name of ["game", "edition", "match", "unit", "deal"]) need(typeof clean[name] === "string", `its ${name} is not a text`);
  need(clean.unit.length >= 1 && clean.unit.length <= 8, "its unit is not a unit of money");
  need(isList(entrants, mostOf.seats) && entrants.length && entrants.every(isText), "its entrants are not names");
  const isSeat = (each) => Number.isInteger(each) && each >= 0 && each < entrants.length;
  need(seat === null || isSeat(seat), "its seat is invalid");
  need(Number.isInteger(clean.last) && clean.last >= 1, "its last event is not a number");
  need(isList(result, mostOf.seats) && result.every((each) => isSeat(each?.seat) && Number.isInteger(each.rank) && isNumber(each.money)), "its result is invalid");
  need(clean.about?.players === undefined || clean.about.players === entrants.length, "its numbers of seats and entrants differ");
  need(isList(places, mostOf.items) && places.every((each) => isEvent(each?.n) && isText(each.jump)), "its places are invalid");
  for (const place of places) need((place.seats ?? []).every(isSeat), "a place has an invalid seat");
  clean.asks ??= [];
  need(isList(clean.asks, mostOf.items) && clean.asks.every(isAskGroup), "its asks are invalid");
  checkCourse(course, entrants.length);
  return { ...clean, called: clean.called === null ? null : "REPLAY" };
}

/** What happens in a match, event by event. */
function checkCourse(course, seats) {
  need(isObject(course) && isList(course.frames, mostOf.frames) && course.frames.length, "it has no events");
  need(course.first === null || isObject(course.first), "its first table is invalid");
  need(isList(course.own, mostOf.seats * 10) && course.own.every((name) => isList(course.first?.[name], mostOf.entries)), "its tables are invalid");
  need(isList(course.eyes, seats) && course.eyes.every((each) => isList(each, mostOf.items) && each.every((pair) =>
    isList(pair, 2) && Number.isInteger(pair[0]) && isObject(pair[1]))), "the views of its seats are missing");
  need(isList(course.levels, 20) && course.levels.every((each) => isText(each?.name) && isList(each.starts, mostOf.items) && each.starts.every(isEvent)), "its parts are invalid");
  const lengths = new Map(Object.entries(course.first ?? {}).filter(([, value]) => Array.isArray(value)).map(([name, value]) => [name, value.length]));
  let before = 0;
  for (const frame of course.frames) {
    need(isEvent(frame?.n) && frame.n > before && isText(frame.kind), "its events are not in order");
    need(frame.seat === undefined || frame.seat === null || (Number.isInteger(frame.seat) && frame.seat >= 0 && frame.seat < seats), "an event has an invalid seat");
    need((frame.roll ?? 1) >= 1 && (frame.roll ?? 1) <= 6, "a die has an invalid face");
    need((frame.told ?? []).every((each) => isText(each?.text)), "an event has no sentence");
    checkChange(frame, course.first, lengths);
    before = frame.n;
  }
}

/** A change of a table: fields set anew, and lists of which a part is taken out and put in. */
function checkChange({ set = {}, splice = {} }, first, lengths) {
  for (const [name, value] of Object.entries(set)) {
    need(first && Object.hasOwn(first, name), "an event changes a missing part");
    if (Array.isArray(value)) lengths.set(name, value.length);
    else lengths.delete(name);
  }
  for (const [name, change] of Object.entries(splice)) {
    need(isList(change, 3) && change.length === 3 && isList(change[2], mostOf.entries), "a change is invalid");
    const [start, gone, come] = change, now = lengths.get(name) ?? -1;
    need(Number.isInteger(start) && Number.isInteger(gone) && start >= 0 && gone >= 0 && start + gone <= now, "a change refers to a missing part");
    lengths.set(name, now - gone + come.length);
  }
  for (const length of lengths.values()) need(length <= mostOf.entries, "a list of a table is too long");
}

/** A copy of a value from JSON without letters that are not seen; what is too much is refused. */
function cleanValue(value, depth, counted, key) {
  need(depth <= mostOf.depth && (counted.nodes += 1) <= mostOf.nodes, "it is too large");
  if (typeof value === "string") {
    need(value.length <= mostOf.letters, "one of its texts is too long");
    return value.replace(unseenLetters, "\ufffd");
  }
  if (typeof value === "number") {
    need(isNumber(value) && (!drawnNumbers.has(key) || (value >= 0 && value <= mostDrawn)), "one of its numbers is too large");
    return value;
  }
  if (Array.isArray(value)) {
    need(value.length <= mostOf.items, "one of its lists is too long");
    return value.map((each) => cleanValue(each, depth + 1, counted, key));
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value);
  need(fields.length <= mostOf.entries && fields.every(([name]) => /^[\w ]{1,60}$/.test(name) && name !== "__proto__"), "one of its names is invalid");
  return Object.fromEntries(fields.map(([name, each]) => [name, cleanValue(each, depth + 1, counted, name)]));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value, most) {
  return Array.isArray(value) && value.length <= most;
}

function isText(value) {
  return typeof value === "string";
}

function isNumber(value) {
  return typeof value === "number" && Math.abs(value) <= mostOf.number;
}

function isEvent(value) {
  return Number.isInteger(value) && value >= 1;
}

function isAskGroup(value) {
  return isList(value, 5) && isEvent(value[0]) && isText(value[1]) && isList(value[3], mostOf.items) && isList(value[4], mostOf.items);
}
