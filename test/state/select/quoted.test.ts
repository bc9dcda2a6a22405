import { describe, expect, test } from 'vitest';
import { setName } from '../../../src/state/local/own-names.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { publicName, selectQuoted } from '../../../src/state/select/quoted.ts';
import { selectThreadItems } from '../../../src/state/select/selectors.ts';
import * as eg from '../../support/builders/eg.ts';

const people = ['ann', 'bob', 'me'].map((id) => eg.contact({ id, username: id }));

/** Each `[author, text]`, one minute after the other. */
function conversation(...said: readonly (readonly [string, string])[]): AppState {
  const messages = said.map(([author, text], index) =>
    eg.message({
      id: `m${index}`,
      conversationId: 'c',
      contact: people.find(({ id }) => id === author) ?? null,
      text,
      createdAt: eg.now + index * eg.minute,
    }),
  );
  return eg.state({
    conversations: [eg.conversation({ id: 'c', groupId: 'g' })],
    contacts: people,
    cache: { threads: new Map([['c', eg.thread(messages)]]) },
    local: { me: { contactId: 'me', username: 'me' } },
  });
}

function quotedBy(state: AppState, index = -1) {
  const item = selectThreadItems(state, 'c').at(index);
  return item === undefined ? null : selectQuoted(state, 'c', item);
}

const long = Array.from({ length: 9 }, (_, i) => `line ${i}`).join('\n');

describe('the message that a reply quotes', () => {
  test('is found by its author and its text, and shown as it is', () => {
    const state = conversation(
      ['ann', 'The ferry leaves at nine'],
      ['bob', '> ann wrote:\n> The ferry leaves at nine\nThanks'],
    );
    expect(quotedBy(state)).toMatchObject({ messageId: 'm0', author: 'ann', text: 'The ferry leaves at nine' });
    expect(quotedBy(state)).toBe(quotedBy(state));
  });

  test('is found if the quote was cut, and if it quotes another message itself', () => {
    const cut = '> ann wrote:\n> line 0\n> line 1\n> line 2\n> …\nok';
    expect(quotedBy(conversation(['ann', long], ['bob', cut]))?.messageId).toBe('m0');
    const answer = '> ann wrote:\n> nine?\nYes';
    expect(
      quotedBy(conversation(['ann', 'nine?'], ['bob', answer], ['ann', '> bob wrote:\n> Yes\nFine'])),
    ).toMatchObject({
      messageId: 'm1',
      text: 'Yes',
    });
  });

  test('is the nearest one before the reply of several that are alike', () => {
    const state = conversation(
      ['ann', 'ok'],
      ['bob', 'ok'],
      ['ann', 'ok'],
      ['me', '> ann wrote:\n> ok\nGood'],
      ['ann', 'ok'],
    );
    expect(quotedBy(state, 3)?.messageId).toBe('m2');
  });

  test.each([
    ['was never written', '> ann wrote:\n> I resign\nOh'],
    ['was written by somebody else', '> bob wrote:\n> I do not agree at all\nOh'],
    ['says more than the quote admits', '> ann wrote:\n> I\nOh'],
    ['says more than the quote admits, or less', '> ann wrote:\n> I do not agree at all\n> …\nOh'],
    ['is not named', '> I do not agree at all\nOh'],
  ])('is not found if it %s', (_, text) => {
    expect(quotedBy(conversation(['ann', 'I do not agree at all'], ['bob', text]))).toBe(null);
  });

  test('is not found after the reply, and is not the reply itself', () => {
    expect(quotedBy(conversation(['bob', '> ann wrote:\n> later\nOh'], ['ann', 'later']), 0)).toBe(null);
  });

  test('is not shown any more once it is gone or says something else', () => {
    const state = conversation(['ann', 'secret'], ['bob', '> ann wrote:\n> secret\nOh']);
    expect(quotedBy(state)).not.toBe(null);
    const thread = state.cache.threads.get('c')!;
    const changed = thread.messages.map((one, i) => (i === 0 ? { ...one, text: 'nothing' } : one));
    for (const messages of [thread.messages.slice(1), changed]) {
      const next = { ...state, cache: { ...state.cache, threads: new Map([['c', { ...thread, messages }]]) } };
      expect(quotedBy(next)).toBe(null);
    }
  });

  test('keeps its spoilers covered, and is shown without the fence of a code block', () => {
    const spoiler = conversation(
      ['ann', 'It was ||the | butler||'],
      ['bob', '> ann wrote:\n> It was ||the | butler||\nOh'],
    );
    expect(quotedBy(spoiler)?.text).toBe('It was ||…||');
    const long = `It was ||the butler${' and the gardener'.repeat(40)}||`;
    const cut = long.slice(0, 300);
    expect(quotedBy(conversation(['ann', long], ['bob', `> ann wrote:\n> ${cut}\n> …\nOh`]))?.text).toBe(
      'It was ||…||',
    );
    const bars = conversation(['ann', 'a || b || c'], ['bob', '> ann wrote:\n> a || b || c\nOh']);
    expect(quotedBy(bars)?.text).toBe('a || b || c');
    const code = conversation(['ann', '```js\nlet a\n```'], ['bob', '> ann wrote:\n> ```js\n> let a\n> ```\nOh']);
    expect(quotedBy(code)?.text).toBe('let a');
  });
});

describe('the name of an author in a quote', () => {
  test('is the one that others know, never the one that the user has given', () => {
    const state = setName({ kind: 'contact', id: 'ann' }, 'Annoying')(conversation(['ann', 'hi'], ['me', 'ho']));
    const [first, second] = state.cache.threads.get('c')!.messages;
    expect([publicName(state, first!), publicName(state, second!)]).toEqual(['ann', 'me']);
    expect(publicName(state, { ...first!, contact: null })).toBe(null);
  });
});
