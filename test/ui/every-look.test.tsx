/** Every command in every key profile, theme, glyph set and size: the frame stays whole, and the keyboard comes back. */
import { beforeEach, expect, test } from 'vitest';
import { invoke } from '../../src/commands/invoke.ts';
import { commands, keymapFor } from '../../src/commands/table.ts';
import type { AppState, Focus } from '../../src/state/model/app-state.ts';
import type { KeyProfile } from '../../src/state/model/key-settings.ts';
import { width } from '../../src/text/unicode/width.ts';
import { chooseTheme } from '../../src/view/theme-choice.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';
import { campaignPart } from '../support/campaigns/partition.ts';
import { type Stage, stage } from './stage.tsx';

beforeEach(eg.restart);

const profiles: readonly KeyProfile[] = ['standard', 'vim', 'emacs'];
const themeNames = ['dark', 'light', 'high-contrast', 'colour-blind', 'ansi', 'none'];
const sizes = [
  [40, 10],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;
const looks = profiles.flatMap((profile) =>
  themeNames.flatMap((theme) =>
    [false, true].flatMap((ascii) => sizes.map(([columns, rows]) => ({ profile, theme, ascii, columns, rows }))),
  ),
);
type LookOf = (typeof looks)[number];

const stateIn = ({ profile, columns, rows }: LookOf, focus: Focus) => {
  const places = new Map([['c-ann', { scroll: { at: 'bottom' as const }, selectedId: 'a4' }]]);
  const state = scene({ focus, size: { columns, rows }, ...(focus === 'messages' && { places }) });
  return { ...state, settings: { ...state.settings, keys: { ...state.settings.keys, profile } } };
};

const themeOf = ({ theme }: LookOf) => chooseTheme(theme, null, { depth: 'truecolor', background: 'dark' });

function expectWhole(app: Stage, { columns, rows }: LookOf, what: string): void {
  const lines = app.frame().split('\n');
  expect(lines.length, what).toBeLessThanOrEqual(rows);
  const tooWide = lines.filter((line) => width(line as never) > columns);
  expect(tooWide, what).toEqual([]);
}

/** Runs the command, types a letter, and goes back with Escape. Returns the overlay that it opened. */
function walkThrough(app: Stage, id: string, look: LookOf, base: AppState): string | null {
  const command = commands.find((one) => one.id === id);
  if (command === undefined) return null;
  app.store.setState(() => base);
  const what = `${id} in ${JSON.stringify(look)}, focus ${base.screen.focus}`;
  if (!invoke(app.context, command)) return null;
  expectWhole(app, look, what);
  const opened = app.store.getState().screen.overlays.at(-1);
  if (opened === undefined) return null;
  app.type('e');
  expectWhole(app, look, `${what}, and typed`);
  for (let presses = 0; presses < 6 && app.store.getState().screen.overlays.length > 0; presses++) app.press('escape');
  expect(app.store.getState().screen.overlays, `${what} does not close`).toEqual([]);
  return opened.kind;
}

const focuses = ['list', 'messages', 'composer'] as const;

test.each(campaignPart(looks, 29))(
  'no row is wrong with $profile keys, $theme, ASCII: $ascii, $columns × $rows',
  (look) => {
    const app = stage(stateIn(look, 'composer'), 1_000, { theme: themeOf(look), ascii: look.ascii });
    expectWhole(app, look, 'at the start');
    const opened = new Set<string | null>();
    for (const focus of focuses) {
      const base = stateIn(look, focus);
      for (const { id } of commands) opened.add(walkThrough(app, id, look, base));
      app.store.setState(() => base);
      expectWhole(app, look, 'at the end');
    }
    expect(opened.size).toBeGreaterThan(18);
  },
  60_000,
);

test.each(profiles)('in the %s profile each command that has keys is found by them', (profile) => {
  const keymap = keymapFor({ profile, bind: {}, macros: {} });
  const lost = commands.filter(({ id, where, keys }) => {
    const bound = keymap.keysOf(id);
    return keys.length > 0 && bound.length > 0 && !bound.some((key) => keymap.find(where, key)?.command.id === id);
  });
  expect(lost.map(({ id }) => id)).toEqual([]);
});
