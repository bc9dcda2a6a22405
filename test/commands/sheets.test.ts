import { describe, expect, test } from 'vitest';
import { createHintSelector } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { chat, world } from './world.ts';

const onMessage = (id: string) => {
  const w = world(chat({ focus: 'messages' }));
  w.update(selectMessage('with ann', id));
  return w;
};

describe('the details of a message', () => {
  test('open with i, scroll within their rows, and close with i', () => {
    const w = onMessage('m3');
    w.press('i');
    expect(topOverlay(w.state())).toMatchObject({ kind: 'details', itemId: 'm3', scroll: 0, versions: null });
    w.press('up', 'j', 'j', 'k');
    expect(topOverlay(w.state())).toMatchObject({ scroll: 1 });
    w.press('G');
    const last = topOverlay(w.state());
    w.press('space', 'pagedown', 'down');
    expect(topOverlay(w.state())).toEqual(last);
    w.press('g');
    expect(topOverlay(w.state())).toMatchObject({ scroll: 0 });
    w.press('i');
    expect(topOverlay(w.state())).toBe(null);
  });

  test('lead to the author, and back', () => {
    const w = onMessage('m1');
    w.press('i', 'p');
    expect(topOverlay(w.state())).toMatchObject({ kind: 'person', of: { kind: 'contact', id: 'ann' } });
    w.press('escape');
    expect(topOverlay(w.state())).toMatchObject({ kind: 'details' });
  });
});

test('have a hint for the key that scrolls only if they are longer than the screen', () => {
  const hintsOf = createHintSelector(createKeymap(commands));
  const w = world(chat());
  const resize = (rows: number) =>
    w.update((state) => ({ ...state, screen: { ...state.screen, size: { columns: 80, rows } } }));
  const titles = () => hintsOf(w.state()).map(({ label, title }) => `${label} ${title}`);
  resize(24);
  w.press('alt+l');
  expect(titles()).toEqual(['Esc close']);
  w.press('escape', 'alt+i');
  resize(60);
  expect(titles()).not.toContain('PgDn scroll');
  resize(12);
  expect(titles()[0]).toBe('PgDn scroll');
});

describe('the page of a person', () => {
  test('opens from the list, also for a group, and from every pane for the open conversation', () => {
    const w = world(chat({ focus: 'list' }));
    w.press('i');
    expect(topOverlay(w.state())).toMatchObject({ of: { kind: 'contact', id: 'ann' } });
    w.press('escape', 'down', 'i');
    expect(topOverlay(w.state())).toMatchObject({ of: { kind: 'group', id: 'g1' } });
    w.press('escape');
    const writing = world(chat());
    writing.press('alt+i');
    expect(topOverlay(writing.state())).toMatchObject({ of: { kind: 'contact', id: 'ann' } });
  });

  test.each([
    ['alt+i', 'person'],
    ['alt+l', 'notices'],
  ])('closes with %s, which opened it, and nothing is written', (key, kind) => {
    const { state, draft, escaped } = world(chat());
    escaped(key, key.slice(-1));
    expect(topOverlay(state())?.kind).toBe(kind);
    escaped(key, key.slice(-1));
    expect([state().screen.overlays, draft().text]).toEqual([[], '']);
  });

  test('y copies the id', () => {
    const w = world(chat());
    w.press('alt+i', 'y');
    expect(w.calls).toEqual(['copy "ann"']);
  });

  test('takes a name and a note, which are kept only here', () => {
    const w = world(chat());
    w.press('alt+i', 'e');
    w.update((state) => ({
      ...state,
      screen: {
        ...state.screen,
        overlays: state.screen.overlays.map((one) =>
          one.kind === 'own-note' ? { ...one, typed: ' met at the harbour ' } : one,
        ),
      },
    }));
    w.press('enter');
    expect(w.state().local.notes.get('contact ann')).toBe('met at the harbour');
    w.press('e', 'ctrl+u', 'enter');
    expect(w.state().local.notes.size).toBe(0);
    w.press('n');
    expect(topOverlay(w.state())).toMatchObject({ kind: 'own-name', of: { kind: 'contact', id: 'ann' } });
  });

  test('leads to the conversation, and opens its links after a question', () => {
    const w = world(chat({ focus: 'list' }));
    w.press('i', 'o');
    expect(w.notice()).toBe('No link was found');
    w.press('enter');
    expect(w.calls).toContain('open "with ann"');
    expect(w.state().screen.overlays).toEqual([]);
  });
});

describe('the digits', () => {
  test('give the reactions of the message first, then the quick ones', () => {
    const w = onMessage('m3');
    w.press('1');
    // Someone else has given it, and it is not known yet whether the server would keep theirs.
    expect(topOverlay(w.state())).toMatchObject({ id: 'react.unknown-rule', reaction: '👍' });
    w.press('escape', '2');
    expect(topOverlay(w.state())).toMatchObject({ reaction: 'heart' });
  });

  test('choose a row of the picker while nothing is typed', () => {
    const w = onMessage('m1');
    w.press('a', '2');
    expect(w.actions).toMatchObject([{ kind: 'message.react', name: 'heart', messageId: 'm1' }]);
    expect(topOverlay(w.state())).toBe(null);
  });
});
