/** `msg-tui ledger` prints what left this machine: each request of the account, and each command of the user that was run. */
import type { Environment } from '../../config/environment.ts';
import { type Config, loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import { type LedgerEntry, rowOf } from '../../storage/ledger/entry.ts';
import { readLedger } from '../../storage/ledger/read-ledger.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTimeSeconds, dayKey, localDay } from '../../text/time.ts';
import { settingsOf } from '../config/chat-settings.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { inspectAccount } from '../health/account.ts';
import { bytes, counted } from '../output/check.ts';
import { isoTime, jsonDocument, type Output, processOutput } from '../output/print.ts';
import { type Column, tableText } from '../output/table.ts';
import { ExitError, exitCodes, notSignedInText } from '../process/exit.ts';
import { accountEnvironment, addressOf, chosenProfile } from '../sign-in/chosen-profile.ts';
import { withTokenWarning } from '../sign-in/token-warning.ts';
import { type LedgerSummary, summarise } from './ledger-summary.ts';

export interface LedgerOptions extends AccountOptions {
  /** The beginning of the period, in milliseconds of the wall clock. */
  readonly since: number;
  readonly host?: string;
  readonly summary?: boolean;
  readonly json?: boolean;
}

export async function printLedger(options: LedgerOptions, output: Output = processOutput()): Promise<void> {
  const environment = accountEnvironment(options);
  await withTokenWarning(environment.tokenWarning, () => print(environment, options, output), output.remark);
}

async function print(environment: Environment, options: LedgerOptions, output: Output): Promise<void> {
  // An invalid config.toml ends this command here, as it ends others; the checks of the account would report a missing
  // account.
  const config = await loadConfig(currentPaths().configFile);
  const profile = chosenProfile(config, environment);
  // The checks of the account do not say where a bad address is written.
  if (profile !== null) addressOf(profile, options.insecureHttp === true);
  const { cache } = await findDirectories(environment, options);
  const entries = await entriesOf(cache, options);
  remarkWhenOff(config, output);
  const since = isoTime(options.since);
  if (options.summary === true) {
    const summary = summarise(entries);
    if (options.json === true) output.json(jsonDocument({ since, ...summary }));
    else output.text(summaryText(summary, output.columns));
  } else if (options.json === true) output.json(jsonDocument({ since, entries: entries.map(rowOf) }));
  else {
    const isShort = output.columns !== null && entries.every(({ at }) => dayKey(at) === dayKey(Date.now()));
    const lines = entries.map((entry) => lineOf(entry, localTime(entry.at, isShort)));
    const isNarrow = output.columns !== null && output.columns < wide;
    const isShown = (_: unknown, at: number): boolean => !isNarrow || columns[at]?.isForWide !== true;
    const cells = lines.map((line) => line.filter(isShown));
    output.text(tableText(columns.filter(isShown), cells, output.columns));
  }
  const isEmpty = entries.length === 0 && options.json !== true;
  if (isEmpty && options.host === undefined) output.remark(literal('nothing left this machine in that time'));
  else if (isEmpty) output.remark(sanitizeLine(`no request to ${options.host} left this machine in that time`));
}

async function entriesOf(cache: string, { since, host }: LedgerOptions): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(cache, since))
    if (host === undefined || (entry.kind === 'request' && isHost(entry.host, host))) entries.push(entry);
  return entries.sort((one, other) => one.at - other.at);
}

/** Whether the host is the wanted one; `chat.example` also means `chat.example:8443`. */
const isHost = (host: string, wanted: string): boolean =>
  host.toLowerCase() === wanted.toLowerCase() || host.toLowerCase().startsWith(`${wanted.toLowerCase()}:`);

function remarkWhenOff(config: Config, output: Output): void {
  if (settingsOf(config).ledgerDays === 0)
    output.remark(literal('the ledger is off (ledger.keep_days = 0), so new requests are not in it'));
}

/** The columns from which on a terminal has room for sizes and durations. */
const wide = 110;

