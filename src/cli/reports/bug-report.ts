/**
 * Puts the report of `msg-tui bug` together. It is an allow-list: numbers, versions, and words of the program and of its
 * tables. Nothing that the user, the server or another person has written is included, and ids are replaced by words that
 * are the same only within one report.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileDirectories } from '../../config/paths.ts';
import { isLoopbackHost } from '../../protocol/base-url.ts';
import type { Op } from '../../state/model/app-state.ts';
import { type DatabaseFacts, inspectCache, inspectOutbox } from '../../storage/inspect.ts';
import { framesOf, isCode, loggableEvidence } from '../../storage/ledger/debug-log.ts';
import type { LedgerEntry } from '../../storage/ledger/entry.ts';
import { readLedger } from '../../storage/ledger/read-ledger.ts';
import { openOutbox } from '../../storage/outbox/open.ts';
import { senderOf } from '../../storage/outbox/sender-lock.ts';
import type { AccountFacts, InspectionOptions } from '../health/account.ts';
import { learnedLines } from '../health/capability-words.ts';
import { diagnose } from '../health/doctor.ts';
import { isHealthy } from '../health/report.ts';
import { isoTime } from '../output/print.ts';
import { isCrashReport } from '../process/crash-report.ts';
import { checkReport, programFacts, settingsReport, terminalReport } from './bug-sections.ts';
import { summarise } from './ledger-summary.ts';

export interface ReportFile {
  readonly name: string;
  /** The report in ASCII, so that the printed text is the same as the written one. */
  readonly text: string;
}

/** Replaces an id by a word that says nothing of it outside of this report. */
type Hash = (id: string) => string;

export async function bugReport(context: InspectionOptions, now: number): Promise<readonly ReportFile[]> {
  const { paths, environment } = context;
  const { report, account } = await diagnose({ ...context, needsToken: false }, { offline: true });
  const salt = randomBytes(16).toString('hex');
  const hash: Hash = (id) => createHash('sha256').update(salt).update(id).digest('hex').slice(0, 10);
  const main = {
    schema: 1,
    made: isoTime(now),
    program: programFacts(),
    terminal: terminalReport(environment),
    settings: await settingsReport(paths.configFile, environment),
    account: accountReport(account),
    ...storesReport(account.directories, hash, now),
    last_crash: lastCrash(paths.state),
  };
  const doctor = { schema: 1, healthy: isHealthy(report), checks: report.checks.map(checkReport) };
  const files = [file('report.json', main), file('doctor.json', doctor)];
  return [...files, file('ledger.json', await ledgerReport(account, now))];
}

const file = (name: string, content: object): ReportFile => ({
  name,
  text: `${JSON.stringify(content, null, 2).replace(/[^\n -~]/g, escapeUnit)}\n`,
});

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function accountReport({ profile, server }: AccountFacts) {
  if (server === null) return { profile: profile?.source ?? null, server: null };
  const { protocol, hostname, pathname, port } = new URL(server);
  const has = { is_loopback: isLoopbackHost(hostname), has_port: port !== '', has_path: pathname !== '/' };
  return { profile: profile?.source ?? null, server: { protocol, ...has } };
}

function storesReport(directories: ProfileDirectories | null, hash: Hash, now: number) {
  if (directories === null) return { stores: null };
  const isInUse = isHeld(directories.data);
  const outbox = inspectOutbox(directories.data, isInUse);
  const cache = inspectCache(directories.cache, isInUse);
  const { me, capabilities = {}, setAside, ...counts } = outbox.content ?? {};
  const isReadable = outbox.condition === 'whole' && outbox.version === outbox.knownVersion;
  return {
    stores: { 'outbox.db': factsOf(outbox), 'cache.db': factsOf(cache), is_in_use: isInUse },
    counts: { ...counts, set_aside: setAside, knows_own_id: (me ?? null) !== null, ...cache.content },
    capabilities: learnedLines(capabilities).map(({ name, value, at }) => ({ name, value, at: isoTime(at) })),
    outbox: isReadable ? opsIn(directories.data).map((op) => opReport(op, hash, now)) : null,
  };
}

const factsOf = ({ condition, version, knownVersion, bytes }: DatabaseFacts<unknown>) => ({
  ...{ condition, version, known_version: knownVersion, bytes },
});

function isHeld(directory: string): boolean {
  try {
    return senderOf(directory) !== null;
  } catch {
    return false;
  }
}

function opsIn(directory: string): readonly Op[] {
  try {
    const outbox = openOutbox(directory, { role: 'reader' });
    try {
      return outbox.load().outbox;
    } finally {
      outbox.close();
    }
  } catch {
    return [];
  }
}

function opReport({ uuid, action, state, created, attempts, scans }: Op, hash: Hash, now: number) {
  const minutes = (at: number): number => Math.round((now - at) / 60_000);
  return {
    op: hash(uuid),
    kind: action.kind,
    conversation: 'conversationId' in action ? hash(action.conversationId) : null,
    state,
    age_minutes: minutes(created),
    scans,
    attempts: attempts.map(({ started, outcome, evidence }) => ({
      age_minutes: minutes(started),
      outcome,
      evidence: loggableEvidence(evidence),
    })),
  };
}

const weekMs = 7 * 86_400_000;

/** The sums of a week by reason and status; hosts are `server`, `other 1`, `other 2`, … */
async function ledgerReport({ directories, server }: AccountFacts, now: number) {
  const entries: LedgerEntry[] = [];
  if (directories !== null) for await (const entry of readLedger(directories.cache, now - weekMs)) entries.push(entry);
  const own = server === null ? '' : new URL(server).host;
  const others = new Map<string, string>();
  const hostName = (host: string): string => {
    if (host === own) return 'server';
    const name = others.get(host) ?? `other ${others.size + 1}`;
    others.set(host, name);
    return name;
  };
  const hidden = entries.map((entry) => {
    if (entry.kind === 'request') return { ...entry, host: hostName(entry.host) };
    return entry.kind === 'hook' ? { ...entry, program: 'not shown' } : entry;
  });
  return { schema: 1, since: isoTime(now - weekMs), ...summarise(hidden), answers: answersOf(entries) };
}

/** How often each status or error code came: `{"200": 12, "ECONNREFUSED": 1}`. */
function answersOf(entries: readonly LedgerEntry[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'request') continue;
    const name = entry.status === null ? (loggableEvidence(entry.problem ?? 'ERROR') ?? 'ERROR') : String(entry.status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** Facts about the program from a crash report: the class of the error and where it was thrown. */
export interface CrashFacts {
  readonly time: string;
  /** Version, Node and platform of the program that crashed. */
  readonly program: string;
  readonly error: string;
  readonly stack: readonly string[];
}

/** The newest crash report without the message of its error, which may quote anything; null where there is none. */
function lastCrash(directory: string): CrashFacts | null {
  try {
    const name = readdirSync(directory).filter(isCrashReport).sort().at(-1);
    return name === undefined ? null : crashFacts(name, readFileSync(join(directory, name), 'utf8'));
  } catch {
    return null;
  }
}

function crashFacts(name: string, text: string): CrashFacts {
  const [about = '', , first = ''] = text.split('\n');
  const [error = ''] = first.split(':');
  return {
    time: name.replace(/^crash-|\.txt$/g, ''),
    program: /^msg-tui [\w.-]+, Node v[\d.]+, \w+ \w+$/.test(about) ? about : 'unknown',
    error: isCode(error) && /(Error|Problem|Failure)$/.test(error) ? error : 'unknown',
    stack: framesOf(text),
  };
}
