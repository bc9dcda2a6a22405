/** A terminal that does not know its size says that it has 0 columns: what is printed is as wide as usual then. */
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { runStatus } from '../../../src/cli/health/doctor.ts';
import { printKeys } from '../../../src/cli/help/keys.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = 0;
});

async function printed(act: () => Promise<void>): Promise<string> {
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 0 });
  onTestFinished(() => void Object.assign(process.stdout, { isTTY, columns }));
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  await act();
  return out;
}

test('status and keys print lines of the usual width', async () => {
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, temporaryDirectory());
  for (const name of ['SERVER', 'TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
  expect(await printed(() => runStatus({}))).toContain('-> run msg-tui login, or start msg-tui, whose first\n');
  expect(await printed(() => printKeys('text', 'standard'))).toMatch(
    /^ {2}F1 .*Help: search all commands and keys +help\.open$/m,
  );
});
