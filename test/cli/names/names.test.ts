/** What a typed name of a conversation, person or message means, and what an ambiguous or unknown one reports. */
import { beforeEach, describe, expect, test } from 'vitest';
import { matchConversation } from '../../../src/cli/names/conversations.ts';
import { foldedName, shortestPrefix } from '../../../src/cli/names/match.ts';
import { matchMessage, type Whose } from '../../../src/cli/names/messages.ts';
import { requireConversation, requireMessage, requirePerson } from '../../../src/cli/names/one-or-error.ts';
import { matchPerson } from '../../../src/cli/names/people.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import type { Contact, Conversation } from '../../../src/protocol/types.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { selectConversationName } from '../../../src/state/select/names.ts';
import * as eg from '../../support/builders/eg.ts';

const contacts: readonly Contact[] = [
  eg.contact({ id: 'p-ann', username: 'Ann Wells' }),
  eg.contact({ id: 'p-bob-1-345678901', username: 'bob', phoneNumber: '+44 20 7946 0000' }),
  eg.contact({ id: 'p-bob2-3456789012', username: 'bob' }),
  eg.contact({ id: 'p-straße', username: 'Straße' }),
  eg.contact({ id: 'p-iryna-345678901', username: 'Ірина Коваль' }),
  eg.contact({ id: 'p-sato', username: '佐藤 花子' }),
  eg.contact({ id: 'p-jose', username: 'Jose\u0301' }),
  eg.contact({ id: 'p-abcd', username: 'c0ff' }),
  eg.contact({ id: 'p-upper', username: 'MAX' }),
  eg.contact({ id: 'p-lower', username: 'max' }),
  eg.contact({ id: 'p-at', username: 'cyd' }),
  eg.contact({ id: 'p-literal', username: '@cyd' }),
  eg.contact({ id: 'p-id', username: 'c-ann-1' }),
];

const withPerson = (id: string, contactId: string): Conversation => eg.conversation({ id, contactId });

const conversations: readonly Conversation[] = [
  withPerson('c-ann-1', 'p-ann'),
  withPerson('c-bob-1-345678901', 'p-bob-1-345678901'),
  withPerson('c-bob-2-345678901', 'p-bob2-3456789012'),
  withPerson('strasse-1', 'p-straße'),
  withPerson('iryna-1', 'p-iryna-345678901'),
  withPerson('sato-1', 'p-sato'),
  withPerson('jose-1', 'p-jose'),
  withPerson('c0ffee-1-2345678901', 'p-abcd'),
  withPerson('c0ff-2', 'p-sato2'),
  withPerson('max-upper', 'p-upper'),
  withPerson('max-lower', 'p-lower'),
  withPerson('cyd-1', 'p-at'),
  withPerson('cyd-2', 'p-literal'),
  withPerson('dup-of-id', 'p-id'),
  eg.conversation({ id: 'crew-1', groupId: 'group-crew-456789' }),
  eg.conversation({ id: 'crew-2', groupId: 'group-other-56789' }),
];

let state: AppState;

beforeEach(() => {
  state = eg.state({
    cache: {
      conversations: new Map(conversations.map((one) => [one.id, one])),
      contacts: new Map(contacts.map((one) => [one.id, one])),
    },
    local: {
      names: new Map([
        ['group-crew-456789', 'Harbour crew'],
        ['p-bob2-3456789012', 'Robert'],
      ]),
    },
  });
});

/** The ids that a name means: one, several or none. */
function meaning(typed: string): readonly string[] {
  const match = matchConversation(state, typed);
  if (match.kind === 'one') return [match.item.id];
  return match.kind === 'none' ? [] : match.items.map(({ id }) => id);
}

