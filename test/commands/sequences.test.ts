/** Keys that follow each other, counts, and what the footer shows while a key is awaited. */
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/commands/command.ts';
import { followingKeymap } from '../../src/commands/current-keymap.ts';
import { footerHints } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { type KeySettings, standardKeys } from '../../src/state/model/key-settings.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import { chat, type World, world } from './world.ts';

const withKeys =
  (keys: Partial<KeySettings>) =>
  (state: AppState): AppState => ({ ...state, settings: { ...state.settings, keys: { ...standardKeys, ...keys } } });
const vim = withKeys({ profile: 'vim' });
const emacs = withKeys({ profile: 'emacs' });

const onMessage = (id: string): AppState =>
  chat({ focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' } as const, selectedId: id }]]) });
const onList = (): AppState => selectInList('with ann')(chat({ focus: 'list' }));
const selectedIn = ({ state }: World) => state().view.places.get('with ann')?.selectedId;
const hints = (state: AppState) =>
  footerHints(
    state,
    followingKeymap(() => state),
  ).map(({ label, title }) => `${label} ${title}`);

describe('a sequence', () => {
  test('waits without a limit of time, and runs its command with the last key', () => {
    const typing = world(vim(onMessage('m3')));
    typing.type('g');
    typing.wait(60_000);
    expect(selectedIn(typing)).toBe('m3');
    typing.type('g');
    expect(selectedIn(typing)).toBe('m1');
  });

  test('of keys with Ctrl works where text is typed, and its last key writes nothing', () => {
    const { press, draft, calls } = world(emacs(chat()));
    press('ctrl+x', 'k');
    expect([calls, draft().text]).toEqual([['close'], '']);
  });

  test('that begins with a character is text in the composer', () => {
    const { type, draft } = world(vim(chat()));
    type('ggdd');
    expect(draft().text).toBe('ggdd');
  });

  test.each(['escape', 'ctrl+c'])('is cancelled by %s', (key) => {
    const typing = world(vim(onMessage('m3')));
    typing.press('g', key, 'G');
    expect([selectedIn(typing), typing.draft().text, typing.state().screen.focus]).toEqual(['m3', '', 'messages']);
  });

  test('is cancelled by the key that the profile has instead of Esc', () => {
    const { press, draft, state } = world(emacs(chat()));
    press('ctrl+x', 'ctrl+g', 'b');
    expect([draft().text, state().screen.overlays]).toEqual(['b', []]);
  });

  test('that opens a field is no text: Esc closes the field again, and Enter takes its choice', () => {
    const closing = world(vim(onMessage('m3')));
    closing.press('g', 'r', 'escape');
    expect([closing.draft().text, closing.state().screen.focus]).toEqual(['', 'messages']);
    const taking = world(vim(onMessage('m3')));
    taking.press('g', 'r', 'enter');
    expect(taking.state().screen.overlays).toMatchObject([{ id: 'react.unknown-rule', messageId: 'm3' }]);
    const writing = world(vim(onMessage('m3')));
    writing.type('great');
    writing.press('escape');
    expect(writing.draft().text).toBe('great');
  });

  test('that is not completed becomes text, however slowly its letters came', () => {
    const { press, draft, state } = world(vim(onMessage('m3')));
    press('g', 'o');
    expect([draft().text, state().screen.focus]).toEqual(['go', 'composer']);
  });

  test('that is not completed becomes text with Enter, which sends nothing', () => {
    const { press, draft, actions, notice } = world(vim(onMessage('m3')));
    press('g', 'enter');
    expect([draft().text, actions]).toEqual(['g', []]);
    expect(notice()).toMatch(/^This was begun outside the composer/);
  });

  test('is ended by a key that is not a letter, which does what it always does', () => {
    const typing = world(vim(onMessage('m3')));
    typing.press('g', 'up');
    expect([selectedIn(typing), typing.draft().text]).toEqual(['m2', '']);
    const inComposer = world(emacs(chat()));
    inComposer.press('ctrl+x', 'q');
    expect(inComposer.draft().text).toBe('q');
  });
});

describe('a count', () => {
  test('repeats a move', () => {
    const typing = world(vim(onMessage('m3')));
    typing.press('2', 'k');
    expect(selectedIn(typing)).toBe('m1');
    const list = world(vim(onList()));
    list.press('2', 'down');
    expect(list.state().view.list.selectedId).toBe('with bob');
  });

  test('before G or g g gives the position: from the top of the list, from the newest message', () => {
    const list = world(vim(onList()));
    list.press('2', 'G');
    expect(list.state().view.list.selectedId).toBe('crew');
    const typing = world(vim(onMessage('m3')));
    typing.press('2', 'g', 'g');
    expect(selectedIn(typing)).toBe('m2');
  });

  test('before any other key is text', () => {
    const { press, draft, actions } = world(vim(onList()));
    press('3', 'p');
    expect([draft().text, actions]).toEqual(['3p', []]);
  });

  test('does not begin with a digit that the user has bound to a command', () => {
    const { press, actions } = world(withKeys({ profile: 'vim', bind: { 'conversation.pin': ['5'] } })(onList()));
    press('5');
    expect(actions).toMatchObject([{ kind: 'conversation.pin' }]);
  });

  test('is not read in the other profiles', () => {
    const { press, actions } = world(onMessage('m1'));
    press('1');
    expect(actions).toMatchObject([{ kind: 'message.react' }]);
  });
});

describe('the footer', () => {
  test('shows the keys that may follow after half a second, and the usual keys again at the end', () => {
    const { type, wait, state } = world(vim(onMessage('m3')));
    const before = hints(state());
    type('z');
    wait(400);
    expect(hints(state())).toEqual(before);
    wait(100);
    expect(hints(state())).toEqual(['o unfold', 'c fold', 'r as typed']);
    type('c');
    expect(state().screen.heldKeys).toBe(undefined);
  });

  test('shows them half a second after a sequence that was begun again, not after the cancelled one', () => {
    const { press, type, wait, state } = world(vim(onMessage('m3')));
    const before = hints(state());
    type('z');
    wait(300);
    press('escape');
    type('z');
    wait(300);
    expect(hints(state())).toEqual(before);
    wait(200);
    expect(hints(state())).toEqual(['o unfold', 'c fold', 'r as typed']);
  });

  test('shows the keys of one command together', () => {
    const { type, wait, state } = world(vim(onMessage('m3')));
    type('g');
    wait(500);
    expect(hints(state())).toContain('1…9 reaction');
  });

  test('shows the keys of the pane again when a change of the key profile ends the sequence', () => {
    const { type, wait, state, update } = world(vim(onMessage('m3')));
    type('g');
    wait(500);
    update(withKeys({}));
    expect(hints(state())).toEqual(hints(withKeys({})(onMessage('m3'))));
  });

  test('writes all of them in small letters', () => {
    const { press, wait, state } = world(emacs(chat()));
    press('ctrl+x');
    wait(500);
    expect(hints(state())).toEqual(expect.arrayContaining(['u undo', ', settings', 'Ctrl-C quit']));
  });

  test('is not changed by a sequence that is complete sooner', () => {
    const { type, wait, state } = world(vim(onMessage('m3')));
    type('gg', 100);
    wait(1_000);
    expect(state().screen.heldKeys).toBe(undefined);
  });
});

describe('conflicts', () => {
  const panes: readonly Context[] = ['list', 'global', 'always'];

  test('include a key that begins the sequence of another command', () => {
    const map = createKeymap(commands, { 'list.peek': ['p x'] });
    expect(map.conflicts).toEqual([
      { context: 'list', key: 'p x', other: 'p', ids: ['list.peek', 'conversation.pin'] },
    ]);
    expect(map.find(panes, 'p x')?.command.id).toBe('list.peek');
  });

  test('include a key of a pane that hides one that works everywhere', () => {
    expect(createKeymap(commands, { 'conversation.pin': ['ctrl+k'] }).conflicts).toEqual([
      { context: 'list', key: 'ctrl+k', other: 'ctrl+k', ids: ['conversation.pin', 'goto.open'] },
    ]);
  });

  test('do not include sequences of two contexts that begin alike', () => {
    const map = createKeymap(commands, { 'conversation.pin': [', p'], 'server.poll': [', f'] });
    expect(map.conflicts).toEqual([]);
    expect(map.follow(panes, ',').map(({ key }) => key)).toEqual(['p', 'f']);
  });
});
