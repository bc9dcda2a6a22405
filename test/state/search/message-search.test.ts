import { describe, expect, test } from 'vitest';
import type { AppState, MessageSearchResult } from '../../../src/state/model/app-state.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import {
  openMessageSearch,
  selectHits,
  selectMessageSearch,
  showSearchResult,
  toggleSearchScope,
} from '../../../src/state/search/message-search.ts';
import { parseSearch } from '../../../src/state/search/search-query.ts';
import type { Transition } from '../../../src/state/store.ts';
import { moveChoice } from '../../../src/state/view/overlays.ts';
import * as eg from '../../support/builders/eg.ts';

const ann = eg.contact({ id: 'ann', username: 'Ann' });
const base = eg.state({
  conversations: [eg.conversation({ id: 'c1', contactId: 'ann' }), eg.conversation({ id: 'c2', groupId: 'g' })],
  contacts: [ann],
  local: { me: { contactId: 'me', username: 'me' } },
});
const through = (...transitions: readonly Transition[]): AppState =>
  transitions.reduce((state, transition) => transition(state), base);

const found = (ids: readonly string[], fields: Partial<MessageSearchResult> = {}): MessageSearchResult => ({
  identity: parseSearch('ferry').identity,
  words: ['ferry'],
  conversationId: 'c1',
  hits: ids.map((id) => ({
    conversationId: 'c1',
    message: eg.message({ id, contact: ann }),
    excerpt: `ferry\u001b ${id}`,
  })),
  count: ids.length,
  coverage: { messages: 5, conversations: 1, known: 2, oldest: 1, inPart: 1 },
  isDone: false,
  ...fields,
});
const asked = [openMessageSearch('c1'), typeText('Ferry ')] as const;

describe('the message search', () => {
  test('accepts only results for the current words and scope', () => {
    expect(selectMessageSearch(through(...asked, showSearchResult(found(['m1']))))?.result?.count).toBe(1);
    const before = through(...asked);
    expect(showSearchResult(found(['m1'], { identity: parseSearch('ferr').identity }))(before)).toBe(before);
    expect(showSearchResult(found(['m1'], { conversationId: null }))(before)).toBe(before);
    expect(showSearchResult(found(['m1']))(base)).toBe(base);
  });

  test('shows earlier results until the next answer, chooses the first again, and shows nothing without words', () => {
    const found1 = [...asked, showSearchResult(found(['m1', 'm2'])), moveChoice(1, 2)];
    expect(selectMessageSearch(through(...found1))?.selected).toBe(1);
    expect(selectMessageSearch(through(...found1, typeText('ferry nine')))).toMatchObject({
      selected: 0,
      result: { count: 2 },
    });
    expect(selectMessageSearch(through(...found1, typeText(' ')))?.result).toBe(null);
  });

  test('keeps a moved choice on its message while more is found above it; otherwise the first stays chosen', () => {
    const more = showSearchResult(found(['m9', 'm8', 'm2', 'm1']));
    expect(
      selectMessageSearch(through(...asked, showSearchResult(found(['m2', 'm1'])), moveChoice(1, 2), more))?.selected,
    ).toBe(3);
    expect(selectMessageSearch(through(...asked, showSearchResult(found(['m2', 'm1'])), more))?.selected).toBe(0);
  });

  test('changes between here and everywhere, without the results of the other', () => {
    const wide = through(...asked, showSearchResult(found(['m1'])), toggleSearchScope);
    expect(selectMessageSearch(wide)).toMatchObject({
      conversationId: null,
      here: 'c1',
      typed: 'Ferry ',
      result: null,
    });
    expect(selectMessageSearch(toggleSearchScope(wide))?.conversationId).toBe('c1');
    const nowhere = openMessageSearch(null)(base);
    expect(toggleSearchScope(nowhere)).toBe(nowhere);
  });

  test('shows results with names and without control characters, and keeps their objects', () => {
    const state = through(...asked, showSearchResult(found(['m1'])));
    expect(selectHits(state)).toMatchObject([
      { id: expect.stringMatching(/ m1$/), author: 'Ann', where: 'Ann', line: 'ferry␛ m1' },
    ]);
    expect(selectHits(moveChoice(0, 1)(state))).toBe(selectHits(state));
    expect(selectHits(base)).toEqual([]);
  });

  test('covers spoilers in results', () => {
    const text = 'the ferry ||sinks|| at nine';
    const hits = [{ conversationId: 'c1', message: eg.message({ text }), excerpt: text }];
    const state = through(...asked, showSearchResult(found([], { hits })));
    expect(selectHits(state)).toMatchObject([{ line: 'the ferry ||…|| at nine' }]);
  });
});
