/** Whatever config.toml and the environment hold, the chat comes up and types, or ends with the one line that says what to correct. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectConfig } from '../../src/config/file.ts';
import { isFullRun } from '../support/campaigns/partition.ts';
import { randomConfig } from '../support/campaigns/random-config.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const environment = fc.record(
  {
    MSG_TUI_THEME: fc.constantFrom('light', 'none', 'nope', ''),
    TERM: fc.constantFrom('xterm', 'linux', 'vt100', 'no-such-terminal', ''),
    LC_ALL: fc.constantFrom('C', 'de_DE.UTF-8', 'xx_YY.UTF-8'),
    TZ: fc.constantFrom('UTC', 'Asia/Kathmandu', 'No/Where'),
    COLORTERM: fc.constantFrom('truecolor', 'x'),
    COLORFGBG: fc.constantFrom('0;15', ';', 'x;y;z'),
    FORCE_COLOR: fc.constantFrom('0', '3', 'maybe'),
    NO_COLOR: fc.constantFrom('', '1'),
  },
  { requiredKeys: [] },
);
const setups = fc.sample(fc.tuple(randomConfig, environment), { numRuns: isFullRun ? 200 : 6, seed: 15 });
/** So many starts on one server. */
const startsEach = isFullRun ? 20 : 3;
const parts = Array.from({ length: Math.ceil(setups.length / startsEach) }, (_, n) => n);

test.each(parts)(
  'with random configurations, part %i, the chat opens and every key works, or one line says what is wrong',
  async (part) => {
    const j = await journey({ seed, start: false });
    const folder = join(j.folder, 'config', 'msg-tui');
    mkdirSync(folder, { recursive: true });
    for (const [text, env] of setups.slice(part * startsEach, (part + 1) * startsEach)) {
      writeFileSync(join(folder, 'config.toml'), text);
      j.start(env);
      await expectAlive(j, `${text}\n${JSON.stringify(env)}`, text);
    }
  },
);

async function expectAlive(j: Journey, text: string, file: string): Promise<void> {
  const found = await inspectConfig('config.toml', file).catch(() => null);
  const isUp = (): boolean => /No conversation is open|To \S+/.test(j.screen());
  await Promise.race([j.see(isUp), j.tui.exited]);
  if (!isUp()) {
    expect((await j.tui.exited).code, text).toBeGreaterThan(0);
    expect(j.screen().trim(), text).toMatch(/^msg-tui: .*config\.toml/s);
    expect(j.screen(), text).not.toMatch(/\n\s+at |internal error/);
    return;
  }
  // The first problem is named, and how many more there are.
  if ((found?.problems.length ?? 0) > 0) await j.see(/config\.toml|and \d+\s+more/);
  // Enter opens the selected conversation, once there is one.
  for (let press = 0; press < 60 && j.screen().includes('No conversation is open'); press++) {
    j.tui.press('enter');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await j.see(/To \S+/);
  // With the keys of vim the composer may be waiting for a command: `i` begins to write.
  j.type('iall keys live');
  await j.see('all keys live');
  for (let press = 0; press < 4 && j.tui.isAlternate(); press++) {
    j.tui.type('\x03');
    await Promise.race([j.tui.exited, new Promise((resolve) => setTimeout(resolve, 300))]);
  }
  expect((await j.tui.exited).code, text).toBe(0);
  expect(j.tui.modes(), text).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
}