describe('the name of a conversation', () => {
  test.each([
    ['the exact id', 'c-bob-1-345678901', ['c-bob-1-345678901']],
    ['an id that is also the name of somebody else', 'c-ann-1', ['c-ann-1']],
    ['the id of the contact', 'p-ann', ['c-ann-1']],
    ['the id of the group', 'group-crew-456789', ['crew-1']],
    ['a name with a space', 'Ann Wells', ['c-ann-1']],
    ['other upper and lower case', 'ann wells', ['c-ann-1']],
    ['white space around and between', '  Ann   Wells ', ['c-ann-1']],
    ['a part of a name', 'Ann', []],
    ['a name in Cyrillic', 'ірина коваль', ['iryna-1']],
    ['a name in Japanese', '佐藤 花子', ['sato-1']],
    ['an accent that is composed in another way', 'Jos\u00e9', ['jose-1']],
    ['a letter that becomes two in upper case', 'STRASSE', ['strasse-1']],
    ['the name that the user gave', 'robert', ['c-bob-2-345678901']],
    ['a username that two people have', 'bob', ['c-bob-1-345678901', 'c-bob-2-345678901']],
    ['a phone number', '+44 20 7946 0000', ['c-bob-1-345678901']],
    ['the exact case before the other one', 'MAX', ['max-upper']],
    ['neither case', 'Max', ['max-upper', 'max-lower']],
    ['a name that is the beginning of two ids', 'c0ff', ['c0ffee-1-2345678901']],
    ['the beginning of one id', 'c0ffe', ['c0ffee-1-2345678901']],
    ['the beginning of several ids', 'c-bob', ['c-bob-1-345678901', 'c-bob-2-345678901']],
    ['a beginning of an id that is too short', 'iry', []],
    ['the beginning of an id in another case', 'IRYN', []],
    ['@username', '@bob', ['c-bob-1-345678901', 'c-bob-2-345678901']],
    ['@username with a space and another case', '@ann wells', ['c-ann-1']],
    ['@username before a name that begins with @', '@cyd', ['cyd-1']],
    ['@ and the name that the user gave', '@robert', []],
    ['#group by its name', '#harbour crew', ['crew-1']],
    ['#group by the beginning of its id', '#group-o', ['crew-2']],
    ['#group by the beginning of several ids', '#group', ['crew-1', 'crew-2']],
    ['a group as the screen names it', 'Group #-56789', ['crew-2']],
    ['#group by the end of its id, as the screen names it', '#-56789', ['crew-2']],
    ['a conversation of somebody unknown, as the screen names it', 'contact #p-sato2', ['c0ff-2']],
    ['nothing', '', []],
    ['white space', '  ', []],
    ['@ alone', '@', []],
    ['a key of every object', '__proto__', []],
  ])('%s: %s', (_, typed, ids) => {
    expect(meaning(typed)).toEqual(ids);
  });

  test.each([
    ['emoji', '🎉 party'],
    ['emoji of several characters', '👨‍👩‍👧 family'],
    ['a minus in front', '-rf'],
    ['the form of an option', '--json'],
    ['a text from right to left', 'אבג דה'],
    ['a direction override', 'a\u202eb'],
    ['an isolate', '\u2068iso\u2069'],
    ['a control sequence', 'esc\u001b[31mred'],
    ['a line end', 'nl\nx'],
    ['a NUL', 'nul\0x'],
    ['a character without width', 'zero\u200bwidth'],
    ['half a character', '\ud83d lone'],
    ['quotation marks', '"it\'s"'],
  ])('is found as written and as shown, with %s: %j', (_, name) => {
    const group = eg.conversation({ id: 'weird-group', groupId: 'group-weird' });
    const person = eg.contact({ id: 'p-weird', username: name });
    const known: AppState = eg.state({
      cache: {
        conversations: new Map([
          ['weird-1', withPerson('weird-1', 'p-weird')],
          ['weird-group', group],
        ]),
        contacts: new Map([['p-weird', person]]),
      },
      local: { names: new Map([['group-weird', `${name} group`]]) },
    });
    const found = (typed: string) => matchConversation(known, typed);
    const shown = selectConversationName(known, 'weird-1');
    for (const typed of [name, shown, `@${name}`, `@${shown}`]) {
      expect(found(typed), typed).toMatchObject({ kind: 'one', item: { id: 'weird-1' } });
      expect(matchPerson(known, typed), typed).toMatchObject({ kind: 'one', item: { id: 'p-weird' } });
    }
    const shownGroup = selectConversationName(known, 'weird-group');
    for (const typed of [`${name} group`, shownGroup, `#${name} group`, `#${shownGroup}`])
      expect(found(typed), typed).toMatchObject({ kind: 'one', item: { id: 'weird-group' } });
  });

  test('an ambiguous name lists at most twenty candidates', () => {
    const many = Array.from({ length: 30 }, (_, i) => withPerson(`many-0123456789-${i}`, `x-${i}`));
    const known = eg.state({ cache: { conversations: new Map(many.map((one) => [one.id, one])) } });
    let error: unknown;
    try {
      requireConversation(known, 'many');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 2, message: expect.stringContaining('30 conversations; use an id, such as') });
    expect((error as ExitError).details.candidates).toHaveLength(20);
  });

  test('an ambiguous name is a usage error with its candidates, an unknown name is not found', () => {
    const failed = (typed: string): ExitError => {
      try {
        requireConversation(state, typed);
      } catch (error) {
        if (error instanceof ExitError) return error;
      }
      throw new Error('it was found');
    };
    const several = failed('c-bob');
    expect(several).toMatchObject({ code: 2, details: { name: 'ambiguous' } });
    expect(several.details.candidates).toEqual([
      { id: 'c-bob-1-345678901', name: 'bob' },
      { id: 'c-bob-2-345678901', name: 'Robert' },
    ]);
    expect(failed('nobody')).toMatchObject({
      code: 5,
      message: expect.stringMatching(/^there is no conversation "nobody"; .*msg-tui new/),
      details: {},
    });
    expect(failed('Wells')).toMatchObject({ code: 5, details: { candidates: [{ id: 'c-ann-1', name: 'Ann Wells' }] } });
    expect(requireConversation(state, 'cyd').id).toBe('cyd-1');
  });
});

