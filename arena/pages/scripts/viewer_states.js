// The table after every event of a match, made from what each event changed: whole, or as a seat sees it.

/** The tables of a match: the first before any event, then one after each frame. What did not change is shared between
 * them. Null where the game does not say how its table is folded. */
function tablesOf(course) {
  if (!course.first) return null;
  const tables = [course.first];
  for (const frame of course.frames) tables.push(changedTable(tables[tables.length - 1], frame));
  return tables;
}

/** A table after a frame. */
function changedTable(before, { set, splice }) {
  if (!set && !splice) return before;
  const after = { ...before, ...set };
  for (const [name, [start, gone, come]] of Object.entries(splice ?? {})) {
    after[name] = [...before[name].slice(0, start), ...come, ...before[name].slice(start + gone)];
  }
  return after;
}

/** The same tables as `seat` sees them: of its own fields its own element alone, and others as its eyes tell. */
function seenTables(course, tables, seat) {
  const eyes = course.eyes[seat];
  let next = 0, other = {}, before = null, made = null;
  return tables.map((table, at) => {
    const news = next;
    while (next < eyes.length && eyes[next][0] < at) other = { ...other, ...eyes[next++][1] };
    if (table === before && news === next) return made;
    const seen = { ...table, ...other };
    for (const name of course.own) {
      const same = before && before[name] === table[name];
      seen[name] = same ? made[name] : table[name].map((each, place) => (place === seat ? each : null));
    }
    before = table;
    made = seen;
    return seen;
  });
}
