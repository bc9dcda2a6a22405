import { describe, expect, test } from 'vitest';
import { observe } from '../../src/protocol/capabilities.ts';
import { applyThreadPage, removeMessages } from '../../src/state/cache/threads.ts';
import { setText } from '../../src/state/composer/draft.ts';
import { startEditing, updateDraft } from '../../src/state/composer/drafts.ts';
import { changedMeanwhile, messageNotFound } from '../../src/state/local/outbox.ts';
import type { AppState, Op } from '../../src/state/model/app-state.ts';
import { selectReactionChoices } from '../../src/state/search/picker-choices.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { markOffline, markOnline, markUnauthorized } from '../../src/state/view/connection.ts';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, keepsTexts, world } from './world.ts';

const capabilities = observe(keepsTexts, 'reactionRule', 'add', 0, 'test');
const on = (id: string | null, local: Partial<AppState['local']> = {}) =>
  world(
    chat(
      { focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: id }]]) },
      { me: { contactId: 'me', username: 'me' }, ...local },
    ),
  );
const selected = (state: AppState) => selectPlace(state, 'with ann').selectedId;
const changeText = (state: AppState): AppState => {
  const thread = state.cache.threads.get('with ann')!;
  const messages = thread.messages.map((message) => ({ ...message, text: 'changed' }));
  return { ...state, cache: { ...state.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
};

describe('moving', () => {
  test('j and k select the next message and scroll it into sight; g and G go to the ends', () => {
    const { press, state, calls } = on('m2');
    press('k');
    expect([selected(state()), calls.at(-1)]).toEqual(['m1', 'reveal "m1"']);
    press('j', 'j');
    expect(selected(state())).toBe('m3');
    press('g');
    expect([selected(state()), calls.at(-1)]).toEqual(['m1', 'show "m1"']);
    press('G');
    expect(selected(state())).toBe('m3');
  });

  test('a step back at the oldest message scrolls on for more history', () => {
    const { press, state, calls } = on('m1');
    press('up');
    expect([selected(state()), calls]).toEqual(['m1', ['scroll {"rows":-1}']]);
  });

  test('the first step selects a message that is in sight', () => {
    const newest = on(null);
    newest.press('k');
    expect(selected(newest.state())).toBe('m3');
    const reading = world(
      chat({
        focus: 'messages',
        places: new Map([['with ann', { scroll: { at: 'message', messageId: 'm1', line: 0 }, selectedId: null }]]),
      }),
    );
    reading.press('j');
    expect(selected(reading.state())).toBe('m1');
  });

  test('Tab into the messages selects one, and pages scroll from everywhere', () => {
    const { press, state, calls } = world(chat({ focus: 'list' }));
    press('tab');
    expect(selected(state())).toBe('m3');
    press('pageup', 'tab', 'pagedown');
    expect(calls).toEqual(['reveal "m3"', 'scroll {"pages":-1}', 'scroll {"pages":1}']);
    expect(state().screen.focus).toBe('composer');
  });

  test('keys that need a selected message say so if there is none', () => {
    const { press, notice, actions } = on(null);
    press('p');
    expect([notice(), actions]).toEqual(['Select a message first', []]);
  });

  test('a character without a command is written in the composer', () => {
    const { press, draft, state } = on('m1');
    press('q');
    expect([draft().text, state().screen.focus]).toEqual(['q', 'composer']);
  });

  test('down after the newest message goes to the composer, and j does not', () => {
    const { press, state } = on('m2');
    press('j', 'j', 'down');
    expect([selected(state()), state().screen.focus]).toEqual([null, 'composer']);
    const steps = on('m2');
    steps.press('down', 'j', 'j');
    expect([selected(steps.state()), steps.state().screen.focus]).toEqual(['m3', 'messages']);
  });
});

describe('editing and replying', () => {
  test("e opens the user's own message in the composer", () => {
    const { press, draft, state } = on('m2');
    press('e');
    expect(state().screen.focus).toBe('composer');
    expect(draft()).toMatchObject({ text: 'Hi Ann', editing: { messageId: 'm2', base: 'Hi Ann' } });
  });

  test.each([
    ['refused', 'mine'],
    [changedMeanwhile, 'Hi Ann\nmine'],
  ])(
    'e opens the text of a failed edit (%s), or both texts if somebody else has changed the message',
    (evidence, text) => {
      const edit = {
        kind: 'message.edit',
        conversationId: 'with ann',
        messageId: 'm2',
        base: 'Hi',
        text: 'mine',
      } as const;
      const attempts = [{ started: 1, ended: 2, outcome: 'rejected', evidence }] as const;
      const failed = eg.op(edit, { state: 'failed', attempts });
      const { press, draft, state } = on('m2', { outbox: [failed] });
      press('e');
      expect(state().screen.focus).toBe('composer');
      expect(draft()).toMatchObject({ text, editing: { messageId: 'm2', base: 'Hi Ann' } });
      expect(state().local.outbox).toEqual([]);
    },
  );

  test('e takes the text of an edit whose message was deleted into the composer, as a new message', () => {
    const edit = {
      kind: 'message.edit',
      conversationId: 'with ann',
      messageId: 'm2',
      base: 'Hi',
      text: 'mine',
    } as const;
    const attempts = [{ started: 1, ended: 2, outcome: 'rejected', evidence: messageNotFound }] as const;
    const { press, draft, state } = on('m2', { outbox: [eg.op(edit, { state: 'failed', attempts })] });
    press('e');
    expect(draft()).toMatchObject({ text: 'mine', editing: null });
    expect([state().screen.focus, state().local.outbox]).toEqual(['composer', []]);
  });

  test('what was changed in an edit stays until it is saved', () => {
    const drafts = (text: string) =>
      new Map([['with ann', eg.draft(text, { editing: { messageId: 'm2', base: 'Hi Ann', stash: 'half' } })]]);
    const own = (state: AppState): AppState => {
      const contact = eg.contact({ id: 'me' });
      const messages = ['Hi Ann', 'Bye'].map((text, at) => eg.message({ id: at === 0 ? 'm2' : 'm9', text, contact }));
      return { ...state, cache: { ...state.cache, threads: new Map([['with ann', eg.thread(messages)]]) } };
    };
    const changed = on('m9', { drafts: drafts('Hi dear Ann') });
    changed.update(own);
    changed.press('e');
    expect(changed.draft()).toMatchObject({ text: 'Hi dear Ann', editing: { messageId: 'm2' } });
    expect(changed.notice()).toBe('Save the edited message first, or press Esc');
    changed.press('r');
    expect(changed.draft().text).toBe('Hi dear Ann');
    changed.press('k', 'e');
    expect([changed.draft().text, changed.state().screen.focus]).toEqual(['Hi dear Ann', 'composer']);
    const same = on('m9', { drafts: drafts('Hi Ann') });
    same.update(own);
    same.press('e');
    expect(same.draft()).toMatchObject({ text: 'Bye', editing: { messageId: 'm9', stash: 'half' } });
  });

  test('e does not open a message of others, unless the user is not known', () => {
    const { press, draft, notice } = on('m1');
    press('e');
    expect([draft().editing, notice()]).toEqual([null, 'Only your own messages can be edited']);
    const group = eg.state({
      conversations: [eg.conversation({ id: 'with ann', groupId: 'g' })],
      cache: { threads: new Map([['with ann', eg.thread([eg.message({ id: 'm1', conversationId: 'with ann' })])]]) },
      view: { openId: 'with ann', places: new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' }]]) },
      screen: { focus: 'messages' },
    });
    const unknown = world(group);
    unknown.press('e');
    expect(unknown.draft().editing?.messageId).toBe('m1');
  });

  test('r quotes the message', () => {
    const { press, draft, state } = on('m3');
    press('r');
    expect([draft().text, state().screen.focus]).toEqual(['> ann wrote:\n> noon?\n', 'composer']);
  });

  test('a message whose id fits in no path is not changed', () => {
    const { press, notice, update, actions } = on('..');
    update((state) => {
      const thread = eg.thread([eg.message({ id: '..', conversationId: 'with ann' })]);
      return { ...state, cache: { ...state.cache, threads: new Map([['with ann', thread]]) } };
    });
    press('p', '+');
    expect([actions, notice()]).toEqual([[], 'The id of this message cannot be used in a request']);
  });
});

describe('deleting', () => {
  test('asks, ignores keys at first, and then deletes the message that it asked about', () => {
    const { press, type, actions, state } = on('m2');
    type('dd');
    press('enter');
    expect([actions, state().screen.overlays.length]).toEqual([[], 1]);
    press('y');
    expect(actions).toEqual([{ kind: 'message.delete', conversationId: 'with ann', messageId: 'm2' }]);
    expect(state().screen.overlays).toEqual([]);
    expect([state().view.places.get('with ann')?.selectedId, state().screen.focus]).toEqual([null, 'composer']);
  });

  test('ends an edit of the message, whose text can be put back, and no other edit', () => {
    for (const edited of ['m2', 'm1']) {
      const { press, type, draft, update } = on('m2');
      update(updateDraft('with ann', (held) => setText(held, 'a draft')));
      update(updateDraft('with ann', (held) => setText(startEditing(held, edited, 'Hi Ann'), 'Hi Ann and Bob')));
      type('d');
      press('enter');
      press('y');
      const { editing, text, kill } = draft();
      expect([editing?.messageId, text, kill]).toEqual(
        edited === 'm2' ? [undefined, 'a draft', 'Hi Ann and Bob'] : ['m1', 'Hi Ann and Bob', ''],
      );
    }
  });

  test('is confirmed by Enter after a moment, and not by n, Esc, d or any other key', () => {
    for (const key of ['n', 'escape', 'd', 'q', 'é']) {
      const { press, actions, state } = on('m2');
      press('d', key);
      expect([actions, state().screen.overlays]).toEqual([[], []]);
    }
    const { press, actions } = on('m2');
    press('d', 'enter');
    expect(actions).toHaveLength(1);
  });

  test('does nothing if the message was changed or removed meanwhile', () => {
    for (const meanwhile of [changeText, removeMessages('with ann', ['m2'], null)]) {
      const { press, wait, update, actions, state, notice } = on('m2');
      press('d');
      wait(300);
      update(meanwhile);
      press('y');
      expect([actions, state().screen.overlays]).toEqual([[], []]);
      expect(notice()).toContain('nothing was done');
    }
  });
});

describe('reacting', () => {
  const react = { kind: 'message.react', conversationId: 'with ann', messageId: 'm3' };

  test('works with + and the digits; a name for an emoji already there counts as that emoji', () => {
    const { press, actions } = on('m3', { capabilities });
    press('+', '2');
    expect(actions).toEqual([
      { ...react, name: '👍', present: true, confirmed: false },
      { ...react, name: 'heart', present: true, confirmed: false },
    ]);
  });

  test('again takes the reaction back', () => {
    const { press, actions } = on('m3', { capabilities });
    press('2', '2');
    expect(actions.at(-1)).toEqual({ ...react, name: 'heart', present: false, confirmed: false });
  });

  test('again by its digit takes it back also where it has become the first of the message', () => {
    const { press, actions } = on('m1', { capabilities });
    press('3', '3');
    const joy = { ...react, messageId: 'm1', name: 'joy', confirmed: false };
    expect(actions).toEqual([
      { ...joy, present: true },
      { ...joy, present: false },
    ]);
  });

  test('by a digit long after another one counts the reactions that the message has now', () => {
    const { press, actions, wait } = on('m1', { capabilities });
    press('3');
    wait(60_000);
    press('3');
    expect(actions.map((action) => 'name' in action && action.name)).toEqual(['joy', 'heart']);
  });

  test('with the picker gives the chosen reaction', () => {
    const { press, actions, state } = on('m3', { capabilities });
    press(':', 'down', 'enter');
    expect(actions).toEqual([{ ...react, name: 'heart', present: true, confirmed: false }]);
    expect(state().screen.overlays).toEqual([]);
  });

  test('with the picker gives the reaction that was selected, also where others have reacted meanwhile', () => {
    const { press, actions, update } = on('m1', { capabilities });
    const reacted = eg.message({ id: 'm1', conversationId: 'with ann', reactions: [{ name: 'tada', by: ['ann'] }] });
    press('a');
    update(applyThreadPage({ conversationId: 'with ann', messages: [reacted], side: 'newest', connected: true }));
    press('enter');
    expect(actions).toEqual([{ ...react, messageId: 'm1', name: '+1', present: true, confirmed: false }]);
  });

  test('with the picker offers a reaction that was given before; taking one back does not count as a use', () => {
    const { press, type, actions, state } = on('m2', { capabilities });
    press('a');
    type('rocket');
    press('enter');
    expect(actions.map((action) => 'name' in action && action.name)).toEqual(['rocket']);
    expect([...state().local.reactionUses.keys()]).toEqual(['rocket']);
    press('a');
    expect(selectReactionChoices(state()).map(({ name }) => name)).toContain('rocket');
    const takenBack = on('m3', { capabilities });
    takenBack.press('2', '2');
    expect(takenBack.state().local.reactionUses.get('heart')?.weight).toBe(1);
  });

  test('asks first if others could lose their reactions under an unknown rule', () => {
    const { press, wait, actions, state } = on('m3');
    press('2');
    expect([actions, state().screen.overlays[0]]).toEqual([[], expect.objectContaining({ id: 'react.unknown-rule' })]);
    wait(300);
    press('y');
    expect(actions).toEqual([{ ...react, name: 'heart', present: true, confirmed: true }]);
  });

  test('neither sends nor asks if the owners of the reactions are not known', () => {
    const { press, update, actions, state, notice } = on('m3', { capabilities });
    update((now) => {
      const thread = now.cache.threads.get('with ann')!;
      const messages = thread.messages.map((message) => ({
        ...message,
        reactions: [{ name: 'heart', by: [], unnamed: 2 }],
      }));
      return { ...now, cache: { ...now.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
    });
    press('2');
    expect([actions, state().screen.overlays]).toEqual([[], []]);
    expect(notice()).toContain('cannot be changed from here');
  });

  test('sends nothing to a message that is kept only in part, and does not ask', () => {
    const { press, update, actions, state, notice } = on('m3', { capabilities });
    update((now) => {
      const thread = now.cache.threads.get('with ann')!;
      const messages = thread.messages.map((message) => ({ ...message, isCut: true as const }));
      return { ...now, cache: { ...now.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
    });
    press('2');
    expect([actions, state().screen.overlays]).toEqual([[], []]);
    expect(notice()).toContain('more reactions or attachments than are kept here');
  });

  test('asks first if attachments of others could be lost, until it is known that they stay', () => {
    const withFile = (now: AppState): AppState => {
      const thread = now.cache.threads.get('with ann')!;
      const file = { label: 'plan', url: null, size: null, mediaType: null, fields: { id: 'f' } };
      const messages = thread.messages.map((message) => ({ ...message, reactions: [], attachments: [file] }));
      return { ...now, cache: { ...now.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
    };
    const first = on('m3');
    first.update(withFile);
    first.press('2');
    expect([first.actions, first.state().screen.overlays[0]]).toEqual([
      [],
      expect.objectContaining({ id: 'react.unknown-rule' }),
    ]);
    const known = on('m3', { capabilities: observe(keepsTexts, 'omittedFiles', 'kept', 1, 'x') });
    known.update(withFile);
    known.press('2');
    expect(known.actions).toEqual([{ ...react, name: 'heart', present: true, confirmed: false }]);
  });

  test('does not ask if nobody has reacted', () => {
    const { press, actions } = on('m2');
    press('2');
    expect(actions).toEqual([{ ...react, messageId: 'm2', name: 'heart', present: true, confirmed: false }]);
  });

  test("asks first if the text of somebody else could be lost, and does not ask for the user's own", () => {
    const unknown = { capabilities: {} };
    const theirs = on('m1', unknown);
    theirs.press('2');
    expect([theirs.actions, theirs.state().screen.overlays[0]]).toEqual([
      [],
      expect.objectContaining({ id: 'react.unknown-rule' }),
    ]);
    const own = on('m2', unknown);
    own.press('2');
    expect(own.actions).toHaveLength(1);
  });
});

test('\\ shows the text as it was typed, and formatted again', () => {
  const { press, state, notice } = on('m2');
  press('\\');
  expect(selectPlace(state(), 'with ann').rawId).toBe('m2');
  press('j', '\\');
  expect(selectPlace(state(), 'with ann').rawId).toBe('m3');
  press('\\');
  expect(selectPlace(state(), 'with ann').rawId).toBeNull();

  const none = on(null);
  none.press('\\');
  expect([none.notice(), notice()]).toEqual(['Select a message first', undefined]);
});

test('m unfolds a long message and then shows its next part from its first row, M shows the part before', () => {
  const { press, state, update, notice, calls } = on('m1');
  press('m');
  expect(notice()).toBe('All of this message is shown');
  update((before) => {
    const thread = before.cache.threads.get('with ann')!;
    const messages = thread.messages.map((message) => ({ ...message, text: 'word '.repeat(2000) }));
    return { ...before, cache: { ...before.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
  });
  const place = () => selectPlace(state(), 'with ann');
  press('m');
  expect([place().unfolded, calls.slice(-2)]).toEqual([['m1'], ['scroll "hold"', 'scroll {"rows":0}']]);
  press('m');
  expect(place()).toMatchObject({ part: { messageId: 'm1', starts: [4000] }, scroll: { messageId: 'm1', line: 0 } });
  expect(calls.at(-1)).toBe('scroll {"rows":0}');
  press('m', 'm');
  expect([place().part?.starts, notice()]).toEqual([[4000, 8000], 'This is the last part of the message']);
  press('M', 'M');
  expect(place().part?.starts).toEqual([]);
  press('M');
  expect([place().unfolded, calls.slice(-2)]).toEqual([[], ['reveal "m1"', 'scroll "release"']]);
  press('M');
  expect(notice()).toBe('This message is folded already');
  // A text that has become short is shown whole.
  press('m', 'm');
  update(changeText);
  press('m');
  expect(notice()).toBe('All of this message is shown');
});

test('p pins to the conversation and unpins', () => {
  const { press, actions } = on('m1');
  press('p', 'p');
  expect(actions).toEqual([
    { kind: 'conversation.pinMessage', conversationId: 'with ann', messageId: 'm1' },
    { kind: 'conversation.pinMessage', conversationId: 'with ann', messageId: null },
  ]);
});

describe('own messages that are not sent', () => {
  const pending = (fields: Partial<Op>) => {
    const op = eg.op({ kind: 'message.send', conversationId: 'with ann', text: 'words' }, { uuid: 'u1', ...fields });
    return on('op:u1', { outbox: [op] });
  };
  const ended = { started: 0, ended: 1_000, outcome: 'ambiguous', evidence: 'timeout' } as const;
  const checked = { state: 'unsure', scans: 2, attempts: [ended], lastScan: 31_000 } as const;

  test('R sends a refused message again, D discards it and keeps its text for Ctrl-Y', () => {
    const retry = pending({ state: 'failed' });
    retry.press('R');
    expect(retry.calls).toEqual(['retry "u1"']);
    const gone = pending({ state: 'failed' });
    gone.press('D');
    expect([gone.calls, gone.draft().kill]).toEqual([['discard "u1"'], 'words']);
    expect(gone.state().view.places.get('with ann')?.selectedId).toBeNull();
    expect(gone.state().screen.focus).toBe('composer');
  });

  test('e takes the text back into the composer, below the draft', () => {
    const { press, draft, calls, state, update } = pending({ state: 'failed' });
    update((now) => ({ ...now, local: { ...now.local, drafts: new Map([['with ann', eg.draft('mine')]]) } }));
    press('e');
    expect([draft().text, calls, state().screen.focus]).toEqual(['mine\nwords', ['discard "u1"'], 'composer']);
  });

  test('a text that begins with a slash comes back as it was typed, so that Enter sends it again', () => {
    const action = { kind: 'message.send', conversationId: 'with ann', text: '/quit' } as const;
    const { press, draft, actions } = on('op:u1', { outbox: [eg.op(action, { uuid: 'u1', state: 'failed' })] });
    press('e');
    expect(draft().text).toBe('//quit');
    press('enter');
    expect(actions).toMatchObject([action]);
  });

  test('e takes the attachments back with the text, and Enter sends them again without any text', () => {
    const attachments = [{ file_url: 'a.png' }];
    const action = { kind: 'message.send', conversationId: 'with ann', text: '', attachments } as const;
    const op = eg.op(action, { uuid: 'u1', state: 'failed' });
    const { press, draft, calls, actions } = on('op:u1', { outbox: [op] });
    press('e');
    expect([draft().text, draft().attachments, calls]).toEqual(['', attachments, ['discard "u1"']]);
    press('enter');
    expect(actions).toEqual([action]);
  });

  test('a message that is being sent is not changed', () => {
    const { press, calls, notice, draft } = pending({ state: 'sending' });
    press('D', 'e', 'R', 'd', '+');
    expect([calls, draft().text]).toEqual([[], '']);
    expect(notice()).toBe('This message has not been sent yet');
  });

  test('the reason why R does nothing goes when another command runs, an overlay opens or the server is reached again', () => {
    const op = eg.op({ kind: 'message.send', conversationId: 'with ann', text: 'words' }, { uuid: 'u1' });
    const refused = () => {
      const w = on('op:u1', { outbox: [op] });
      w.update(markOffline({ now: eg.now, reason: 'no answer', nextPollAt: eg.now + 5_000 }));
      w.press('R');
      expect(w.notice()).toMatch(/^It is sent as soon as the server answers/);
      return w;
    };
    for (const key of ['ctrl+k', 'f1', 'k', 'enter']) {
      const w = refused();
      w.press(key);
      expect(w.state().screen.notices).toEqual([]);
    }
    for (const change of [markOnline(eg.now), pushOverlay({ kind: 'token', typed: '' })]) {
      const w = refused();
      w.update(change);
      expect(w.state().screen.notices).toEqual([]);
    }
  });

  test('R on a waiting message says what it waits for, z takes it back', () => {
    const send = { kind: 'message.send', conversationId: 'with ann' } as const;
    const earlier = eg.op({ ...send, text: 'unsure words' }, { uuid: 'u0', seq: 1, state: 'unsure' });
    const op = eg.op({ ...send, text: 'words' }, { uuid: 'u1', seq: 2 });
    const held = on('op:u1', { outbox: [earlier, op] });
    held.press('R');
    expect(held.notice()).toContain('waits for an earlier message that is unsure');
    const refused = on('op:u1', { outbox: [op] });
    refused.update(markUnauthorized(eg.now, 'the server answered 401'));
    refused.press('R');
    expect(refused.notice()).toBe('It is sent once there is a new token');
    const passed = on('op:u1', { outbox: [{ ...earlier, skippedInOrder: true }, op] });
    passed.press('R');
    expect(passed.notice()).toMatch(/^It is sent by itself/);
    for (const selected of ['op:u1', 'm2']) {
      const { press, draft, calls } = on(selected, { outbox: [earlier, op] });
      press('z');
      expect([draft().text, calls]).toEqual(['words', ['discard "u1"']]);
    }
    const none = on('m2', { outbox: [earlier] });
    none.press('z');
    expect([none.calls, none.notice()]).toEqual([[], 'Nothing to undo']);
  });

  test('for a message without an answer R asks, and sends it again only after the checks', () => {
    const early = pending({ state: 'unsure', scans: 1 });
    early.press('R', 'r');
    expect([early.calls, early.state().screen.overlays]).toEqual([[], [{ kind: 'unsure', uuid: 'u1' }]]);
    expect(early.notice()).toContain('Still checking');
    const late = pending(checked);
    late.press('R', 'r');
    expect([late.calls, late.state().screen.overlays]).toEqual([['retry "u1"'], []]);
  });

  test('in that dialog the text can be taken back or discarded, or the message can wait', () => {
    const edit = pending(checked);
    edit.press('R', 'e');
    expect([edit.draft().text, edit.calls]).toEqual(['words', ['discard "u1"']]);
    const discard = pending(checked);
    discard.press('R', 'd');
    expect(discard.calls).toEqual(['discard "u1"']);
    const pass = pending(checked);
    pass.press('R', 'l');
    expect([pass.calls, pass.notice()]).toEqual([['letPass "u1"'], expect.stringContaining('go before it')]);
    const full = pending(checked);
    full.breakDisk();
    full.press('R', 'l');
    expect([full.calls, full.notice()]).toEqual([['letPass "u1"'], undefined]);
    const passed = pending({ ...checked, skippedInOrder: true });
    passed.press('R', 'l');
    expect([passed.calls, passed.notice()]).toEqual([[], 'Later messages go before it already']);
    const wait = pending(checked);
    wait.press('R', 'escape');
    expect([wait.calls, wait.state().screen.overlays]).toEqual([[], []]);
  });
});

test('a text that the server escaped is edited as it was written, and not changed if the edit changes nothing', () => {
  const escaping = observe({}, 'textChange', 'escape', 0, 'test');
  const { press, state, update, actions } = on('m2', { capabilities: escaping });
  update((before) => {
    const thread = before.cache.threads.get('with ann')!;
    const messages = thread.messages.map((one) => ({ ...one, text: 'a &lt; b' }));
    return { ...before, cache: { ...before.cache, threads: new Map([['with ann', { ...thread, messages }]]) } };
  });
  press('e');
  expect(state().local.drafts.get('with ann')).toMatchObject({ text: 'a < b', editing: { base: 'a &lt; b' } });
  press('enter');
  expect(actions).toEqual([]);
  expect(state().local.drafts.get('with ann')?.editing ?? null).toBeNull();
});
