/** A token file that others can read, given to commands, which have no screen for a warning. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { withAccount } from '../../../src/cli/headless/account.ts';
import { unread } from '../../../src/cli/messages/unread.ts';
import type { Output } from '../../../src/cli/output/print.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import { printLedger } from '../../../src/cli/reports/ledger.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

let tokenFile: string;
let warning: string;

beforeEach(() => {
  const home = temporaryDirectory();
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
  for (const name of ['TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
  vi.stubEnv('MSG_TUI_SERVER', 'https://chat.example');
  tokenFile = join(home, 'token');
  writeFileSync(tokenFile, '0123456789');
  chmodSync(tokenFile, 0o644);
  warning = `other users of this machine can read the token in ${tokenFile}: chmod 600 it`;
});

afterEach(() => void vi.unstubAllEnvs());

function stderr(): () => string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.map(([text]) => String(text)).join('');
}

test.runIf(process.platform !== 'win32')(
  'a token file that others can read is reported after the output of a command',
  async () => {
    const printed = stderr();
    expect(await withAccount({ tokenFile }, async () => printed())).toBe('');
    expect(printed()).toBe(`msg-tui: ${warning}\n`);
  },
);

test.runIf(process.platform !== 'win32')(
  'a token file that others can read is a warning in the error of a command, and no line of its own',
  async () => {
    const printed = stderr();
    const ending = withAccount({ tokenFile }, async () => {
      throw new ExitError(5, 'there is no such conversation', { warnings: ['another'] });
    });
    await expect(ending).rejects.toMatchObject({ code: 5, details: { warnings: [warning, 'another'] } });
    expect(printed()).toBe('');
  },
);

test.runIf(process.platform !== 'win32')(
  'a token file that others can read is reported by the commands that read files alone, too',
  async () => {
    const remarks: string[] = [];
    const quiet = (): void => undefined;
    const output: Output = { text: quiet, json: quiet, remark: (line) => void remarks.push(line), columns: null };
    await unread({ tokenFile }, output);
    await printLedger({ tokenFile, since: 0, json: true }, output);
    expect(remarks).toEqual([warning, warning]);
  },
);
