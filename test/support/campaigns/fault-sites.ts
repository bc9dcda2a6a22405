/** Counts which faults a suite has really met, and prints what was run, what was hit and what never was. */

export interface FaultSites {
  hit(site: string, times?: number): void;
  readonly hits: () => ReadonlyMap<string, number>;
  readonly neverHit: () => readonly string[];
  /** One line on stdout, for the figures of a run. */
  print(suite: string, what: string): void;
}

/** `known`: every site that the suite is to reach; others may be added by hitting them. */
export function faultSites(known: readonly string[]): FaultSites {
  const hits = new Map<string, number>(known.map((site) => [site, 0]));
  const neverHit = (): readonly string[] => [...hits].filter(([, count]) => count === 0).map(([site]) => site);
  return {
    hit: (site, times = 1) => void hits.set(site, (hits.get(site) ?? 0) + times),
    hits: () => hits,
    neverHit,
    print: (suite, what) => {
      const never = neverHit();
      const met = hits.size - never.length;
      const rest = never.length === 0 ? 'none never hit' : `never hit: ${never.join(', ')}`;
      process.stdout.write(`${suite}: ${what}; ${met} of ${hits.size} fault sites hit, ${rest}\n`);
    },
  };
}
