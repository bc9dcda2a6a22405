/** Writes the error of a command to stderr: one line for people, or a JSON document where --json was given. */
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type ExitCode, ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { jsonDocument } from './print.ts';

/**
 * The most characters of the line: more than a sentence of the server (200) has with the longest text around it, which ends
 * with what to do.
 */
const longestMessage = 1_000;

/** The `code` of the error in JSON; an `ExitError` may name a more exact one. */
const codeNames: Readonly<Record<ExitCode, string>> = {
  [exitCodes.ok]: 'ok',
  [exitCodes.failure]: 'failure',
  [exitCodes.usage]: 'usage',
  [exitCodes.notSignedIn]: 'not_signed_in',
  [exitCodes.notReached]: 'not_reached',
  [exitCodes.notFound]: 'not_found',
  [exitCodes.forbidden]: 'forbidden',
  [exitCodes.interrupted]: 'interrupted',
  [exitCodes.terminated]: 'terminated',
};

/** Whether the command line asks for JSON: after `--` everything is text. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

/** The text for stderr; '' for an error whose line is written already. */
export function errorText(error: unknown, isJson: boolean): string {
  const message = sanitizeLine(messageOf(error).slice(0, longestMessage));
  if (message === '') return '';
  const { code, details }: Pick<ExitError, 'code' | 'details'> =
    error instanceof ExitError ? error : { code: exitCodes.failure, details: {} };
  const { name, candidates, ...fields } = details;
  if (isJson) {
    const among = candidates === undefined ? {} : { candidates };
    return jsonDocument({ error: { code: name ?? codeNames[code], message, ...among, ...fields } });
  }
  const warned = fields.warnings?.map((text) => `msg-tui: ${sanitizeLine(text)}\n`) ?? [];
  const lines = candidates?.map((one) => `  ${sanitizeLine(one.id)}  ${sanitizeLine(one.name)}\n`) ?? [];
  return `${warned.join('')}msg-tui: ${message}\n${lines.join('')}`;
}
