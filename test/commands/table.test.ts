import { describe, expect, test } from 'vitest';
import { type Context, contextsOf } from '../../src/commands/command.ts';
import { createHintSelector, footerHints } from '../../src/commands/footer.ts';
import { formatKeys, helpRows } from '../../src/commands/key-table.ts';
import { createKeymap, isBareCharacter } from '../../src/commands/keymap.ts';
import { keyLabel, keysLabel } from '../../src/commands/label.ts';
import { commands } from '../../src/commands/table.ts';
import { patchCache } from '../../src/state/cache/conversations.ts';
import { setText } from '../../src/state/composer/draft.ts';
import { startEditing, updateDraft } from '../../src/state/composer/drafts.ts';
import { addOp } from '../../src/state/local/outbox.ts';
import type { AppState, Overlay } from '../../src/state/model/app-state.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { openMessageSearch, toggleSearchScope } from '../../src/state/search/message-search.ts';
import { openNamePrompt } from '../../src/state/search/name-prompt.ts';
import { setSeeking, stopSeeking } from '../../src/state/view/jumps.ts';
import { addNotice } from '../../src/state/view/notices.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const keymap = createKeymap(commands);
const overlapping: readonly (readonly Context[])[] = [
  ['list', 'global', 'always'],
  ['messages', 'global', 'always'],
  ['composer', 'global', 'always'],
];

describe('the table', () => {
  test('ids are unique and have the form noun.verb', () => {
    const ids = commands.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+\.[a-z][a-zA-Z]*$/.test(id))).toEqual([]);
  });

  test('no two commands have the same key in one context', () => {
    expect(keymap.conflicts).toEqual([]);
  });

  test('no key of a pane hides a command that works anywhere', () => {
    for (const [pane, ...wider] of overlapping) {
      const own = commands.filter(({ where }) => where.includes(pane!)).flatMap(({ keys }) => keys);
      expect(own.filter((key) => keymap.find(wider, key) !== null)).toEqual([]);
    }
  });

  test('every command can be reached where it says', () => {
    for (const { id, where, keys } of commands) {
      for (const context of where) {
        // One without keys is run from the palette.
        expect(
          keys.length === 0 || keys.some((key) => keymap.find([context, 'global', 'always'], key)?.command.id === id),
        ).toBe(true);
      }
    }
  });

  test('key names are canonical', () => {
    // A character never carries Shift; Ctrl-H, -I, -M and -[ may also come as the keys that they are on a terminal.
    const named =
      /^(ctrl\+)?(alt\+)?((shift\+)?(enter|tab|escape|backspace|delete|up|down|left|right|home|end|pageup|pagedown|f\d+)|space|.)$/u;
    expect(commands.flatMap(({ keys }) => keys).filter((key) => !named.test(key))).toEqual([]);
  });
});

describe('the keymap', () => {
  test('a character is never a command where text is typed, whatever the user binds', () => {
    const daring = createKeymap(commands, { 'app.quit': ['q'], 'text.undo': ['z'] });
    expect(daring.find(['composer', 'global', 'always'], 'q')).toBe(null);
    expect(daring.find(['composer', 'global', 'always'], 'z')).toBe(null);
    expect(daring.find(['list', 'global', 'always'], 'q')?.command.id).toBe('app.quit');
    expect(['a', 'é', '+', 'space', '漢'].every(isBareCharacter)).toBe(true);
    expect(['ctrl+a', 'enter', 'f5', 'alt++', 'shift+tab', 'up'].some(isBareCharacter)).toBe(false);
  });

  test('keys of the user replace all keys of a command; an empty list removes them', () => {
    const changed = createKeymap(commands, { 'app.quit': ['ctrl+x'], 'app.suspend': [] });
    expect(changed.keysOf('app.quit')).toEqual(['ctrl+x']);
    expect(changed.find(['always'], 'ctrl+q')).toBe(null);
    expect(changed.find(['always'], 'ctrl+z')).toBe(null);
  });

  test('reports two commands with the same key', () => {
    const changed = createKeymap(commands, { 'app.quit': ['ctrl+l'], 'app.dance': ['ctrl+x'] });
    expect(changed.conflicts).toEqual([
      { context: 'always', key: 'ctrl+l', other: 'ctrl+l', ids: ['screen.redraw', 'app.quit'] },
      { context: 'too-small', key: 'ctrl+l', other: 'ctrl+l', ids: ['screen.redraw', 'app.quit'] },
    ]);
    expect(createKeymap(commands, JSON.parse('{"__proto__": ["x"], "constructor": ["y"]}')).conflicts).toEqual([]);
  });
});

