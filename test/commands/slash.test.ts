/** Slash commands: what Enter makes of a text that begins with a slash. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asTyped, parseEntered } from '../../src/commands/entered.ts';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { commands } from '../../src/commands/table.ts';
import { observe } from '../../src/protocol/capabilities.ts';
import { paste } from '../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import { selectConversation } from '../../src/state/select/selectors.ts';
import { selectCompletion } from '../../src/state/view/composer.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { openInView } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, keepsTexts, world } from './world.ts';

const capabilities = observe(keepsTexts, 'reactionRule', 'add', 0, 'test');

function entered(text: string) {
  const w = world(chat({}, { capabilities }));
  w.paste(text);
  w.press('enter');
  return w;
}

describe('what Enter means', () => {
  test.each([
    ['/mute 8h', { kind: 'command', name: 'mute', words: ['8h'] }],
    ['/MUTE', { kind: 'command', name: 'mute', words: [] }],
    ['/name  New   name ', { kind: 'command', name: 'name', words: ['New', 'name'] }],
    ['/search from:ann ferry/boat', { kind: 'command', name: 'search', words: ['from:ann', 'ferry/boat'] }],
    ['/constructor', { kind: 'command', name: 'constructor', words: [] }],
    ['/mute\n', { kind: 'command', name: 'mute', words: [] }],
    ['/mute\nand more', { kind: 'lines', name: 'mute' }],
    ['/* a\n * comment */', { kind: 'lines', name: '*' }],
    ['//text', { kind: 'text', text: '/text' }],
    ['//text with more', { kind: 'text', text: '/text with more' }],
    ['// a comment', { kind: 'text', text: '// a comment' }],
    ['//server/share', { kind: 'text', text: '//server/share' }],
    ['///', { kind: 'text', text: '///' }],
    ['/', { kind: 'slash' }],
    ['/ 2', { kind: 'slash' }],
    [' / 2', { kind: 'text', text: ' / 2' }],
    ['/usr/bin is a path', { kind: 'text', text: '/usr/bin is a path' }],
    ['/o/', { kind: 'text', text: '/o/' }],
    [' /mute', { kind: 'text', text: ' /mute' }],
    ['and/or', { kind: 'text', text: 'and/or' }],
    [':q', { kind: 'vim-quit', typed: ':q' }],
    [' :wq! ', { kind: 'vim-quit', typed: ':wq!' }],
    [':quick', { kind: 'text', text: ':quick' }],
    [':x', { kind: 'text', text: ':x' }],
    [':)', { kind: 'text', text: ':)' }],
  ])('%j', (text, wanted) => {
    expect(parseEntered(text)).toEqual(wanted);
  });

  test('a text is sent as it is, or without the first of two slashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'/a :q\n\t\\\u202eé') }), (text) => {
        const found = parseEntered(text);
        if (found.kind === 'text') expect([text, text.slice(1)]).toContain(found.text);
        else expect(/^\/(?!\/)|^\s*:/.test(text)).toBe(true);
      }),
    );
  });

  test('a text that comes back with a second slash is sent as it was, and every other one comes back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'/a \n*') }), (text) => {
        const typed = asTyped(text);
        if (typed !== text) expect(parseEntered(typed)).toEqual({ kind: 'text', text });
        else expect(['command', 'lines']).not.toContain(parseEntered(text).kind);
      }),
    );
  });
});

describe('the table', () => {
  const named = commands.filter(({ slash }) => slash !== undefined);

  test('names are unique, and are words that the composer completes', () => {
    const names = named.map(({ slash }) => slash);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z-]*$/.test(name ?? ''))).toEqual([]);
  });

  test('every slash command says what is wrong, or runs and leaves the keyboard focus in the composer', () => {
    for (const { slash } of named) {
      const w = entered(`/${slash}`);
      const isDone = w.draft().text !== `/${slash}`;
      expect([slash, isDone || w.notice() !== undefined]).toEqual([slash, true]);
      expect([slash, w.actions.filter(({ kind }) => kind === 'message.send')]).toEqual([slash, []]);
      expect([slash, w.state().screen.focus]).toEqual([slash, 'composer']);
    }
  });

  test('completion also lists commands that cannot run now, with the reason', () => {
    const w = world(chat());
    w.type('/back');
    expect(selectCompletion(w.state())?.rows).toEqual([
      { text: '/back', label: '/back', note: 'not now: No other conversation has been open yet', isDisabled: true },
    ]);
    w.press('tab');
    expect(w.draft().text).toBe('/back');
    w.press('enter');
    expect(w.notice()).toBe('No other conversation has been open yet');
    expect(w.draft().text).toBe('/back');
  });

  test('a command that takes a value is completed with a blank after it', () => {
    const w = world(chat());
    w.type('/sear');
    w.press('tab');
    expect(w.draft().text).toBe('/search ');
  });
});

