import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppState, Place } from '../../src/state/model/app-state.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { placeNow, rememberPlace, selectJumps } from '../../src/state/view/jumps.ts';
import { selectMessage, setScroll } from '../../src/state/view/thread-place.ts';
import { setFocus } from '../../src/state/view/view.ts';
import { openStage } from '../bench/stage.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

const ann = 'with ann';
const at = (scroll: Place['scroll'], selectedId: string | null): Map<string, Place> =>
  new Map([[ann, { scroll, selectedId }]]);
const reading = { at: 'message', messageId: 'm2', line: 1 } as const;

const withPinned = (state: AppState, pinnedMessageId: string): AppState => {
  const conversation = { ...state.cache.conversations.get(ann)!, pinnedMessageId };
  return {
    ...state,
    cache: { ...state.cache, conversations: new Map(state.cache.conversations).set(ann, conversation) },
  };
};

const selected = ({ state }: World): string | null => selectPlace(state(), ann).selectedId;
const resting = (): Promise<void> => new Promise(setImmediate);

describe('jumps', () => {
  test('going back restores the scroll place, the selection and the focus; going forward returns to the target of the jump', () => {
    const there = world(withPinned(chat({ focus: 'messages', places: at(reading, 'm3') }), 'm1'));
    there.press('P');
    expect([selected(there), there.calls.at(-1)]).toEqual(['m1', 'show "m1"']);
    there.update(setFocus('composer'));
    there.press('alt+<');
    expect(selectPlace(there.state(), ann)).toEqual({ scroll: reading, selectedId: 'm3' });
    expect(there.state().screen.focus).toBe('messages');
    there.press('alt+>');
    expect([selected(there), there.state().screen.focus]).toEqual(['m1', 'composer']);
    there.press('alt+>');
    expect(there.notice()).toBe('This is the last place you jumped to');
  });

  test('lead to another conversation and back, and skip one that is gone', () => {
    const there = world(chat());
    there.update((state) => ({
      ...state,
      cache: { ...state.cache, unread: new Map([['crew', 2]]) },
    }));
    there.press('alt+a');
    expect(there.state().view.openId).toBe('crew');
    there.press('alt+<');
    expect(there.state().view.openId).toBe(ann);
    there.update((state) => {
      const conversations = new Map(state.cache.conversations);
      conversations.delete('crew');
      return { ...state, cache: { ...state.cache, conversations } };
    });
    there.press('alt+>');
    expect([there.state().view.openId, there.notice()]).toEqual([ann, 'The conversation of that place is gone']);
  });

  test('lead back to a conversation that was left at its end as it opens by any other key', async () => {
    const stage = await openStage({ messages: 3, conversations: 2 });
    onTestFinished(() => stage.close());
    stage.ui.context.update(rememberPlace);
    stage.ui.context.openConversation('c2');
    for (let i = 0; i < 40; i++) stage.service.say('c1', `news ${i}`);
    stage.engine.pollNow();
    await stage.clock.advance(30_000);
    await stage.press('alt+<');
    const { view, cache } = stage.store.getState();
    expect([view.openId, view.places.get('c1')?.scroll.at, cache.unread.get('c1')]).toEqual(['c1', 'message', 40]);
  });

  test('Alt-Home returns to where the first jump began, and going forward leads over all of them', () => {
    const there = world(chat());
    there.update((state) => ({ ...state, cache: { ...state.cache, unread: new Map([['crew', 2]]) } }));
    there.press('alt+home');
    expect(there.notice()).toBe('No jump was made yet');
    there.press('alt+>');
    expect(there.notice()).toBe('No jump was made yet');
    const before = there.state().view.openId;
    there.press('alt+a');
    there.update(rememberPlace);
    there.update(setScroll('crew', { at: 'message', messageId: 'x', line: 0 }));
    there.press('alt+home');
    expect(there.state().view.openId).toBe(before);
    expect(selectJumps(there.state()).back).toEqual([]);
    there.press('alt+<');
    expect(there.notice()).toBe('This is where you were before the first jump');
    there.press('alt+>');
    expect(there.state().view.openId).toBe('crew');
    there.press('alt+>');
    expect(selectPlace(there.state(), 'crew').scroll).toMatchObject({ messageId: 'x' });
  });

  test('jumps are bounded in number, and the same place is not stored twice in a row', () => {
    let state = rememberPlace(rememberPlace(chat()));
    expect(selectJumps(state).back).toHaveLength(1);
    for (let i = 0; i < 120; i++) {
      state = rememberPlace(setScroll(ann, { at: 'message', messageId: 'm1', line: i })(state));
    }
    expect(selectJumps(state).back).toHaveLength(50);
    expect(placeNow(state)).toMatchObject({ conversationId: ann, top: { id: 'm1' } });
    expect(placeNow(eg.state({}))).toBe(null);
  });

  test('a new jump ends the way forward', () => {
    const there = world(withPinned(chat({ focus: 'messages', places: at(reading, 'm3') }), 'm1'));
    there.press('P', 'alt+<', 'g');
    expect(selectJumps(there.state()).forward).toEqual([]);
    expect(selectJumps(there.state()).back).toHaveLength(1);
  });

  test('End in the empty composer goes to the newest and keeps the keyboard focus; in a text it goes to the end of the text', () => {
    const there = world(chat({ places: at(reading, null) }));
    there.press('end');
    expect([there.calls, there.state().screen.focus]).toEqual([['scroll "bottom"'], 'composer']);
    expect(selectJumps(there.state()).back).toHaveLength(1);
    there.press('ctrl+end');
    expect(there.calls).toHaveLength(2);
    there.type('words');
    there.press('home', 'end');
    expect([there.calls.length, there.draft().cursor]).toEqual([2, 5]);
  });
});