describe('the name of a person', () => {
  test.each([
    ['the exact id', 'p-bob-1-345678901', 'p-bob-1-345678901'],
    ['@username', '@CYD', 'p-at'],
    ['a name', '佐藤 花子', 'p-sato'],
    ['the name that the user gave', 'Robert', 'p-bob2-3456789012'],
    ['the beginning of an id', 'p-ir', 'p-iryna-345678901'],
    ['the beginning of several ids', 'p-bo', 'several'],
    ['nobody', 'nobody', 'none'],
  ])('%s: %s', (_, typed, id) => {
    const match = matchPerson(state, typed);
    expect(match.kind === 'one' ? match.item.id : match.kind).toBe(id);
  });

  test('the errors name people and not conversations', () => {
    expect(() => requirePerson(state, 'p-bo')).toThrow('"p-bo" is the name of 2 people; use an id:');
    expect(() => requirePerson(state, 'nobody')).toThrow('there is no person "nobody"; people are known once');
  });
});

describe('the name of a message', () => {
  const me = eg.contact({ id: 'me' });
  const messages = [
    eg.message({ id: 'last', contact: contacts[0] ?? null }),
    eg.message({ id: 'abcd-1-3456789012', contact: me }),
    eg.message({ id: 'abcd-2-3456789012', contact: me }),
    eg.message({ id: 'efgh-1-3456789012', contact: contacts[0] ?? null }),
  ];
  const owner = () => eg.state({ local: { me: { contactId: 'me', username: 'me', isConfirmed: true } } });

  test.each([
    ['an exact id', 'abcd-1-3456789012', 'abcd-1-3456789012'],
    ['the beginning of an id', 'efgh', 'efgh-1-3456789012'],
    ['the beginning of several ids', 'abcd', 'several'],
    ['an id that is the word for the newest own message', 'last', 'last'],
    ['an unknown one', 'zzzz', 'none'],
  ])('%s', (_, typed, id) => {
    const match = matchMessage(owner(), messages, typed, 'own');
    expect(match.kind === 'one' ? match.item.id : match.kind).toBe(id);
  });

  test('"last" is the newest own message, the newest one of others, or the newest of all', () => {
    const last = (from: number, whose: Whose): string =>
      requireMessage(owner(), messages.slice(from), 'last', whose).id;
    expect([last(1, 'own'), last(1, 'others'), last(1, 'all')]).toEqual([
      'abcd-2-3456789012',
      'efgh-1-3456789012',
      'efgh-1-3456789012',
    ]);
    expect(() => last(3, 'own')).toThrow('none of the newest messages is yours');
    expect(() => last(4, 'others')).toThrow('none of the newest messages is of somebody else');
    const nameless = messages.slice(1).map((message) => ({ ...message, contact: null }));
    expect(() => requireMessage(owner(), nameless, 'last', 'own')).toThrow(
      'it is not known which messages are yours; give the id, which msg-tui read with --ids prints',
    );
  });
});

test('a shortened id is not the beginning of another one', () => {
  expect(shortestPrefix('aaaaaaaaaaaaaaaa', ['aaaaaaaaab', 'bbbb'])).toBe('aaaaaaaaaa');
  expect(shortestPrefix('abcdefghijklmnop', ['zzzz'])).toBe('abcdefgh');
  expect(shortestPrefix('abcdefghijklmno', ['zzzz'])).toBe('abcdefghijklmno');
  expect(shortestPrefix('abcd', ['abcde'])).toBe('abcd');
  expect(foldedName('ΣΊΣΥΦΟΣ')).toBe(foldedName('σίσυφος'));
});

test('the beginning of a short id is not accepted, as it may be the whole id of another message', () => {
  const counting = eg.state({ conversations: [withPerson('12345', '77777')], contacts: [eg.contact({ id: '77777' })] });
  expect([matchConversation(counting, '1234').kind, matchConversation(counting, '7777').kind]).toEqual([
    'none',
    'none',
  ]);
  expect([matchPerson(counting, '7777').kind, matchPerson(counting, '77777').kind]).toEqual(['none', 'one']);
  expect(matchMessage(counting, [eg.message({ id: '12345' })], '1234', 'all').kind).toBe('none');
});
