/** The people, conversations and messages that every kind of server begins with. */
import type { QuirkServer } from '../support/quirk-server/server.ts';
import type { Person, StoredConversation, StoredMessage } from '../support/quirk-server/world.ts';

const historyLength = 230;
const quietConversations = 127;

export interface Cast {
  readonly ann: Person;
  readonly bob: Person;
  /** With Ann: the long history. */
  readonly main: StoredConversation;
  readonly group: StoredConversation;
  /** With Bob. */
  readonly other: StoredConversation;
  readonly quiet: readonly StoredConversation[];
  /** Someone without a conversation. */
  readonly stranger: Person;
  readonly ownPlain: StoredMessage;
  readonly ownWithFile: StoredMessage;
  readonly ownReacted: StoredMessage;
  readonly annsReacted: StoredMessage;
  readonly annsWithFile: StoredMessage;
  readonly ownDoomed: StoredMessage;
  /** Ann takes it back herself. */
  readonly annsDoomed: StoredMessage;
}

/** `now` is when the run begins; everything is before it, the messages a minute apart and some at the same second. */
export function seedCast({ world, conversations }: QuirkServer, now: number): Cast {
  const start = now - 10 * 86_400_000;
  const [ann, bob, stranger] = [world.person('ann'), world.person('bob'), world.person('stan')];
  const begin = (contactId: string | null, groupId: string | null, after: number): StoredConversation => {
    const row = conversations.make(contactId, groupId, start + after);
    world.putConversation(row);
    return row;
  };
  const quiet = Array.from({ length: quietConversations }, (_, at) =>
    begin(world.person(`p${at}`).id, null, at * 1000),
  );
  const main = begin(ann.id, null, 900_000);
  const other = begin(bob.id, null, 901_000);
  const group = begin(null, world.newId('g'), 902_000);
  const say = (where: StoredConversation, from: Person, text: string, at: number): StoredMessage => {
    const seq = world.nextSeq();
    const none = { reactions: [], attachments: [], readAt: null, updatedAt: null };
    const row = {
      id: world.newId('m'),
      conversationId: where.id,
      senderId: from.id,
      text,
      createdAt: at,
      seq,
      ...none,
    };
    world.putMessage(row, true);
    return row;
  };
  const history = Array.from({ length: historyLength }, (_, at) => {
    const second = at % 20 === 7 ? at - 1 : at;
    return say(main, at % 2 === 0 ? ann : world.me, `line ${at}`, start + 1_000_000 + second * 60_000);
  });
  for (const [at, text] of ['one', 'two', 'three'].entries()) say(other, bob, text, start + 2_000_000 + at * 1000);
  for (const [at, from] of [ann, bob, world.me].entries()) say(group, from, `g${at}`, start + 3_000_000 + at * 1000);
  const pick = (fromEnd: number, patch: Partial<StoredMessage>): StoredMessage => {
    const row = history[historyLength - fromEnd];
    if (row === undefined) throw new Error('no such message');
    const next = { ...row, ...patch };
    world.putMessage(next);
    return next;
  };
  const by = (...people: readonly Person[]): readonly string[] => people.map((person) => world.stringOf(person));
  const file = (name: string) => ({
    id: world.newId('f'),
    filename: name,
    file_url: `https://files.example/${name}`,
    file_size: 1234,
  });
  const hearts = [{ name: 'heart', by: by(ann, bob) }];
  return {
    ann,
    bob,
    stranger,
    main,
    other,
    group,
    quiet,
    ownPlain: pick(1, {}),
    ownWithFile: pick(3, { attachments: [file('plan.pdf')], reactions: hearts }),
    ownReacted: pick(5, { reactions: hearts }),
    ownDoomed: pick(7, {}),
    annsDoomed: pick(2, {}),
    annsReacted: pick(4, { reactions: [...hearts, { name: 'joy', by: by(bob) }] }),
    annsWithFile: pick(6, { attachments: [file('a.png'), file('b.png')], reactions: hearts }),
  };
}
