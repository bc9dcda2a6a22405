/** Kinds of servers made of several differences at once: every pair of values in a small set, or drawn at random. */
import { plain, promised, type Quirks, type Switch } from '../support/quirk-server/quirks.ts';

export type Domain = { readonly [K in Switch]?: readonly Quirks[K][] };

type Value = string | number;

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** Greedy: each row is the best of some candidates by how many pairs not yet seen it has. */
export function pairwise(domain: Domain, seed = 1): readonly Quirks[] {
  const names = Object.keys(domain) as Switch[];
  const valuesOf = (name: Switch): readonly Value[] => domain[name] ?? [];
  const random = seededRandom(seed);
  const open = new Set<string>();
  for (const [at, a] of names.entries())
    for (const b of names.slice(at + 1))
      for (const x of valuesOf(a)) for (const y of valuesOf(b)) open.add(keyOf(a, x, b, y));
  const rows: Quirks[] = [];
  while (open.size > 0) {
    const row = bestRow(names, valuesOf, open, random);
    for (const pair of pairsOf(names, row)) open.delete(pair);
    rows.push({ ...plain, ...row } as Quirks);
  }
  return rows;
}

export function randomQuirks(random: () => number): Quirks {
  const pick = (values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const picked = Object.fromEntries(Object.entries(promised).map(([name, values]) => [name, pick(values)]));
  return { ...plain, ...picked } as Quirks;
}

type Row = Partial<Record<Switch, Value>>;

/** Starts with a pair still open, and gives each further switch the value that closes most. */
function bestRow(
  names: readonly Switch[],
  valuesOf: (name: Switch) => readonly Value[],
  open: ReadonlySet<string>,
  random: () => number,
): Row {
  const first = [...open][0]?.split('\n') ?? [];
  const row: Row = {};
  for (const part of first) {
    const [name, value] = JSON.parse(part) as [Switch, Value];
    row[name] = value;
  }
  const rest = names.filter((name) => row[name] === undefined).sort(() => random() - 0.5);
  for (const name of rest) {
    const scored = valuesOf(name).map((value) => ({ value, score: scoreOf(row, name, value, open) + random() / 2 }));
    row[name] = scored.reduce((best, one) => (one.score > best.score ? one : best)).value;
  }
  return row;
}

function scoreOf(row: Row, name: Switch, value: Value, open: ReadonlySet<string>): number {
  return (Object.entries(row) as [Switch, Value][]).filter(([other, held]) => open.has(keyOf(name, value, other, held)))
    .length;
}

function pairsOf(names: readonly Switch[], row: Row): readonly string[] {
  return names.flatMap((a, at) => names.slice(at + 1).map((b) => keyOf(a, row[a] ?? '', b, row[b] ?? '')));
}

const keyOf = (a: Switch, x: Value, b: Switch, y: Value): string =>
  [JSON.stringify([a, x]), JSON.stringify([b, y])].sort().join('\n');