describe('a message further back', () => {
  const further = (): World => world(withPinned(chat({ focus: 'messages', places: at(reading, 'm3') }), 'old'));

  test('is fetched, which a notice says while it goes on', async () => {
    const there = further();
    there.press('P');
    expect(there.notice()).toBe('Fetching back to the pinned message… Esc stops');
    there.fetching()?.onPage(eg.now - 40 * 24 * eg.hour);
    expect(there.notice()).toMatch(/^Fetching back to the pinned message, now at \d+ \w+… Esc stops$/);
    expect(there.fetching()?.isWanted()).toBe(true);
    there.fetching()?.end({ found: { id: 'm1', createdAt: 0, rank: 0 }, trouble: null });
    await resting();
    expect([selected(there), there.state().view.seeking, there.notice()]).toEqual(['m1', null, undefined]);
    there.press('alt+<');
    expect(selectPlace(there.state(), ann)).toEqual({ scroll: reading, selectedId: 'm3' });
  });

  test('is no longer fetched after Esc, which changes nothing else', async () => {
    const there = further();
    there.press('P');
    const { isWanted, onPage, end } = there.fetching()!;
    there.press('escape');
    expect([isWanted(), there.notice(), there.state().screen.focus]).toEqual([false, undefined, 'messages']);
    onPage(0);
    end({ found: { id: 'm1', createdAt: 0, rank: 0 }, trouble: null });
    await resting();
    expect([selected(there), there.notice()]).toEqual(['m3', undefined]);
  });

  test('says why it could not be fetched', async () => {
    const there = further();
    there.press('P');
    there.fetching()?.end({ found: null, trouble: 'The server is down' });
    await resting();
    expect(there.notice()).toBe('Stopped fetching back to the pinned message: The server is down');
    there.press('P');
    there.fetching()?.end({ found: null, trouble: null });
    await resting();
    expect(there.notice()).toBe('The message is gone');
  });

  test('is no longer fetched when a sentence follows the letter at once', () => {
    const there = further();
    there.type('Perhaps', 80);
    expect([there.state().view.seeking, there.draft().text]).toEqual([null, 'Perhaps']);
  });
});

describe('a date', () => {
  test('the notice that nothing of it was understood ends with the prompt', () => {
    const there = world(chat());
    there.press('alt+g');
    there.type('someday');
    there.press('enter');
    there.press('escape');
    expect([there.state().screen.overlays, there.notice()]).toEqual([[], undefined]);
  });

  test('can be entered, and the first message at or after it is shown', () => {
    const there = world(chat());
    there.press('alt+g');
    there.type('someday');
    there.press('enter');
    // It fits the row below the prompt on a screen of 80 columns, with the keys beside it.
    expect(there.notice()).toMatch(/^This is not a date. Try .{1,45}$/);
    there.press('ctrl+u');
    there.type('2020-11-03');
    there.press('enter');
    expect(there.calls).toEqual([`find {"kind":"date","at":${new Date(2020, 10, 3).getTime()}}`, 'show "m1"']);
    expect(there.notice()).toBe('No message from 3 November 2020; this is the next one');
    there.press('alt+<');
    expect([there.state().screen.focus, selectPlace(there.state(), ann).scroll]).toEqual([
      'composer',
      { at: 'bottom' },
    ]);
  });

  test('is no longer reported as invalid once a date was typed', () => {
    const there = world(chat());
    there.press('alt+g');
    there.type('someday');
    there.press('enter', 'ctrl+u');
    there.type('today');
    there.press('enter');
    expect([there.calls.at(-1), there.state().screen.notices]).toEqual(['show "m1"', []]);
  });

  test('without a pinned message or an open conversation, the keys say so', () => {
    const there = world(selectMessage(ann, 'm2')(chat({ focus: 'messages' })));
    there.press('P');
    expect(there.notice()).toBe('No message is pinned here');
    const closed = world(chat({ openId: null, focus: 'list' }));
    closed.press('alt+g');
    expect(closed.notice()).toBe('Open a conversation first');
  });
});

describe('a reply', () => {
  const replied = (text: string): World => {
    const there = world(chat({ focus: 'messages', places: at({ at: 'bottom' }, 'm3') }));
    there.update((state) => {
      const thread = state.cache.threads.get(ann)!;
      const messages = thread.messages.map((one) => (one.id === 'm3' ? { ...one, text } : one));
      return { ...state, cache: { ...state.cache, threads: new Map([[ann, { ...thread, messages }]]) } };
    });
    return there;
  };

  test('leads to the message that it quotes, and back', () => {
    const there = replied('> ann wrote:\n> The ferry leaves at nine\nnoon?');
    there.press('Q');
    expect(selected(there)).toBe('m1');
    there.press('alt+<');
    expect(selected(there)).toBe('m3');
  });

  test('to a message that is not in memory is searched in the cache', () => {
    const there = replied('> bob wrote:\n> long ago\nnoon?');
    there.press('Q');
    expect(there.calls.at(0)).toContain(
      '{"kind":"quoted","quote":{"author":"bob","body":"long ago","end":24},"before":',
    );
  });

  test('without a quote says so', () => {
    const there = replied('> said somebody\nnoon?');
    there.press('Q');
    expect(there.notice()).toBe('This message quotes no other one');
  });
});
