import { describe, expect, test } from 'vitest';
import type { MessageSearchResult } from '../../src/state/model/app-state.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { messageSearch, selectMessageSearch, showSearchResult } from '../../src/state/search/message-search.ts';
import { parseSearch } from '../../src/state/search/search-query.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { setFocus } from '../../src/state/view/view.ts';

import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const found = (
  conversationId: string | null,
  words: readonly string[],
  ids: readonly string[],
): MessageSearchResult => ({
  identity: parseSearch(words.join(' ')).identity,
  words,
  conversationId,
  hits: ids.map((id) => ({ conversationId: 'with ann', message: eg.message({ id }), excerpt: id })),
  count: ids.length,
  coverage: { messages: 3, conversations: 1, known: 3, oldest: null, inPart: 0 },
  isDone: true,
});
const searching = (press: ReturnType<typeof world>) => selectMessageSearch(press.state());

describe('Ctrl-F', () => {
  test('searches the open conversation from the composer and from the messages, and Esc restores everything', () => {
    for (const focus of ['composer', 'messages'] as const) {
      const here = world(chat({ focus }));
      const { view } = here.state();
      here.press('ctrl+f');
      expect(searching(here)).toMatchObject({ conversationId: 'with ann', typed: '' });
      here.press('escape');
      expect(here.state().view).toEqual(view);
    }
  });

  test('searches the conversation that the list has selected', () => {
    const here = world(chat({ focus: 'list' }));
    here.press('j', 'ctrl+f');
    expect(searching(here)).toMatchObject({ conversationId: 'crew', here: 'crew' });
  });

  test('pressed again searches everywhere, and once more the conversation', () => {
    const here = world(chat());
    here.press('ctrl+f', 'ctrl+f');
    expect(searching(here)).toMatchObject({ conversationId: null, here: 'with ann' });
    here.press('ctrl+f');
    expect(searching(here)).toMatchObject({ conversationId: 'with ann' });
  });

  test('searches everywhere if no conversation is open, and says so', () => {
    const here = world(chat({ openId: null, focus: 'list', list: { ...chat().view.list, filter: 'nobody' } }));
    here.press('ctrl+f', 'ctrl+f');
    expect(searching(here)).toMatchObject({ conversationId: null, here: null });
    expect(here.notice()).toContain('everywhere');
  });

  test.each([
    ['in:crew m', 'in: names the conversations'],
    ['-in:crew m', undefined],
  ])('switches between the conversation and everywhere, unless in: names the conversations: %s', (typed, said) => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText(typed));
    here.press('ctrl+f');
    expect(here.notice()).toBe(said);
  });
});

describe('Enter', () => {
  test('goes to the chosen message', () => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText('m'));
    here.update(showSearchResult(found('with ann', ['m'], ['m3', 'm1'])));
    here.press('down', 'down', 'enter');
    expect(here.calls).toEqual(['show "m1"']);
    expect(here.state().screen.overlays).toEqual([]);
    expect(here.notice()).toBe(undefined);
  });

  test.each([
    ['among the first rows it stays folded', 'line 3', null],
    ['further down it is unfolded and scrolled', 'line 100', { line: 100, begins: 'line 0' }],
    ['in a later part, that is shown', 'line 250', { line: 50, begins: 'line 200' }],
  ])('a long message is shown where the words are: %s', (_, phrase, shown) => {
    const { here, text } = withLongMessage();
    openHit(here, phrase);
    const { scroll, unfolded, part } = selectPlace(here.state(), 'with ann');
    expect(unfolded).toEqual(shown === null ? undefined : ['long']);
    if (shown === null) return;
    expect(scroll).toEqual({ at: 'message', messageId: 'long', line: shown.line });
    expect(text.slice(part?.starts.at(-1) ?? 0).split('\n')[0]).toBe(shown.begins);
  });

  test('a long message that an earlier search has turned to a later part is shown from its beginning again', () => {
    const { here } = withLongMessage();
    for (const phrase of ['line 250', 'line 3']) {
      openHit(here, phrase);
    }
    const { scroll, part } = selectPlace(here.state(), 'with ann');
    expect(part).toBeUndefined();
    expect(scroll).toEqual({ at: 'message', messageId: 'long', line: 3 });
  });

  test('is followed by n and N, which go to the other hits', () => stepThroughHits('standard'));

  test('n says of which hit the message is gone, and goes on to the next one', () => {
    const here = world(chat({ focus: 'messages' }));
    here.press('ctrl+f');
    here.update(typeText('m'));
    here.update(showSearchResult(found('with ann', ['m'], ['m3', 'deleted', 'm1'])));
    here.press('enter');
    here.update(setFocus('messages'));
    here.press('n');
    expect(here.notice()).toBe('Hit 2 of 3: the message is gone');
    here.press('n');
    expect(here.notice()).toBe('Hit 3 of 3');
  });

  test('is followed by n and N in the profile vim, too', () => stepThroughHits('vim'));

  test('does not go to a message that was found for other words', () => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText('m'));
    here.update(showSearchResult(found('with ann', ['m'], ['m3'])));
    here.update(typeText('m1'));
    here.press('enter');
    expect(here.calls).toEqual([]);
    expect(here.notice()).toContain('Still searching');
    expect(searching(here)?.typed).toBe('m1');
  });

  test('says when the message is gone', () => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText('m'));
    here.update(showSearchResult(found('with ann', ['m'], ['deleted'])));
    here.press('enter');
    expect(here.notice()).toBe('The message is gone');
  });

  test('does nothing if nothing was found', () => {
    const here = world(chat());
    here.press('ctrl+f', 'enter');
    expect(here.calls).toEqual([]);
    expect(here.notice()).toBe(undefined);
    here.update(typeText('m'));
    here.update(showSearchResult(found('with ann', ['m'], [])));
    here.press('enter');
    expect(searching(here)).not.toBe(null);
  });
});

