/** Whatever config.toml holds, reading it ends in settings and lines that name the problems. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SettingsFile } from '../../src/cli/config/settings-file.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { inspectConfig, problemLine } from '../../src/config/file.ts';
import { checkSetting, settingIds } from '../../src/config/settings-table.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { literal } from '../../src/text/safe-text.ts';
import { drawChoices } from '../../src/view/choices.ts';
import { unicodeSigns } from '../../src/view/glyph-set.ts';
import { settingChoices, settingsNote } from '../../src/view/settings.ts';
import { themes } from '../../src/view/theme.ts';
import { temporaryDirectory } from '../storage/builders.ts';
import { randomConfig } from '../support/campaigns/random-config.ts';

test('in 200 random files every setting is valid, or one clear line reports the problem', async () => {
  const property = fc.asyncProperty(randomConfig, async (text) => {
    const outcome = await inspectConfig('c', text).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome.name).toBe('ConfigError');
      expect(outcome.message).toMatch(/^c(:\d+)?: \S.*; correct this line$/);
      return;
    }
    const { problems, values } = outcome as Awaited<ReturnType<typeof inspectConfig>>;
    for (const problem of problems) expect(problemLine('c', problem)).toMatch(/^c(:\d+)?: \S.+$/);
    expect(Object.keys(values)).toEqual([...settingIds]);
    expect(values.undo_send_seconds).toBeGreaterThanOrEqual(0);
    expect(values.undo_send_seconds).toBeLessThanOrEqual(10);
  });
  await fc.assert(property, { numRuns: 200 });
});

test('for 200 random files the settings screen of the chat opens, and what is wrong is one line', async () => {
  const file = join(temporaryDirectory(), 'config.toml');
  const overlay = { kind: 'settings', typed: '', selected: 3, tried: {}, before: {}, remark: null } as const;
  const look = { theme: themes.none, signs: unicodeSigns };
  const property = fc.asyncProperty(randomConfig, async (text) => {
    writeFileSync(file, text);
    const page = await new SettingsFile(file, readEnvironment({})).read();
    expect(page.entries).toHaveLength(settingIds.length);
    expect(page.problem ?? 'one line').not.toMatch(/[\r\n]/);
    const rows = settingChoices({ ...overlay, page }, 74, look);
    const rect = { x: 0, y: 0, width: 74, height: 40 };
    const drawn = drawChoices({ rows, selected: overlay.selected, empty: literal('') }, rect, look);
    for (const row of drawn.rows) expect(rowWidth(row)).toBeLessThanOrEqual(74);
    for (const [index, id] of drawn.choices.ids.entries())
      if (id !== '') expect(rowWidth(drawn.rows[index] ?? [])).toBe(74);
    expect(settingsNote({ ...overlay, page }, [])).not.toContain('\n');
  });
  await fc.assert(property, { numRuns: 200 });
});

test('every problem is reported with its line and the key that was probably meant', async () => {
  const text = 'thme = "dark"\nmouse = "no"\nundo_send_seconds = 99\n[notify]\nmetod = "bell"\nresend = "ask"\n';
  const { problems } = await inspectConfig('c', text);
  expect(problems.map((problem) => problemLine('c', problem))).toEqual([
    'c:1: unknown key "thme"; did you mean theme?',
    'c:5: unknown key "metod"; did you mean method?',
    'c:6: unknown key "resend" in [notify]; move it above the first table',
    'c:3: undo_send_seconds must be a number from 0 to 10, as in undo_send_seconds = 5',
    'c:2: mouse must be true or false, as in mouse = false',
  ]);
});

test('every example is a valid value of its setting', async () => {
  const { parse } = await import('smol-toml');
  const { rowOf } = await import('../../src/config/settings-table.ts');
  for (const id of settingIds) {
    const { value } = parse(`value = ${rowOf(id).example}`);
    expect(checkSetting(id, value), id).toHaveProperty('value');
  }
});
