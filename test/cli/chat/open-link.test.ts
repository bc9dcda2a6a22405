import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openLink } from '../../../src/cli/chat/open-link.ts';

test('without a desktop no program is started', async () => {
  const tell = vi.fn();
  await openLink('https://a.example', { hasDesktop: false }, tell);
  expect(tell.mock.calls).toEqual([['no desktop']]);
});

function set(variable: 'PATH' | 'BROWSER', value: string): void {
  const before = process.env[variable];
  process.env[variable] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  });
}

test.runIf(process.platform === 'linux')(
  'without a program that opens addresses it fails, and nothing is thrown',
  async () => {
    set('PATH', '/nowhere');
    const tell = vi.fn();
    await openLink('https://a.example', { hasDesktop: true }, tell);
    await vi.waitFor(() => expect(tell).toHaveBeenLastCalledWith('failed'), 10_000);
  },
);

test.runIf(process.platform === 'linux')('a program that fails after a while is not taken for a browser', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'msg-tui-opener-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  writeFileSync(join(bin, 'slow'), '#!/bin/sh\nsleep 2\nexit 4\n');
  chmodSync(join(bin, 'slow'), 0o755);
  // `xdg-open` goes through the browsers named here.
  set('BROWSER', join(bin, 'slow'));
  const tell = vi.fn();
  await openLink('https://a.example', { hasDesktop: true }, tell);
  await vi.waitFor(() => expect(tell.mock.calls).toEqual([['opened'], ['failed']]), 15_000);
});