describe('names of keys', () => {
  test.each([
    ['ctrl+k', 'Ctrl-K'],
    ['alt+a', 'Alt-a'],
    ['ctrl+Z', 'Ctrl-Shift-Z'],
    ['alt+shift+down', 'Alt-Shift-↓'],
    ['alt++', 'Alt-+'],
    ['+', '+'],
    ['G', 'G'],
    ['f5', 'F5'],
    ['escape', 'Esc'],
    ['ctrl+_', 'Ctrl-_'],
    ['pageup', 'PgUp'],
    ['ctrl+x b', 'Ctrl-X b'],
    ['g G', 'g G'],
  ])('%s is %s', (key, label) => {
    expect(keyLabel(key)).toBe(label);
  });

  test('several keys, and a run of digits, are written together', () => {
    expect(keysLabel(['j', 'down'])).toBe('j / ↓');
    expect(keysLabel(['alt+1', 'alt+2', 'alt+3'])).toBe('Alt-1…3');
    expect(keysLabel(['1', '2', '4'])).toBe('1 / 2 / 4');
    expect(keysLabel([])).toBe('');
  });
});

describe('help', () => {
  test('every command is in it once, under a heading', () => {
    const rows = helpRows(commands, keymap.keysOf);
    expect(rows.flatMap((row) => (row.kind === 'command' ? [row.id] : [])).toSorted()).toEqual(
      commands.map(({ id }) => id).toSorted(),
    );
    expect(rows[0]).toEqual({ kind: 'heading', title: 'Anywhere' });
  });

  test('is printed as text, JSON and Markdown', () => {
    const narrow = formatKeys('text', undefined, 40).split('\n');
    expect(narrow.filter((line) => line.startsWith('      ') && line.length > 40)).toEqual([]);
    expect(narrow).toContain('  F1 / ?  help.open');
    expect(formatKeys('text')).toMatch(/^ {2}F1 \/ \? +Help: search all commands and keys +help\.open$/m);
    expect(JSON.parse(formatKeys('json')).keys).toContainEqual({
      id: 'app.quit',
      title: 'Quit',
      group: 'Anywhere',
      where: ['always', 'too-small'],
      keys: ['ctrl+q'],
      slash: 'quit',
    });
    expect(formatKeys('markdown')).toContain('| `/react [reaction]` | Choose a reaction | `message.react` |');
    expect(formatKeys('markdown')).toContain('| Ctrl-\\_ / Ctrl-/ | Undo | `text.undo` |');
    expect(formatKeys('text', createKeymap(commands, { 'app.quit': ['ctrl+x'] }))).toMatch(/Ctrl-X +Quit/);
  });
});

