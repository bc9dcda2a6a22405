/** Who the user is, learned from what others' and own messages say. */
import { expect, test } from 'vitest';
import { inferIdentity, ownership } from '../../../src/state/local/identity.ts';
import * as eg from '../../support/builders/eg.ts';

const ann = eg.contact({ id: 'ann' });
const own = eg.contact({ id: 'me', username: 'mara' });
const state = eg.state({
  cache: {
    conversations: new Map([
      ['c', eg.conversation({ id: 'c', contactId: 'ann', groupId: null })],
      ['g', eg.conversation({ id: 'g', contactId: null, groupId: 'crew' })],
    ]),
  },
});
const from = (contact: typeof ann) => eg.message({ contact });

test('in a conversation with a contact the other author is the user', () => {
  expect(inferIdentity('c', [from(ann), from(own)])(state).local.me).toEqual({ contactId: 'me', username: 'mara' });
});

test('nothing is inferred if it cannot be known', () => {
  expect(inferIdentity('g', [from(ann), from(own)])(state)).toBe(state);
  expect(inferIdentity('c', [from(own)])(state)).toBe(state);
  expect(inferIdentity('c', [from(ann)])(state)).toBe(state);
});

test('somebody who writes to two contacts is the user, also before either has answered', () => {
  const holding = (contactId: string) => {
    const conversations = new Map([
      ...state.cache.conversations,
      ['d', eg.conversation({ id: 'd', contactId, groupId: null })] as const,
    ]);
    const lastMessages = new Map([['d', eg.message({ contact: own, conversationId: 'd' })]]);
    return { ...state, cache: { ...state.cache, conversations, lastMessages } };
  };
  expect(inferIdentity('c', [from(own)])(holding('bob')).local.me).toEqual({ contactId: 'me', username: 'mara' });
  // Two conversations with one contact, and one with the sender.
  for (const contactId of ['ann', 'me'])
    expect(inferIdentity('c', [from(own)])(holding(contactId)).local.me).toBe(null);
});

test("an identity that was learned from the user's own message is not changed by an inference", () => {
  const known = inferIdentity('c', [from(ann), from(own)])(state);
  expect(inferIdentity('c', [from(ann), from(eg.contact({ id: 'other' }))])(known)).toBe(known);
});

test('an author who is not the contact is the user only if somebody wrote under the id of the contact', () => {
  const message = (contact: typeof ann) => eg.message({ contact, conversationId: 'c' });
  const holding = (...senders: readonly (typeof ann)[]) => {
    const threads = new Map([['c', eg.thread(senders.map(message))]]);
    return { ...state, cache: { ...state.cache, threads } };
  };
  expect(ownership(message(own), holding(own, ann))).toBe('own');
  expect(ownership(message(ann), holding(own, ann))).toBe('other');
  // Two people, and neither has the id that the conversation names.
  const others = holding(own, eg.contact({ id: 'bob' }));
  expect([own, eg.contact({ id: 'bob' })].map((one) => ownership(message(one), others))).toEqual([
    'unknown',
    'unknown',
  ]);
});
