/** Who the user is, learned from what others' and own messages say. */
import { expect, test } from 'vitest';
import { inferIdentity } from '../../../src/state/local/identity.ts';
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

test('in a contact conversation the other one of two is the user', () => {
  expect(inferIdentity('c', [from(ann), from(own)])(state).local.me).toEqual({ contactId: 'me', username: 'mara' });
});

test('nothing is learned where it cannot be known', () => {
  expect(inferIdentity('g', [from(ann), from(own)])(state)).toBe(state);
  expect(inferIdentity('c', [from(own)])(state)).toBe(state);
  expect(inferIdentity('c', [from(ann)])(state)).toBe(state);
});

test('the identity that an own send has taught is not changed by a guess', () => {
  const known = inferIdentity('c', [from(ann), from(own)])(state);
  expect(inferIdentity('c', [from(ann), from(eg.contact({ id: 'other' }))])(known)).toBe(known);
});
