/** Keeps a map from growing past a number of entries. */

/** Deletes the oldest entry where the map, into which one was put just now, has more than `most`. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
}