/** A conversation with one message of 300 lines. */
function withLongMessage() {
  const here = world(chat());
  const text = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n');
  const long = eg.message({ id: 'long', conversationId: 'with ann', text });
  here.update((state) => ({
    ...state,
    cache: { ...state.cache, threads: new Map([['with ann', eg.thread([long])]]) },
  }));
  return { here, text };
}

/** Searches for a phrase that the long message has, and opens it there. */
function openHit(here: ReturnType<typeof world>, phrase: string): void {
  here.press('ctrl+f');
  here.update(typeText(`"${phrase}"`));
  const { identity } = parseSearch(`"${phrase}"`);
  here.update(showSearchResult({ ...found('with ann', [phrase], ['long']), identity }));
  here.press('enter');
}

function stepThroughHits(profile: 'standard' | 'vim'): void {
  const here = world(chat({ focus: 'messages' }));
  here.update((state) => ({ ...state, settings: { ...state.settings, keys: { ...state.settings.keys, profile } } }));
  here.press('n');
  expect(here.notice()).toBe('Find something in the messages first');
  here.press('ctrl+f');
  here.update(typeText('m'));
  here.update(showSearchResult(found('with ann', ['m'], ['m3', 'm2', 'm1'])));
  here.press('enter');
  here.update(setFocus('messages'));
  here.press('n', 'n', 'n');
  expect(here.calls).toEqual(['show "m3"', 'show "m2"', 'show "m1"']);
  expect(here.notice()).toBe('This is the last hit');
  here.press('N');
  expect(here.calls.at(-1)).toBe('show "m2"');
  expect(here.notice()).toBe('Hit 2 of 3');
}

describe('F5', () => {
  const inPart = (words: readonly string[], id: string | null = 'with ann') => {
    const result = found(id, words, ['m3']);
    return { ...result, coverage: { ...result.coverage, inPart: 1 } };
  };
  const searched = () => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText('m'));
    here.update(showSearchResult(inPart(['m'])));
    return here;
  };

  test('fetches older messages page by page, and searches each page, until the search is closed', () => {
    const here = searched();
    here.press('f5');
    expect(here.calls).toEqual(['fetchBack {"kind":"first"}']);
    const wanted = () => messageSearch(async function* () {}).wanted(here.state());
    expect(wanted()).toBeNull();
    here.fetching()?.onPage(eg.now);
    expect([wanted() === null, searching(here)?.fetched?.oldest]).toEqual([false, eg.now]);
    here.update(showSearchResult(inPart(['m'])));
    expect(wanted()).toBeNull();
    here.fetching()?.onPage(eg.now - eg.hour);
    expect(wanted()).not.toBeNull();
    expect(here.fetching()?.isWanted()).toBe(true);
    here.press('escape');
    expect(here.fetching()?.isWanted()).toBe(false);
  });

  test('keeps the search running while pages come, removes nothing that was found, and repeats the search at the end', async () => {
    const here = searched();
    const wanted = () => messageSearch(async function* () {}).wanted(here.state());
    here.press('f5');
    here.fetching()?.onPage(eg.now);
    const underWay = wanted();
    const { coverage, ...result } = inPart(['m']);
    here.update(
      showSearchResult({ ...result, hits: [], count: 0, coverage: { ...coverage, messages: 1 }, isDone: false }),
    );
    expect(searching(here)?.result?.count).toBe(1);
    here.fetching()?.onPage(eg.now - eg.hour);
    expect(wanted()).toBe(underWay);
    here.fetching()?.end({ found: null, trouble: null });
    await Promise.resolve();
    expect([null, underWay]).not.toContain(wanted());
  });

  test('pressed again stops fetching, and the reason why it ended is reported', async () => {
    const here = searched();
    here.press('f5', 'f5');
    expect([here.fetching()?.isWanted(), searching(here)?.fetched?.isOver]).toEqual([false, true]);
    here.wait(10);
    here.press('f5');
    here.fetching()?.end({ found: null, trouble: 'no answer' });
    await Promise.resolve();
    expect([here.notice(), searching(here)?.fetched?.isOver]).toEqual(['Stopped fetching: no answer', true]);
  });

  test('says so if the first message is cached and others after it are missing', async () => {
    const here = searched();
    here.press('f5');
    here.fetching()?.end({ found: null, trouble: null });
    await Promise.resolve();
    expect(here.notice()).toMatch(/^The server gives nothing older; what is missing in between/);
  });

  test.each([
    ['', inPart([]), 'Type what to find first'],
    ['m', found('with ann', ['m'], []), 'All messages of this conversation are kept here'],
    ['n', inPart(['m']), 'Still searching for what was typed last'],
    ['in:crew m', inPart(['in:crew m'], null), 'Older messages are fetched for one conversation at a time'],
  ])('fetches nothing if nothing can be fetched for the search: %s', (typed, result, said) => {
    const here = world(chat());
    here.press('ctrl+f');
    here.update(typeText(typed));
    here.update(showSearchResult(result));
    here.press('f5');
    expect([here.calls, here.notice()]).toEqual([[], said]);
  });
});
