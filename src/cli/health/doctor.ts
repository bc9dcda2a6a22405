/**
 * `msg-tui doctor` checks the account, the server, the files and the terminal; `msg-tui status` prints the account and what
 * waits.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { createRedact } from '../../api/http/redact.ts';
import type { AccountFlags } from '../../config/account-flags.ts';
import { loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths } from '../../config/paths.ts';
import type { CapabilityName } from '../../protocol/capabilities.ts';
import { openOutbox } from '../../storage/outbox/open.ts';
import { sectionOf } from '../output/check.ts';
import { jsonDocument } from '../output/print.ts';
import { forLocale, jsonForLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { accountEnvironment } from '../sign-in/chosen-profile.ts';
import { type AccountFacts, type InspectionOptions, inspectAccount } from './account.ts';
import { capabilityNames, learnedLines } from './capability-words.ts';
import { inspectFiles } from './files.ts';
import { freshnessCheck, readFreshness } from './freshness.ts';
import { inspectKeys } from './keys.ts';
import { inspectProgram, inspectTerminal } from './machine.ts';
import { inspectNotifications } from './notifications.ts';
import { isHealthy, type Report, reportJson, reportText, summary } from './report.ts';
import { askServer } from './server.ts';
import { inspectStores } from './stores.ts';
import { findUnsentElsewhere } from './unsent-elsewhere.ts';

export interface DoctorOptions extends AccountFlags {
  readonly json?: boolean;
  readonly offline?: boolean;
  readonly insecureHttp?: boolean;
  /** Tries every kind of notification and saves which one the user has seen. */
  readonly notify?: boolean;
  /** Asks for the keys that terminals lose and saves which of them did not arrive. */
  readonly keys?: boolean;
  /** `--forget [capability...]`: true when none is named. */
  readonly forget?: true | readonly string[];
}

/** Checks and changes nothing; with `forget`, `notify` or `keys`, does that alone. Sets the process exit code. */
export async function runDoctor(options: DoctorOptions): Promise<void> {
  if (options.forget !== undefined) return forget(options, options.forget === true ? null : options.forget);
  const context = contextOf(options);
  if (options.notify === true) {
    const { tryNotifications } = await import('./try-notifications.ts');
    return tryNotifications(context.environment, context.paths.state);
  }
  if (options.keys === true) {
    const { tryKeys } = await import('./try-keys.ts');
    return tryKeys(context.environment, context.paths.state);
  }
  const { report, account } = await diagnose(context, options);
  print(report, account, options);
  if (options.json !== true) process.stdout.write(`\n${summary(report)}\n`);
  if (!isHealthy(report)) process.exitCode = exitCodes.failure;
}

/** Makes all checks, and changes nothing. */
export async function diagnose(
  context: InspectionOptions,
  { offline }: Pick<DoctorOptions, 'offline'>,
): Promise<{ readonly report: Report; readonly account: AccountFacts }> {
  const account = await inspectAccount(context);
  const stores = inspectStores(account.directories);
  const checks = [
    ...inspectProgram(),
    ...account.checks,
    ...(offline === true ? notAsked(account) : await askServer(account, context)),
    ...inspectFiles(context.paths, account.directories),
    ...stores.outbox,
    ...(await findUnsentElsewhere(context.paths, account.directories)),
    ...stores.cache,
    ...inspectTerminal(context.environment, sizeOfOutput()),
    await inspectNotifications(context.environment, context.paths),
    ...(await inspectKeys(context.environment, context.paths)),
  ];
  const learned = account.server === null ? null : learnedLines(stores.capabilities);
  return { report: { checks, learned }, account };
}

export async function runStatus(options: Omit<DoctorOptions, 'offline' | 'forget'>): Promise<void> {
  const context = contextOf(options);
  const account = await inspectAccount({ ...context, needsProfile: true });
  const freshness = await readFreshness(account.directories?.cache ?? null);
  const age = account.directories === null ? [] : [freshnessCheck(freshness)];
  const elsewhere = await findUnsentElsewhere(context.paths, account.directories);
  const files = inspectFiles(context.paths, account.directories).filter(({ verdict }) => verdict === 'wrong');
  const keys = (await inspectKeys(context.environment, context.paths)).filter(({ verdict }) => verdict === 'note');
  const stores = inspectStores(account.directories).outbox;
  const checks = [...account.checks, ...files, ...stores, ...elsewhere, ...keys, ...age];
  const report: Report = { checks, learned: null, freshness };
  print(report, account, options);
  const isUnreadable = account.checks.some(({ name, verdict }) => name === 'settings' && verdict === 'wrong');
  const isSignedIn = account.server !== null && account.token !== null;
  if (!isSignedIn && !isUnreadable) process.exitCode = exitCodes.notSignedIn;
  else if (!isHealthy(report)) process.exitCode = exitCodes.failure;
}

