/** What a run has compiled is kept for the next ones of this version. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('compiled code is saved with the functions that were used up to the end, and then not written again', async () => {
  const j = await journey({ seed, compilesItself: true });
  const folder = join(j.folder, 'cache/msg-tui');
  const fileOf = (kind: string): string => {
    const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith(`${kind}-`) && !/\.\d+$/.test(entry));
    return name === '' ? '' : join(folder, name);
  };
  const file = (): string => fileOf('code');
  await j.see('Half of it');
  await expect.poll(file).not.toBe('');
  await expect.poll(() => fileOf('ui')).not.toBe('');
  const atFirst = statSync(file()).size;
  j.press('help.open');
  await j.see('Find: what it does');
  j.press('help.close');
  await j.gone('Find: what it does');
  expect((await j.quit()).code).toBe(0);
  expect(statSync(file()).size).toBeGreaterThan(atFirst);
  const kept = readFileSync(file());
  const inodes = ['code', 'ui'].map((kind) => statSync(fileOf(kind)).ino);
  j.start();
  await j.see('Half of it');
  await j.quit();
  expect(['code', 'ui'].map((kind) => statSync(fileOf(kind)).ino)).toEqual(inodes);
  expect(readFileSync(file()).equals(kept)).toBe(true);
});

/** Writes which of Node's modules are loaded between the first flag that the launcher sets and the first frame. */
const watchModules = `
  const fs = require('node:fs');
  const v8 = require('node:v8');
  const { setFlagsFromString } = v8;
  let before = null;
  v8.setFlagsFromString = (flag) => {
    before ??= new Set(process.moduleLoadList);
    setFlagsFromString(flag);
  };
  const { writeSync } = fs;
  fs.writeSync = function (...args) {
    if (before !== null && String(args[1]).includes('Conversations')) {
      const late = process.moduleLoadList.filter((name) => /^NativeModule (?!internal)/.test(name) && !before.has(name));
      before = null;
      fs.writeFileSync(process.env.LATE_MODULES, JSON.stringify(late));
    }
    return writeSync.apply(this, args);
  };`;

test("what the first frame needs of Node's own modules is loaded before the flags, which make loading slow", async () => {
  const j = await journey({ seed, start: false });
  const [hook, late] = ['hook.cjs', 'late.json'].map((name) => join(j.folder, name)) as [string, string];
  writeFileSync(hook, watchModules);
  j.start({ NODE_OPTIONS: `--require "${hook}"`, LATE_MODULES: late });
  await j.see('Half of it');
  await j.quit();
  expect(JSON.parse(readFileSync(late, 'utf8'))).toEqual([]);
});
