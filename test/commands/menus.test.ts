import { describe, expect, test } from 'vitest';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const onMessage = () =>
  world(
    chat(
      { focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm2' }]]) },
      { me: { contactId: 'me', username: 'me' } },
    ),
  );

describe('the menu of a message', () => {
  test('opens with Enter and has every action, its key, and why it cannot be used', () => {
    const { press, state } = onMessage();
    press('enter');
    expect(topOverlay(state())).toMatchObject({ kind: 'menu', id: 'message', itemId: 'm2' });
    const rows = new Map(selectMenuRows(state()).map((row) => [row.id, row]));
    expect(rows.get('message.reply')).toMatchObject({ key: 'r', reason: null });
    expect(rows.get('message.copy')).toMatchObject({ key: 'y', reason: null });
    expect(rows.get('message.discard')?.reason).not.toBe(null);
    expect(rows.get('message.openLink')?.reason).toMatch(/^There is no link and no attachment/);
  });

  test('shows the keys of the profile, and accepts the standard letters if those are no letters', () => {
    const { press, state, update } = onMessage();
    update((held) => ({ ...held, settings: { ...held.settings, keys: { ...held.settings.keys, profile: 'vim' } } }));
    press('enter');
    const row = selectMenuRows(state()).find(({ id }) => id === 'message.react');
    expect(row).toMatchObject({ key: 'g r', otherKey: 'a' });
    press('a');
    expect(topOverlay(state())).toMatchObject({ kind: 'reaction-picker' });
  });

  test('replies with Enter twice, as the most frequent action comes first', () => {
    const { press, state } = onMessage();
    press('enter');
    const ids = selectMenuRows(state()).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['message.reply', 'message.react']);
    expect(ids.indexOf('message.raw')).toBeGreaterThan(ids.indexOf('message.copy'));
  });

  test('runs a row and closes with its key, or with arrows and Enter', () => {
    const byKey = onMessage();
    byKey.press('enter', 'y');
    expect([topOverlay(byKey.state()), byKey.calls.at(-1)?.startsWith('copy')]).toEqual([null, true]);
    const byArrows = onMessage();
    byArrows.press('enter');
    const index = selectMenuRows(byArrows.state()).findIndex(({ id }) => id === 'message.copy');
    byArrows.press(...Array<string>(index).fill('down'), 'enter');
    expect(byArrows.calls.at(-1)).toBe(byKey.calls.at(-1));
  });

  test('keeps the row that was chosen when other rows change their places', () => {
    const { press, state, update, calls } = onMessage();
    press('enter');
    const index = selectMenuRows(state()).findIndex(({ id }) => id === 'message.copy');
    press(...Array<string>(index).fill('down'));
    update((held) => ({ ...held, view: { ...held.view, isArchive: true } }));
    expect(selectMenuRows(state()).findIndex(({ id }) => id === 'message.copy')).toBeLessThan(index);
    press('enter');
    expect(calls.at(-1)).toMatch(/^copy /);
  });

  test('says why a disabled row cannot be used, until another command runs, and stays open', () => {
    const { press, notice, state } = onMessage();
    press('enter', 'D');
    expect(topOverlay(state())?.kind).toBe('menu');
    expect(notice()).not.toBe(undefined);
    press('escape', 'j');
    expect(notice()).toBe(undefined);
  });

  test('acts on the waiting message that it was opened for, by key or right button', () => {
    const op = (uuid: string, seq: number) =>
      eg.op({ kind: 'message.send', conversationId: 'with ann', text: uuid }, { uuid, seq, state: 'failed' });
    const waiting = () =>
      world(
        chat(
          { focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'op:u1' }]]) },
          { outbox: [op('u1', 1), op('u2', 2)] },
        ),
      );
    const byKey = waiting();
    byKey.press('enter', 'D');
    const byMouse = waiting();
    byMouse.rightClick({ kind: 'message', messageId: 'op:u1' });
    byMouse.press('D');
    expect([byKey.calls, byMouse.calls]).toEqual([['discard "u1"'], ['discard "u1"']]);
    const moved = waiting();
    moved.press('enter');
    moved.update(selectMessage('with ann', 'op:u2'));
    moved.press('D');
    expect([topOverlay(moved.state()), moved.calls]).toEqual([null, []]);
  });

  test('ignores a key that no row has', () => {
    const { press, state, actions } = onMessage();
    press('enter', 'q');
    expect([topOverlay(state())?.kind, actions]).toEqual(['menu', []]);
  });
});

test('the right button opens the menu of views on their name, and runs no other key that is drawn', () => {
  const here = onMessage();
  here.rightClick({ kind: 'command', id: 'message.send' });
  expect(topOverlay(here.state())).toBe(null);
  here.rightClick({ kind: 'command', id: 'list.views' });
  expect(topOverlay(here.state())).toMatchObject({ kind: 'menu', id: 'views' });
});
