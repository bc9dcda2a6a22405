import { describe, expect, test } from 'vitest';
import { footerHints } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import { selectMarked } from '../../src/state/select/marked.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

const keymap = createKeymap(commands);

const places = (id: string) => new Map([['with ann', { scroll: { at: 'bottom' } as const, selectedId: id }]]);
const on = (id: string): World => world(chat({ focus: 'messages', places: places(id) }));

/** Moves to the row of a conversation. */
function goTo({ press, state }: World, conversationId: string): void {
  const top = topOverlay(state());
  if (top?.kind !== 'forward') throw new Error('no prompt');
  const by = top.result.rows.findIndex((row) => row.conversationId === conversationId) - top.selected;
  press(...Array<string>(Math.abs(by)).fill(by < 0 ? 'up' : 'down'));
}

const quote = /^> ann, \d+ \w+, \d\d:\d\d:\n> The ferry leaves at nine$/;

describe('forwarding with w', () => {
  test('sends the message to the selected conversation as a quote with author and time', () => {
    const typing = on('m1');
    typing.press('w');
    goTo(typing, 'crew');
    typing.press('enter');
    expect(typing.actions).toEqual([
      { kind: 'message.send', conversationId: 'crew', text: expect.stringMatching(quote) },
    ]);
    expect([topOverlay(typing.state()), typing.notice()]).toEqual([null, 'Forwarded to Group #g1']);
  });

  test('sends the marked messages to each conversation chosen with Tab, and removes the marks', () => {
    const typing = on('m1');
    typing.press('v', 'v', 'w');
    goTo(typing, 'crew');
    typing.press('tab');
    goTo(typing, 'with bob');
    typing.press('tab');
    goTo(typing, 'with ann');
    typing.press('tab', 'tab', 'enter');
    const sent = typing.actions.map((action) => action.kind === 'message.send' && [action.conversationId, action.text]);
    const text = expect.stringMatching(/^> ann, .*:\n> The ferry leaves at nine\n\n> me, .*:\n> Hi Ann$/);
    expect(sent).toEqual([
      ['crew', text],
      ['with bob', text],
    ]);
    expect(selectMarked(typing.state())).toEqual([]);
  });

  test('shows only keys that work, also if nothing is found', () => {
    const typing = on('m1');
    typing.press('w');
    const keys = () => footerHints(typing.state(), keymap).map(({ label, title }) => `${label} ${title}`);
    expect(keys()).toEqual(['Tab choose several', '↓ next', 'Enter forward', 'Esc close']);
    typing.type('zzz');
    expect(keys()).toEqual(['Esc close']);
    typing.press('ctrl+u', 'tab');
    typing.type('zzz');
    expect(keys()).toEqual(['Enter forward', 'Esc close']);
  });

  test('asks before it forwards to more than three', () => {
    const more = ['c1', 'c2'].map((id) => eg.conversation({ id, groupId: id, lastActiveAt: eg.now }));
    const state = chat({ focus: 'messages', places: places('m1') });
    const conversations = new Map([...state.cache.conversations, ...more.map((one) => [one.id, one] as const)]);
    const typing = world({ ...state, cache: { ...state.cache, conversations } });
    typing.press('w');
    for (const id of ['crew', 'with bob', 'c1', 'c2']) {
      goTo(typing, id);
      typing.press('tab');
    }
    typing.press('enter');
    expect([typing.actions, topOverlay(typing.state())]).toMatchObject([
      [],
      { kind: 'confirm', id: 'message.forward' },
    ]);
    typing.wait(1_000);
    typing.press('enter');
    expect(typing.actions.map((action) => 'conversationId' in action && action.conversationId)).toEqual([
      'crew',
      'with bob',
      'c1',
      'c2',
    ]);
    expect(topOverlay(typing.state())).toBeNull();
  });

  test('leaves out the names that the user gave, and sends the attachments', () => {
    const state = chat({ focus: 'messages', places: places('m1') }, { names: new Map([['ann', 'My secret']]) });
    const thread = state.cache.threads.get('with ann')!;
    const file = { label: 'map', url: 'https://f.example/map', size: null, mediaType: null };
    const attachments = [{ ...file, fields: { url: file.url } }];
    const messages = thread.messages.map((one) => (one.id === 'm1' ? { ...one, attachments, text: 'a\n\nb' } : one));
    const typing = world({
      ...state,
      cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) },
    });
    typing.press('w');
    goTo(typing, 'crew');
    typing.press('enter');
    expect(typing.actions).toMatchObject([
      { attachments: [{ url: file.url }], text: expect.stringMatching(/^> ann,.*\n> a\n>\n> b$/) },
    ]);
  });

  test('keeps the prompt and what is left if the disk refuses', () => {
    const typing = on('m1');
    typing.press('w');
    goTo(typing, 'crew');
    typing.press('tab');
    typing.breakDisk();
    typing.press('enter');
    expect([typing.actions, topOverlay(typing.state())]).toMatchObject([[], { forwarding: { chosen: ['crew'] } }]);
  });

  test('with an unknown name keeps the prompt and the marks, and says that nobody is chosen', () => {
    const typing = on('m1');
    typing.press('v', 'v', 'w');
    typing.wait(1_000);
    typing.type('qqq', 120);
    typing.press('enter');
    expect(topOverlay(typing.state())).toMatchObject({ kind: 'forward', typed: 'qqq' });
    expect([typing.actions, typing.notice()]).toEqual([[], 'Nobody is chosen; nothing was forwarded']);
    expect(selectMarked(typing.state())).toHaveLength(2);
  });

  test('does nothing for a sentence that begins with w', () => {
    const typing = on('m1');
    typing.type('we should go', 120);
    typing.press('enter');
    expect(typing.actions).toEqual([]);
    typing.press('escape');
    expect(typing.draft().text).toBe('we should go');
  });
});
