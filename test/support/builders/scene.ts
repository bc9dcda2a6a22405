/** A small cast and their conversations, as every pane's test sees them. */
import type { Attachment, Message } from '../../../src/protocol/types.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import * as eg from './eg.ts';

const { now, minute, hour } = eg;
const ann = eg.contact({ id: 'ann', username: 'Ann Wells', lastActiveAt: now - 5 * minute });
const bob = eg.contact({ id: 'bob', username: 'Bob Quist' });
const cyd = eg.contact({ id: 'cyd', username: 'Cyd' });
const self = eg.contact({ id: 'self', username: 'me' });

const timetable: Attachment = {
  label: 'timetable.pdf',
  url: 'https://example.org/t.pdf',
  size: 12_400,
  mediaType: 'application/pdf',
  fields: {},
};

const says = (id: string, minutesAgo: number, text: string, fields: Partial<Message> = {}): Message =>
  eg.message({ id, conversationId: 'c-ann', contact: ann, createdAt: now - minutesAgo * minute, text, ...fields });

export const annMessages: readonly Message[] = [
  says('a1', 26 * 60, 'Are we still on for the harbour?'),
  says('a2', 26 * 60 - 1, 'Say yes', { contact: self, readAt: now - 25 * hour }),
  says('a3', 12, 'The ferry leaves at nine', {
    reactions: [
      { name: 'thumbsup', by: ['me', 'Cyd'] },
      { name: 'heart', by: ['Cyd'] },
    ],
  }),
  says('a4', 11, 'Here is when: https://example.org/ferry?day=thu and do not be late, they never wait for anybody', {
    attachments: [timetable],
  }),
  says('a5', 4, 'Hi Ann', { contact: self, readAt: now }),
  says('a6', 3, 'I will be there', { contact: self, updatedAt: now - minute }),
];

const bobMessage = eg.message({
  id: 'b1',
  conversationId: 'c-bob',
  contact: bob,
  text: 'Did you read the draft?\nI need it',
  createdAt: now - 82 * minute,
});

/** Three conversations; the one with Ann is open and written in. */
export function scene(shown: eg.Shown = {}, local: Partial<AppState['local']> = {}): AppState {
  return eg.state({
    conversations: [
      eg.conversation({ id: 'c-ann', contactId: 'ann', lastActiveAt: now - 3 * minute, pinnedMessageId: 'a3' }),
      eg.conversation({ id: 'c-bob', contactId: 'bob', lastActiveAt: now - 82 * minute, isMuted: true }),
      eg.conversation({ id: 'c-crew', groupId: 'crew', lastActiveAt: now - minute, isPinned: true }),
      eg.conversation({ id: 'c-new', contactId: 'cyd', createdAt: now - 40 * 24 * hour }),
    ],
    contacts: [ann, bob, cyd, self],
    cache: {
      lastMessages: new Map([
        ['c-ann', annMessages[5] as Message],
        ['c-bob', bobMessage],
        ['c-crew', eg.message({ conversationId: 'c-crew', contact: cyd, text: 'noon?' })],
      ]),
      foundEmpty: new Map([['c-new', true as const]]),
      unread: new Map([
        ['c-bob', 1],
        ['c-crew', 3],
      ]),
      threads: new Map([['c-ann', eg.thread(annMessages, { newLineAfter: 'a2' })]]),
    },
    local: { me: { contactId: 'self', username: 'me' }, names: new Map([['crew', 'Harbour crew']]), ...local },
    ...eg.shown({ openId: 'c-ann', focus: 'composer', ...shown }),
  });
}
