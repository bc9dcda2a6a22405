import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import * as eg from '../../support/builders/eg.ts';
import { aConversation, aMessage, temporaryDirectory } from '../builders.ts';

const time = fc.option(fc.integer({ min: 1, max: 5 }));
const listed = fc.record({
  isPinned: fc.boolean(),
  archivedAt: fc.option(fc.constant(9)),
  lastActiveAt: time,
  createdAt: time,
  newestAt: time,
});

test('the top of the list is in the order in which the state shows it', () => {
  fc.assert(
    fc.property(fc.array(listed, { maxLength: 12 }), (rows) => {
      const cache = openCache(temporaryDirectory());
      for (const [index, { newestAt, ...fields }] of rows.entries()) {
        const id = `c${(index * 7) % 12}`;
        cache.saveConversations([aConversation({ id, ...fields })]);
        if (newestAt !== null)
          cache.saveMessages(id, [aMessage({ id: `m-${id}`, conversationId: id, createdAt: newestAt })]);
      }
      const { conversations, lastMessages } = cache.listTop(rows.length, new Map(), null);
      cache.close();
      const state = eg.state({ conversations, cache: { lastMessages: new Map(lastMessages) } });
      const shown = conversations.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id);
      expect(selectListOrder(state)).toEqual(shown);
    }),
    { numRuns: 60 },
  );
});