describe('the footer', () => {
  const ids = (state: Parameters<typeof footerHints>[0]) => footerHints(state, keymap).map(({ id }) => id);

  test('offers the keys that help out of a trouble first', () => {
    const state = chat();
    const connection = { ...state.view.connection, status: 'unauthorized' as const };
    expect(footerHints({ ...state, view: { ...state.view, connection } }, keymap)[0]).toEqual({
      id: 'server.signIn',
      label: 'Ctrl-T',
      title: 'new token',
    });
  });

  test('offers the keys of the pane first, then those that work anywhere', () => {
    expect(footerHints(chat(), keymap).slice(0, 3)).toEqual([
      { id: 'message.send', label: 'Enter', title: 'send' },
      { id: 'text.newline', label: 'Alt-Enter', title: 'new line' },
      { id: 'goto.open', label: 'Ctrl-K', title: 'go to' },
    ]);
    expect(ids(chat({ focus: 'list' })).slice(0, 2)).toEqual(['list.open', 'list.filter']);
  });

  test('says how to leave a dialog', () => {
    const picker = openNamePrompt('new-conversation')(chat());
    expect(footerHints(picker, keymap).map(({ label, title }) => `${label} ${title}`)).toEqual([
      '↓ next',
      'Enter choose',
      'Esc close',
    ]);
    expect(ids(chat())).not.toContain('layer.back');
  });

  test('says that Enter runs the selected row where it is a command', () => {
    const enter = (state: AppState) => footerHints(state, keymap).find(({ label }) => label === 'Enter')?.title;
    const switcher = openNamePrompt('switcher')(chat());
    expect(enter(typeText('ann')(switcher))).toBe('choose');
    expect(enter(typeText('>undo')(switcher))).toBe('run');
    expect(enter(chat({ overlays: [{ kind: 'help', typed: '', selected: 0 }] }))).toBe('run');
  });

  test('leaves out the keys that choose while nothing is found', () => {
    const empty = typeText('zzz')(openNamePrompt('switcher')(chat()));
    expect(ids(empty)).toEqual(['layer.back']);
    expect(ids(openMessageSearch(null)(chat()))).toEqual(['layer.back']);
    expect(ids(openNamePrompt('switcher')(chat()))).toContain('choice.next');
    for (const kind of ['help', 'sent-texts'] as const)
      expect(ids(chat({ overlays: [{ kind, typed: 'zzz', selected: 0 }] }))).toEqual(['layer.back']);
  });

  test('names the messages that Ctrl-F searches', () => {
    const hint = (state: AppState) => footerHints(state, keymap).find(({ id }) => id === 'find.everywhere')?.title;
    const here = openMessageSearch('with ann')(chat());
    expect([hint(here), hint(toggleSearchScope(here))]).toEqual(['everywhere', 'here']);
  });

  test('says what Esc does if it does something, and that Enter saves an edit', () => {
    const esc = (state: AppState) => footerHints(state, keymap).find(({ id }) => id === 'layer.back');
    expect(esc(chat({ focus: 'list' }))).toEqual({
      id: 'layer.back',
      label: 'Esc',
      title: 'write',
      isKept: true,
    });
    expect(esc(chat({ focus: 'list', openId: null }))).toBe(undefined);
    const editing = updateDraft('with ann', (draft) => startEditing(draft, 'm2', 'Hi Ann'))(chat());
    expect([esc(editing)?.title, footerHints(editing, keymap)[0]?.title]).toEqual(['cancel', 'save']);
  });

  test('says that Enter runs a slash command, and sends what is none', () => {
    const hints = createHintSelector(keymap);
    const enterIn = (state: AppState) => hints(state).find(({ id }) => id === 'message.send')?.title;
    const enterOn = (text: string) => enterIn(updateDraft('with ann', (draft) => setText(draft, text))(chat()));
    expect(['/mute 8h', '/MUTE'].map(enterOn)).toEqual(['run', 'run']);
    const messages = ['/mut', '/mute\nnow', '//mute', 'to /mute', '/mute/8h'];
    expect(messages.map(enterOn)).toEqual(messages.map(() => 'send'));
    const { type, state } = world(chat());
    type('/mute 8h');
    expect(enterIn(state())).toBe('run');
  });

  test('leaves out what cannot be done now', () => {
    expect(ids(chat({ focus: 'messages' }))).not.toContain('message.reply');
    const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' } as const]]);
    expect(ids(chat({ focus: 'messages', places }))).toContain('message.reply');
    expect(ids(chat({ focus: 'messages', places }))).not.toContain('message.edit');
  });

  test('is made anew when its keys change, and not by typing', () => {
    const hintsOf = createHintSelector(keymap);
    const { type, press, state } = world(chat());
    type('a');
    const before = hintsOf(state());
    type('b');
    expect(hintsOf(state())).toBe(before);
    press('tab');
    expect(hintsOf(state())[0]?.id).toBe('list.open');
  });

  test('is what it was when messages arrive, are sent and get reactions, unless a message is acted on', () => {
    const hintsOf = createHintSelector(keymap);
    const queued = eg.op({ kind: 'message.send', conversationId: 'crew', text: 'Hi' });
    const news = (state: AppState): AppState => {
      const withOp = addOp(queued)(state);
      return patchCache(withOp, {
        conversations: new Map(withOp.cache.conversations),
        threads: new Map([['with ann', eg.thread([eg.message({ id: 'm4', conversationId: 'with ann' })])]]),
      });
    };
    const isKept = (state: AppState) => hintsOf(state) === hintsOf(news(state));
    expect([isKept(chat()), isKept(chat({ focus: 'list' })), isKept(chat({ focus: 'messages' }))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is made anew whenever something changes what can be done', () => {
    const hintsOf = createHintSelector(keymap);
    const failed = eg.op({ kind: 'message.send', conversationId: 'with ann', text: 'Hi' }, { state: 'failed' });
    const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' } as const]]);
    const nothing = (state: AppState) => patchCache(state, { conversations: new Map(), threads: new Map() });
    const panes = (['list', 'composer', 'messages'] as const).flatMap((focus) => {
      const state = chat({ focus, places });
      const deleted = eg.op({ kind: 'conversation.delete', conversationId: 'with ann' });
      return [state, addOp(failed)(state), addOp(deleted)(state), nothing(state), nothing(addOp(failed)(state)), state];
    });
    const unsure = chat({ overlays: [{ kind: 'unsure', uuid: failed.uuid }] });
    for (const state of [...panes, unsure, addOp(failed)(unsure), unsure])
      expect(hintsOf(state)).toEqual(footerHints(state, keymap));
  });

  test('says what Tab does where it inserts a snippet', () => {
    const hintsOf = createHintSelector(keymap);
    const { type, press, state } = world(chat());
    const tab = () => hintsOf(state()).find(({ label }) => label === 'Tab')?.title;
    type('a ');
    const before = tab();
    type(';ok');
    const during = tab();
    press('backspace', 'backspace', 'backspace');
    expect([before, during, tab()]).toEqual(['focus', 'snippet', 'focus']);
  });

  test('names the key that unfolds only while the selected message is folded', () => {
    const hintsOf = createHintSelector(keymap);
    const long = eg.message({ id: 'm1', conversationId: 'with ann', text: 'a line\n'.repeat(30) });
    const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' } as const]]);
    const { press, state } = world(
      patchCache(chat({ focus: 'messages', places }), { threads: new Map([['with ann', eg.thread([long])]]) }),
    );
    const isOffered = () => hintsOf(state()).some(({ id }) => id === 'message.more');
    const folded = isOffered();
    press('m');
    const unfolded = isOffered();
    press('M');
    expect([folded, unfolded, isOffered()]).toEqual([true, false, true]);
  });

  test('says what Esc does while an old message is fetched, and no longer', () => {
    const hintsOf = createHintSelector(keymap);
    const back = (state: AppState) => hintsOf(state).find(({ id }) => id === 'layer.back')?.title;
    const state = chat({ focus: 'messages' });
    const seeking = {
      conversationId: 'with ann',
      aim: { kind: 'message', messageId: 'm0' },
      words: 'a message',
    } as const;
    const shown = [state, setSeeking(seeking)(state), stopSeeking(setSeeking(seeking)(state))].map(back);
    expect(shown).toEqual(['write', 'stop fetching', 'write']);
  });

  test('says that Esc closes a notice that stays, before anything else', () => {
    const hintsOf = createHintSelector(keymap);
    const back = (state: AppState) => hintsOf(state).find(({ id }) => id === 'layer.back')?.title;
    const lasting = addNotice({ tone: 'warning', text: 'words', at: 0, until: null, about: 'x' });
    const shown = (['messages', 'composer'] as const).flatMap((focus) => {
      const { state, press } = world(lasting(chat({ focus })));
      const before = back(state());
      press('escape');
      return [before, back(state())];
    });
    expect(shown).toEqual(['close notice', 'write', 'close notice', undefined]);
  });

  test('under an overlay offers only its own keys', () => {
    const state = chat({ overlays: [{ kind: 'help', typed: '', selected: 0 }] });
    expect(contextsOf(state)).toEqual(['help', 'picker', 'dialog', 'always']);
    expect(ids(state)).toEqual(['help.changeKey', 'choice.next', 'choice.accept', 'layer.back']);
  });

  test('is the same object for overlays that are made alike', () => {
    const about = { conversationId: 'a', messageId: 'm', textThen: null, openedAt: 0 };
    const overlays: readonly (readonly [Overlay, readonly Context[]])[] = [
      [{ kind: 'confirm', id: 'message.delete', ...about }, ['dialog']],
      [{ kind: 'same-account', token: 't', unsent: 0, openedAt: 0 }, ['confirm', 'dialog']],
      [{ kind: 'token', typed: '' }, ['prompt', 'dialog']],
      [{ kind: 'reaction-picker', conversationId: 'a', messageId: 'm', typed: '', selected: 0 }, ['picker', 'dialog']],
      [{ kind: 'links', links: { addresses: [], refused: 0 }, selected: 0 }, ['dialog']],
      [{ kind: 'unsure', uuid: 'u' }, ['dialog']],
    ];
    for (const [overlay, shared] of overlays) {
      const state = chat({ overlays: [overlay] });
      expect(contextsOf(state)).toEqual([overlay.kind, ...shared, 'always']);
      expect(ids(state)).toContain('layer.back');
    }
  });
});
