// The needs of a space, each with the card that fills it.

/** The places of a space, {families, held} each: `held` is the family that takes the place, or null. */
function coverPlaces(space, families) {
  const places = [
    ...space.required.map((family) => ({ families: [family], held: null })),
    ...space.groups.flatMap((group) => Array.from({ length: group.choose }, () => ({ families: group.from, held: null }))),
  ];
  const give = (family, tried) => places.some((place) => {
    if (tried.has(place) || !place.families.includes(family)) return false;
    tried.add(place);
    if (place.held !== null && !give(place.held, tried)) return false;
    place.held = family;
    return true;
  });
  for (const family of families) give(family, new Set());
  return places;
}
