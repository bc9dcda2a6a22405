/**
 * Makes a regular expression when it is first used. V8 takes up to a millisecond to parse one with Unicode properties,
 * and the program would parse dozens at its start that the first frame does not need.
 */
export function lazyPattern(make: () => RegExp): () => RegExp {
  let pattern: RegExp | null = null;
  return () => {
    pattern ??= make();
    return pattern;
  };
}
