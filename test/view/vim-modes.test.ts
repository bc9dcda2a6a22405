/** What the composer shows of vim's modes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newVim, pressVim } from '../../src/state/composer/vim/vim.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import type { Vim } from '../../src/state/model/vim.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, keyOf: () => 'Esc' });

function withVim(text: string, vim: Partial<Vim>, columns = 80): AppState {
  const state = scene({ size: { columns, rows: 24 } });
  return {
    ...state,
    settings: { ...state.settings, keys: { ...standardKeys, profile: 'vim' } },
    local: { ...state.local, drafts: new Map([['c-ann', { ...eg.draft(text), cursor: text.length }]]) },
    view: { ...state.view, vim: { ...newVim('c-ann'), ...vim } },
  };
}

const pending = (keys: string): Partial<Vim> => ({
  mode: 'normal',
  pending: { ...newVim('c-ann').pending, keys },
});

const around = { columns: 80, clipboard: '' };

const borderOf = (state: AppState): string => picture(panes, state).find((row) => row.includes('To Ann')) ?? '';

describe('the border', () => {
  test('names the mode and the keys of a command that is not complete', () => {
    expect(borderOf(withVim('one', {}))).toContain(' INSERT · To Ann');
    expect(borderOf(withVim('one', { mode: 'normal' }))).toContain(' NORMAL · To Ann');
    const { vim: replacing } = pressVim({ ...newVim('c-ann'), mode: 'normal' }, eg.draft('one'), 'R', around) ?? {};
    expect(borderOf(withVim('one', replacing ?? {}))).toContain(' REPLACE · To Ann');
    expect(borderOf(withVim('one', pending('2d')))).toContain(' NORMAL 2d · To Ann');
    expect(borderOf(withVim('one', { mode: 'visual-line' }))).toContain(' VISUAL LINE · To Ann');
  });

  test('names no mode with other keys, and none while another pane has the focus', () => {
    const state = withVim('one', { mode: 'normal' });
    const standard = { ...state.settings, keys: standardKeys };
    expect(borderOf({ ...state, settings: standard })).not.toContain('NORMAL');
    expect(borderOf({ ...state, screen: { ...state.screen, focus: 'messages' } })).not.toContain('NORMAL');
  });

  test('says that an edit is left by a second Esc', () => {
    const editing = { messageId: 'm1', base: 'one' };
    const state = withVim('one', {});
    const drafts = new Map([['c-ann', { ...eg.draft('one'), editing }]]);
    const rows = picture(panes, { ...state, local: { ...state.local, drafts } });
    expect(rows.join('\n')).toContain('INSERT · Editing · Esc Esc to cancel');
  });

  test('leaves the key out where it has no room for it beside the rows out of sight', () => {
    const text = 'one\n'.repeat(20);
    const editing = { messageId: 'm1', base: 'one' };
    const state = withVim(text, { mode: 'visual-line' });
    const drafts = new Map([['c-ann', { ...eg.draft(text), editing }]]);
    const rows = picture(panes, { ...state, local: { ...state.local, drafts } });
    expect(rows.find((row) => row.includes('more lines'))).toMatch(/VISUAL LINE · Editing ━+ ↑ \d+ more lines/);
  });
});

describe('the cursor', () => {
  test('is on the last character in normal mode, and after it in insert mode and where the line break is selected', () => {
    const [insert, normal] = [withVim('one', {}), withVim('one', { mode: 'normal' })];
    const at = (state: AppState): number => panes.cursor(state, panes.layout(state))?.x ?? -1;
    expect(at(insert) - at(normal)).toBe(1);
    expect(at(withVim('one', { mode: 'visual' }))).toBe(at(insert));
    expect([panes.cursorShape(insert), panes.cursorShape(normal)]).toEqual(['bar', 'block']);
    expect(panes.cursorShape(scene())).toBeNull();
  });

  test('in insert mode only, a character is drawn before its key is handled', () => {
    const [insert, normal] = [withVim('one', {}), withVim('one', { mode: 'normal' })];
    expect(panes.echoes(insert, panes.layout(insert))).not.toBeNull();
    expect(panes.echoes(normal, panes.layout(normal))).toBeNull();
  });
});

test('includes the character under it in the selection of visual mode', () => {
  const state = withVim('one two', { mode: 'visual', anchor: 4 });
  const rows = panes.rows('composer', state, panes.layout(state));
  const selected = rows.flatMap((row) => row.filter(({ style }) => style !== '' && style.includes('7')));
  expect(selected.map(({ text }) => text)).toContain('two');
});
