/** Notices name the keys of the profile and the bindings that are in force, not those of the standard keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { footerHints } from '../../src/commands/footer.ts';
import { redoAdvice, undoAdvice, withKey } from '../../src/commands/key-advice.ts';
import { keymapOf } from '../../src/commands/table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import { settingsNote } from '../../src/view/settings.ts';
import * as eg from '../support/builders/eg.ts';
import { page } from './settings-page.ts';
import { chat, world } from './world.ts';

const source = new URL('../../src/', import.meta.url).pathname;

/** Ctrl-C always reaches the program, whatever is bound; the paste that has not ended takes no other key. */
const fixed = new Set(['Ctrl-C']);

/** What names keys before an account is open, where no binding counts, or in the terminal outside of the chat. */
const outside = new Set([
  'ui/welcome.tsx', // the welcome screen and the sign-in have fixed keys
  'cli/health/try-keys.ts', // asks for keys of the terminal
  'commands/label.ts', // makes the names
  'commands/key-names.ts', // reads the names
]);

const folders = ['commands', 'state', 'view', 'ui', 'cli', 'sync', 'config'];

const files = folders.flatMap((folder) =>
  readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

/** A chord, a function key, or a single character that is said to do something: `z undoes it`. */
const keyName =
  /(?:Ctrl|Alt|Shift)-(?:[A-Za-z]\b|[↑↓←→])|\bF\d{1,2}\b|(?:[;:,.] |^['"`])[b-zA-HJ-Z] (?:undoes|does|turns|puts|brings|shows|opens|selects|edits|sends|takes|quits|asks|has)\b/g;

function namedIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    const strings = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?/g) ?? [];
    return strings
      .flatMap((string) => [...string.matchAll(keyName)].map(([name]) => name))
      .filter((name) => !fixed.has(name));
  });
}

describe('texts for the user', () => {
  test('names of keys are found in the sources', () => {
    expect(namedIn("notify(context, 'Archived; z undoes it');")).toEqual(['; z undoes']);
    expect(namedIn("  'Alt-m turns it on',")).toEqual(['Alt-m']);
    expect(namedIn("  'F5 asks it again',")).toEqual(['F5']);
    expect(namedIn("  'Press Ctrl-C again; Enter, Esc, Tab, Backspace, ↑ and ↓ never change',")).toEqual([]);
    expect(namedIn('/** `z undoes it` */')).toEqual([]);
  });

  test.each(files.filter((file) => !outside.has(file)))('%s names no fixed key', (file) => {
    expect(namedIn(readFileSync(join(source, file), 'utf8'))).toEqual([]);
  });
});

describe('a text that asks for a key again', () => {
  const bound = (state: AppState): AppState => ({
    ...state,
    settings: {
      ...state.settings,
      keys: { ...standardKeys, bind: { 'message.send': ['f9'], 'text.newline': ['enter'], 'layer.back': ['f10'] } },
    },
  });

  test('names the key that sends', () => {
    const { type, press, notice } = world(bound(chat()));
    type('/nosuch');
    press('f9');
    expect(notice()).toBe('There is no command /nosuch. F9 again sends it as text');
  });

  test('does not hold back Enter if it is the key for a new line', () => {
    const { type, press, draft } = world(bound(chat({ focus: 'list' })));
    type('hello there', 50);
    press('enter');
    expect(draft().text).toBe('hello there\n');
  });

  test('names the current keys of the settings and of forwarding', () => {
    const tried = { theme: 'dark' };
    const shown = { kind: 'settings', typed: '', selected: 0, page, tried, before: {}, remark: null } as const;
    const hints = footerHints(bound(pushOverlay(shown)(chat())), keymapOf(bound(chat())));
    expect(settingsNote(shown, hints)).toBe('One value is tried and not saved: Enter saves, F10 goes back.');
  });
});

describe('advice', () => {
  const keys = (bound: Readonly<Record<string, string>>) => ({
    get: () => chat(),
    keyOf: (id: string) => bound[id] ?? '',
  });

  test('names the key that is set', () => {
    expect(undoAdvice(keys({ 'list.undo': 'u' }))).toBe('u undoes it');
    expect(redoAdvice(keys({ 'list.redo': 'Ctrl-R' }))).toBe('Ctrl-R does it again');
  });

  const vim = { ...eg.state().settings.keys, profile: 'vim' } as const;

  test.each([
    ['standard', {}, 'z undoes it'],
    ['vim', { keys: vim }, 'u undoes it'],
  ])('names the key of the list in the list, with the %s keys', (_, settings, advice) => {
    const state = chat({ focus: 'list' });
    const w = world({ ...state, settings: { ...state.settings, ...settings } });
    w.run('conversation.pin');
    expect(w.notice()).toBe(`Pinned; ${advice}`);
    w.run('conversation.read');
    w.run('list.readAll');
    expect(w.notice()).toBe(`Marked 1 conversation read here; ${advice.replace('it', 'one after the other')}`);
  });

  test('names a key that works in the focused pane: no letter in the composer, the key of the messages in them', () => {
    const inComposer = world(chat());
    inComposer.rightClick({ kind: 'conversation', conversationId: 'crew' });
    inComposer.press('p');
    expect(inComposer.notice()).toBe('Pinned; /undo undoes it');
    const inMessages = world(chat({ focus: 'messages' }));
    inMessages.run('conversation.pin');
    expect(inMessages.notice()).toBe('Pinned; z undoes it');
  });

  test('names the slash command, or nothing, if the command has no key', () => {
    expect(undoAdvice(keys({}))).toBe('/undo undoes it');
    expect(redoAdvice(keys({}))).toBe('/redo does it again');
    expect(withKey(keys({}), 'text.yank', (key) => `; ${key} brings it back`)).toBe('');
  });
});