function contextOf({ insecureHttp, ...flags }: DoctorOptions): InspectionOptions {
  const environment = accountEnvironment(flags);
  return { environment, paths: currentPaths(), insecureHttp: insecureHttp === true, keyring: systemKeyring };
}

const notAsked = ({ server }: AccountFacts) =>
  server === null ? [] : [sectionOf('Server').ok('reached', 'not asked (--offline)')];

const usualColumns = 80;

function print(report: Report, { token }: AccountFacts, { json }: Pick<DoctorOptions, 'json'>): void {
  const redact = createRedact(token ?? '');
  const forPeople = (text: string): string => withTilde(redact(text));
  const columns = Math.min(sizeOfOutput()?.columns || usualColumns, 120);
  process.stdout.write(
    json === true ? jsonForLocale(reportJson(report, redact)) : reportText(report, forPeople, columns, forLocale),
  );
}

/** Shortens the home directory to `~`. */
function withTilde(text: string): string {
  const home = homedir();
  return home.length > 1 ? text.replaceAll(`${home}${sep}`, `~${sep}`) : text;
}

function sizeOfOutput() {
  const { isTTY, columns, rows } = process.stdout;
  return isTTY === true ? { columns, rows } : null;
}

/**
 * Removes learned capabilities from the outbox, in one transaction. A running program notices that and learns them again. A
 * file that is damaged or of a later version is left as it is.
 */
async function forget(options: DoctorOptions, names: readonly string[] | null): Promise<void> {
  const known = names?.map(knownCapability) ?? null;
  // An invalid config.toml ends this command, as it ends others: that is not a missing account.
  await loadConfig(currentPaths().configFile);
  const { directories } = await inspectAccount({ ...contextOf(options), needsToken: false });
  if (directories === null)
    throw new ExitError(
      exitCodes.notSignedIn,
      'there is no account whose server could be forgotten; see msg-tui doctor',
    );
  const { outbox, awaitsStart } = inspectStores(directories);
  const problem = outbox.find(({ name, verdict }) => name === 'outbox.db' && verdict === 'wrong');
  if (problem !== undefined)
    throw new ExitError(exitCodes.failure, `nothing was forgotten: outbox.db: ${problem.text}`);
  if (awaitsStart)
    throw new ExitError(
      exitCodes.failure,
      'nothing was forgotten: outbox.db has an earlier version; start msg-tui once to upgrade it',
    );
  const forgotten = existsSync(join(directories.data, 'outbox.db')) ? forgetIn(directories.data, known) : [];
  if (options.json === true) process.stdout.write(jsonForLocale(jsonDocument({ forgotten })));
  else process.stdout.write(forgotten.length === 0 ? 'Nothing to forget.\n' : `Forgotten: ${forgotten.join(', ')}.\n`);
}

/** Returns the capabilities that were removed. @param names null: all */
function forgetIn(directory: string, names: readonly CapabilityName[] | null): readonly CapabilityName[] {
  try {
    const outbox = openOutbox(directory, { role: 'reader' });
    try {
      const held = Object.keys(outbox.load().capabilities) as CapabilityName[];
      const known = held.filter((name) => names?.includes(name) ?? true);
      outbox.saveRecords(known.map((name) => ['capabilities', name, null]));
      return known;
    } finally {
      outbox.close();
    }
  } catch (error) {
    const cause = messageOf(error);
    throw new ExitError(exitCodes.failure, `nothing was forgotten: ${cause}`);
  }
}

function knownCapability(name: string): CapabilityName {
  const known = capabilityNames.find((capability) => capability === name);
  if (known !== undefined) return known;
  throw new ExitError(exitCodes.usage, `there is no capability "${name}"; there are ${capabilityNames.join(', ')}`);
}