const columns: readonly (Column & { readonly isForWide?: true })[] = [
  { heading: literal('TIME') },
  { heading: literal('WHAT') },
  { heading: literal('STATUS'), align: 'right' },
  { heading: literal('SENT'), align: 'right', isForWide: true },
  { heading: literal('RECEIVED'), align: 'right', isForWide: true },
  { heading: literal('MS'), align: 'right', isForWide: true },
  { heading: literal('REASON'), least: 16 },
  { heading: literal('HOST'), least: 8 },
  { heading: literal('PATH'), least: 24 },
];

function lineOf(entry: LedgerEntry, time: SafeText): readonly SafeText[] {
  const none = literal('-');
  if (entry.kind === 'lost')
    return [
      time,
      literal('lost'),
      none,
      none,
      none,
      none,
      sanitizeLine(`${counted(entry.count, 'line')} could not be written`),
    ];
  const { problem, sent, durationMs } = entry;
  const reason = sanitizeLine(entry.reason);
  if (entry.kind === 'hook') {
    const status = problem === null ? literal('ok') : sanitizeLine(problem);
    const program = sanitizeLine(entry.program);
    return [time, literal('run'), status, safe`${sent}`, none, safe`${durationMs}`, reason, literal('here'), program];
  }
  const status = entry.status === null ? sanitizeLine(problem ?? 'ERROR') : safe`${entry.status}`;
  return [
    time,
    sanitizeLine(entry.method),
    status,
    safe`${sent}`,
    safe`${entry.received}`,
    safe`${durationMs}`,
    reason,
    sanitizeLine(entry.host),
    sanitizeLine(entry.path),
  ];
}

/**
 * `2026-11-22 14:02:11` in local time, so that lines of several days can be sorted; `14:02:11` on a terminal where all
 * lines are of today.
 */
function localTime(at: number, isShort: boolean): SafeText {
  if (isShort) return clockTimeSeconds(at);
  return safe`${localDay(at)} ${clockTimeSeconds(at)}`;
}

const sumColumns: readonly Column[] = [
  { heading: literal('REQUESTS'), align: 'right' },
  { heading: literal('FAILED'), align: 'right' },
  { heading: literal('SENT'), align: 'right' },
  { heading: literal('RECEIVED'), align: 'right' },
  { heading: literal('HOST'), least: 12 },
  { heading: literal('REASON'), least: 10 },
];

const runColumns: readonly Column[] = [
  { heading: literal('RUNS'), align: 'right' },
  { heading: literal('FAILED'), align: 'right' },
  { heading: literal('PROGRAM'), least: 12 },
  { heading: literal('SETTING') },
];

function summaryText({ hosts, reasons, hooks, lost }: LedgerSummary, columns: number | null): string {
  const row = (one: LedgerSummary['hosts'][number], reason: string): readonly SafeText[] => [
    safe`${one.requests}`,
    safe`${one.failed}`,
    sanitizeLine(bytes(one.sent)),
    sanitizeLine(bytes(one.received)),
    sanitizeLine(one.host),
    sanitizeLine(reason),
  ];
  const rows = hosts.flatMap((one) => [
    row(one, 'all'),
    ...reasons.filter(({ host }) => host === one.host).map((part) => row(part, part.reason)),
  ]);
  const runs = hooks.map(({ reason, program, runs, failed }) => [
    safe`${runs}`,
    safe`${failed}`,
    sanitizeLine(program),
    sanitizeLine(reason),
  ]);
  const parts = [tableText(sumColumns, rows, columns), tableText(runColumns, runs, columns)];
  if (lost > 0) parts.push(`${counted(lost, 'line')} could not be written.\n`);
  return parts.filter((part) => part !== '').join('\n');
}

/**
 * Finds the files of the account for a command that only reads them: the server is not asked, and neither is the keyring
 * where config.toml names the account.
 * @throws ExitError (3) where there is no account whose files could be found
 */
async function findDirectories(environment: Environment, options: AccountOptions): Promise<ProfileDirectories> {
  const insecureHttp = options.insecureHttp === true;
  const wanted = { environment, paths: currentPaths(), insecureHttp, keyring: systemKeyring, needsToken: false };
  const { directories, checks } = await inspectAccount(wanted);
  if (directories !== null) return directories;
  const why = checks.find(({ verdict }) => verdict === 'wrong')?.text;
  throw new ExitError(
    exitCodes.notSignedIn,
    why === undefined ? notSignedInText : `not signed in: ${why}; see msg-tui doctor`,
  );
}