describe('commands', () => {
  test('act on the open conversation, whatever the list has selected', () => {
    const w = world(chat());
    w.press('tab', 'j', 'escape');
    w.paste('/pin');
    w.press('enter');
    expect(w.actions).toEqual([{ kind: 'conversation.pin', conversationId: 'with ann', value: true }]);
    expect(w.notice()).toBe('Pinned; /undo undoes it');
    expect(w.draft().text).toBe('');
    w.press('ctrl+_');
    expect(w.draft().text).toBe('/pin');
    w.press('ctrl+u');
    w.paste('/undo');
    w.press('enter');
    expect(w.actions.at(-1)).toEqual({ kind: 'conversation.pin', conversationId: 'with ann', value: false });
    expect(w.notice()).toContain('/redo does it again');
  });

  test('take values: /mute 8h mutes for eight hours', () => {
    const w = entered('/mute 8h');
    expect(w.actions).toEqual([{ kind: 'conversation.mute', conversationId: 'with ann', value: true }]);
    expect(w.notice()).toMatch(/^Muted until .*; \/undo undoes it$/);
    expect(entered('/mute 8 h').notice()).toContain('one value more than this command takes');
    expect(entered('/mute soon').notice()).toBe('"soon" is not a duration; give 30m, 8h, 2d, 1w or always');
  });

  test('archive a conversation, and bring back one that the list does not show', () => {
    const w = entered('/archive');
    expect(selectConversation(w.state(), 'with ann')?.archivedAt).not.toBe(null);
    const { list } = w.state().view;
    w.paste('/archive');
    w.press('enter');
    expect(selectConversation(w.state(), 'with ann')?.archivedAt).toBe(null);
    expect(w.state().view.list).toEqual(list);
  });

  test('give a contact a name of several words', () => {
    const w = entered('/name  Ann from work ');
    expect(w.state().local.names.get('contact ann')).toBe('Ann from work');
    expect(w.draft().text).toBe('');
  });

  test('react to the newest message of others, and name the message', () => {
    const w = entered('/react heart');
    expect(w.actions).toMatchObject([{ kind: 'message.react', messageId: 'm3', name: 'heart' }]);
    expect(w.notice()).toBe('/react: “noon?” of ann');
  });

  test('act on the selected message if there is one', () => {
    const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' } as const]]);
    const w = world(chat({ places }, { capabilities }));
    w.paste('/react heart');
    w.press('enter');
    expect(w.actions).toMatchObject([{ messageId: 'm1' }]);
    expect(w.state().view.places.get('with ann')?.selectedId).toBe('m1');
  });

  test('ask which part of the newest message to copy, and copy the chosen one', () => {
    const w = world(chat());
    const parts = eg.message({
      id: 'm4',
      conversationId: 'with ann',
      createdAt: eg.now,
      text: 'see https://a.example/',
    });
    w.update((state) => {
      const held = state.cache.threads.get('with ann')?.messages ?? [];
      const threads = new Map([['with ann', eg.thread([...held, parts])]]);
      return { ...state, cache: { ...state.cache, threads } };
    });
    w.paste('/copy');
    w.press('enter');
    expect(selectMenuRows(w.state()).map(({ label }) => label)).toEqual([
      'Message: see https://a.example/',
      'Link: https://a.example/',
    ]);
    w.wait(1_000);
    w.press('2');
    expect([w.calls.at(-1), topOverlay(w.state())]).toEqual(['copy "https://a.example/"', null]);
  });

  test('edit and delete the newest own message; deleting asks', () => {
    expect(entered('/edit').draft()).toMatchObject({ text: 'Hi Ann', editing: { messageId: 'm2' } });
    const w = entered('/delete');
    expect(w.actions).toEqual([]);
    expect(topOverlay(w.state())).toMatchObject({ kind: 'confirm', id: 'message.delete', messageId: 'm2' });
  });

  test('go to the only conversation that fits, or else ask which', () => {
    expect(entered('/to bob').state().view.openId).toBe('with bob');
    expect(topOverlay(entered('/to').state())).toMatchObject({ kind: 'switcher', typed: '' });
    expect(topOverlay(entered('/to nobody').state())).toMatchObject({ kind: 'switcher', typed: 'nobody' });
  });

  test('open the search with the words', () => {
    expect(topOverlay(entered('/search from:ann ferry').state())).toMatchObject({
      kind: 'message-search',
      typed: 'from:ann ferry',
    });
  });

  test('say which value is wrong, and keep the typed text', () => {
    const w = entered('/react no such/thing');
    expect(w.notice()).toContain('one value more than this command takes');
    expect(w.draft().text).toBe('/react no such/thing');
    expect(w.actions).toEqual([]);
  });

  test('say why they cannot run only until another command does', () => {
    const w = entered('/mute soon');
    w.press('ctrl+u');
    expect(w.notice()).toBeUndefined();
  });

  test('are text while a message is edited', () => {
    const w = entered('/edit');
    w.press('ctrl+u');
    w.paste('/quit');
    w.press('enter');
    expect(w.actions).toMatchObject([{ kind: 'message.edit', text: '/quit' }]);
    expect(w.calls).not.toContain('quit');
  });

  test('run from the palette as they do from the composer', () => {
    const w = world(chat());
    w.paste('/help');
    w.run('message.send');
    expect(topOverlay(w.state())).toMatchObject({ kind: 'help' });
    expect(w.actions).toEqual([]);
  });
});

