/** What leaves the program other than to the server: a text to the clipboard, an address to the browser. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { copiedIn } from '../support/terminals/own-output.ts';
import { seed } from './cast.ts';

/** With ann's message selected, `copies` to be made, and a desktop whose opener writes down what it is given. */
async function reading(
  text: string,
  { copies = 0, exitCode = 0, env = {} }: { copies?: number; exitCode?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Journey & { readonly opened: string }> {
  const j = await journey({ seed, start: false, copies });
  const bin = join(j.folder, 'bin');
  const opened = join(j.folder, 'opened');
  mkdirSync(bin, { recursive: true });
  const opener = `env > '${opened}.env'\nprintf '%s\\n' "$@" > '${opened}'\nexit ${exitCode}`;
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n${opener}\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  await j.server.as('ann').send('me', text);
  j.start({ DISPLAY: ':0', WAYLAND_DISPLAY: undefined, PATH: `${bin}:${process.env.PATH}`, ...env });
  await j.open('ann');
  await j.see('see https');
  j.press('focus.previous', 'message.last');
  return Object.assign(j, { opened });
}

test('y copies only the text, with control characters as visible ones', async () => {
  const j = await reading('see https://a.example \x1b]52;c;ZXZpbA==\x07 twice', { copies: 1 });
  j.press('message.copy');
  await j.see('Link: https://a.example/');
  j.press('message.copy');
  await j.see('Copied the text');
  expect(copiedIn(j.tui.output())).toEqual(['see https://a.example ␛]52;c;ZXZpbA==␇ twice']);
});

const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe.runIf(process.platform === 'linux')('o', () => {
  test('asks, and passes the address to a program as one argument, without the token', async () => {
    const j = await reading('see https://a.example/x?y=$(id)');
    j.press('message.openLink');
    await j.see('Open in the browser?');
    expect(existsSync(j.opened)).toBe(false);
    j.press('link.open');
    await j.see('Handed to the browser');
    await expect.poll(() => readIfThere(j.opened)).toBe('https://a.example/x?y=$(id)\n');
    expect(readFileSync(`${j.opened}.env`, 'utf8')).not.toContain(j.server.me.token);
  });

  const failures = [
    ['no browser is found', {}, 'No browser took it; the address is copied'],
    ['there is no desktop', { DISPLAY: undefined }, 'There is no desktop here; the address is copied'],
  ] as const;

  test.each(campaignPart(failures, 2))('copies the address if %s', async (_, env, said) => {
    const j = await reading('see https://a.example/x', { copies: 1, exitCode: 3, env });
    j.press('message.openLink');
    await j.see('Open in the browser?');
    j.press('link.open');
    await j.see(said);
    expect(copiedIn(j.tui.output())).toEqual(['https://a.example/x']);
  });
});
