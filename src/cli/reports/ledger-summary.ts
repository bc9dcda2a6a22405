/** Sums up the ledger by host, by reason, and by command that was run. */
import type { HookEntry, LedgerEntry, RequestEntry } from '../../storage/ledger/entry.ts';

interface Sums {
  requests: number;
  failed: number;
  sent: number;
  received: number;
}

export interface LedgerSummary {
  readonly hosts: readonly (Readonly<Sums> & { readonly host: string })[];
  /** The sums by host and reason, the most frequent ones first. */
  readonly reasons: readonly (Readonly<Sums> & { readonly host: string; readonly reason: string })[];
  readonly hooks: readonly {
    readonly reason: string;
    readonly program: string;
    readonly runs: number;
    readonly failed: number;
  }[];
  /** The number of lines that could not be written. */
  readonly lost: number;
}

/** Whether a request had a status of 400 or more, or no answer. */
const isFailed = ({ status, problem }: RequestEntry): boolean => status === null || status >= 400 || problem !== null;

export function summarise(entries: readonly LedgerEntry[]): LedgerSummary {
  const requests = entries.filter((entry) => entry.kind === 'request');
  const hooks = entries.filter((entry) => entry.kind === 'hook');
  const hosts = grouped(requests, ({ host }) => [host]);
  const reasons = grouped(requests, ({ host, reason }) => [host, reason]);
  return {
    hosts: hosts.map(([[host = ''], group]) => ({ host, ...sumsOf(group) })),
    reasons: reasons.map(([[host = '', reason = ''], group]) => ({ host, reason, ...sumsOf(group) })),
    hooks: grouped(hooks, ({ reason, program }) => [reason, program]).map(([[reason = '', program = ''], group]) => ({
      reason,
      program,
      runs: group.length,
      failed: group.filter(({ problem }) => problem !== null).length,
    })),
    lost: entries.reduce((sum, entry) => sum + (entry.kind === 'lost' ? entry.count : 0), 0),
  };
}

/** The largest groups first. */
function grouped<T extends RequestEntry | HookEntry>(
  entries: readonly T[],
  keysOf: (entry: T) => readonly string[],
): readonly (readonly [readonly string[], readonly T[]])[] {
  const groups = new Map<string, [readonly string[], T[]]>();
  for (const entry of entries) {
    const keys = keysOf(entry);
    const id = JSON.stringify(keys);
    const held = groups.get(id);
    if (held === undefined) groups.set(id, [keys, [entry]]);
    else held[1].push(entry);
  }
  return [...groups.values()].sort(([, one], [, other]) => other.length - one.length);
}

function sumsOf(entries: readonly RequestEntry[]): Sums {
  const sums = { requests: 0, failed: 0, sent: 0, received: 0 };
  for (const entry of entries) {
    sums.requests += 1;
    sums.failed += isFailed(entry) ? 1 : 0;
    sums.sent += entry.sent;
    sums.received += entry.received;
  }
  return sums;
}