describe('a text that begins like a command', () => {
  const text = (w: ReturnType<typeof world>) => w.actions.map((action) => 'text' in action && action.text);

  test.each([
    ['/foo', 'There is no command /foo. Enter again sends it as text'],
    ['/constructor', 'There is no command /constructor. Enter again sends it as text'],
    ['/', 'No name of a command follows the slash. Enter again sends it as text'],
    ['/ mute 8h', 'No name of a command follows the slash. Enter again sends it as text'],
    ['/mute\nsecond line', 'This begins like a command, /mute, but has several lines. Enter again sends it as text'],
    [':q', 'Quit? (:q) Ctrl-Q quits. Enter again sends it as text'],
    [`/${'x'.repeat(5_000)}`, `There is no command /${'x'.repeat(30)}…. Enter again sends it as text`],
  ])('%s is sent by a second Enter only', (typed, said) => {
    const w = entered(typed);
    expect(w.notice()).toBe(said);
    expect(w.actions).toEqual([]);
    expect(w.draft().text).toBe(typed);
    w.press('enter');
    expect(text(w)).toEqual([typed]);
  });

  test('is asked about again after another key, a paste or some time', () => {
    for (const between of [
      (w: ReturnType<typeof world>) => w.press('left'),
      (w: ReturnType<typeof world>) => w.paste('o'),
      (w: ReturnType<typeof world>) => w.type('o'),
      (w: ReturnType<typeof world>) => w.wait(6_000),
    ]) {
      const w = entered('/foo');
      between(w);
      w.press('enter');
      expect(w.actions).toEqual([]);
      w.press('enter');
      expect(w.actions).toHaveLength(1);
    }
  });

  test('is not sent by an Enter that is held', () => {
    const w = entered('/foo');
    w.wait(-400);
    w.press('enter');
    expect(w.actions).toEqual([]);
  });

  test('is asked about again when Enter is pressed in another conversation', () => {
    const w = entered('/foo');
    w.update(openInView('with bob'));
    w.update(updateDraft('with bob', (draft) => paste(draft, '/bar')));
    w.press('enter');
    expect(w.actions).toEqual([]);
    expect(w.notice()).toContain('There is no command /bar');
  });

  test('is sent with one slash if it has two', () => {
    expect(text(entered('//shrug'))).toEqual(['/shrug']);
    expect(text(entered('/usr/bin'))).toEqual(['/usr/bin']);
  });
});
