/** `msg-tui keys`: the key table, from the one command table. */
import { formatKeys, type KeysFormat } from '../commands/help.ts';
import { plain, plainJson } from './ascii-output.ts';
import { ExitError, exitCodes } from './exit.ts';

const formats: readonly KeysFormat[] = ['text', 'markdown', 'json'];

/** @throws ExitError for an unknown format */
export function printKeys(format: string): void {
  const known = formats.find((name) => name === format);
  if (known === undefined)
    throw new ExitError(exitCodes.usage, `there is no format "${format}"; use ${formats.join(', ')}`);
  const keys = formatKeys(known);
  process.stdout.write(`${known === 'json' ? plainJson(keys) : plain(keys)}\n`);
}
