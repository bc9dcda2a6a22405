/** `msg-tui bug` prints a report without anything private, and writes it into a folder when the user agrees. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Environment } from '../../config/environment.ts';
import { systemCause } from '../../config/errors.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths } from '../../config/paths.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { isYes } from '../input/answer.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { accountEnvironment } from '../sign-in/chosen-profile.ts';
import { withTokenWarning } from '../sign-in/token-warning.ts';
import { bugReport, type ReportFile } from './bug-report.ts';

export interface BugOptions extends AccountOptions {
  readonly output: string;
  readonly yes?: boolean;
}

/** The terminal on which the user is asked; tests give another one. */
export interface ReportAsker {
  readonly isTty: boolean;
  readonly write: (text: string) => void;
  readonly remark: (text: string) => void;
  readonly ask: (question: string) => Promise<string>;
}

/** @throws ExitError when the folder cannot be written */
export async function reportBug(options: BugOptions, asker: ReportAsker = thisTerminal()): Promise<void> {
  const environment = accountEnvironment(options);
  const remark = (line: SafeText): void => asker.remark(`msg-tui: ${line}`);
  await withTokenWarning(environment.tokenWarning, () => printAndWrite(environment, options, asker), remark);
}

async function printAndWrite(environment: Environment, options: BugOptions, asker: ReportAsker): Promise<void> {
  const insecureHttp = options.insecureHttp === true;
  const now = Date.now();
  const files = await bugReport({ environment, paths: currentPaths(), insecureHttp, keyring: systemKeyring }, now);
  for (const { name, text } of files) asker.write(`==> ${name} <==\n${text}\n`);
  const folder = join(options.output, `msg-tui-report-${new Date(now).toISOString().replaceAll(/\..*|[-:]/g, '')}`);
  if (options.yes !== true && !asker.isTty)
    return asker.remark(`Nothing was written. With --yes this report is written to ${folder}.`);
  if (options.yes !== true && !isYes(await asker.ask(`Write this report to ${folder}? [y/N] `)))
    return asker.remark('Nothing was written.');
  write(folder, files);
  asker.remark(`The report is in ${folder}. Nothing was sent.`);
}

function write(folder: string, files: readonly ReportFile[]): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, text } of files) writeFileSync(join(folder, name), text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new ExitError(exitCodes.failure, `the report cannot be written to ${folder}: ${systemCause(error)}`);
  }
}

const thisTerminal = (): ReportAsker => ({
  isTty: process.stdin.isTTY === true && process.stdout.isTTY === true,
  write: (text) => void process.stdout.write(text),
  remark: (text) => void process.stderr.write(`${forLocale(sanitizeLine(text))}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and the end of the input are no answer.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    try {
      return await Promise.race([lines.question(forLocale(sanitizeLine(question))).catch(() => ''), closed]);
    } finally {
      lines.close();
    }
  },
});
