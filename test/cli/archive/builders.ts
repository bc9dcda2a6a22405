/** Made-up conversations with every field that a server may give, and archives of them in memory. */
import fc from 'fast-check';
import { type ArchiveSource, entriesOf, type Selection } from '../../../src/cli/archive/entries.ts';
import { jsonLines, nothingEarlier } from '../../../src/cli/archive/jsonl.ts';
import { loadArchive } from '../../../src/cli/archive/load-archive.ts';
import { parseJson } from '../../../src/protocol/json.ts';
import { parseContact, parseConversation, parseMessage } from '../../../src/protocol/parse.ts';
import { createArchive } from '../../../src/storage/cache/archive-file.ts';

export const everything: Selection = { conversations: null, since: null };

export const jsonlOf = (source: ArchiveSource, selection: Selection = everything): string =>
  [...jsonLines(entriesOf(source, selection), nothingEarlier())].join('');

/** What comes out of a file, to be exported again. */
export async function imported(text: string): Promise<ArchiveSource> {
  const { cache, facts } = await loadArchive([Buffer.from(text)], 'test.jsonl', null);
  return { ...facts, cache };
}

const at = Date.UTC(2026, 10, 23, 12);
const words = [
  'The ferry leaves at nine',
  'Die Fähre fährt um neun – ß, Ärger',
  '渡し船は九時に出ます',
  'العبّارة تغادر في التاسعة',
  'מעבורת 🛳️ 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'เรือข้ามฟาก\nสองบรรทัด\r\n\tแท็บ',
  '```\n# heading <b>&amp;</b> [x](javascript:alert(1)) ```` | *s* _e_ ~~x~~\n```',
  '\u001b]52;c;cm0gLXJmIH4=\u0007 \u0000 \ud800 \u2028 \ufeff "quoted" \\ \u202e',
  '',
];
const text = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 80 }),
);
const id = fc.oneof(
  fc.stringMatching(/^[a-z]{1,3}$/),
  fc.constantFrom('__proto__', '..', 'ü/ä', '\u0000', '🦊', 'constructor'),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const time = fc.oneof(
  fc.integer({ min: 700_000_000, max: Math.floor(at / 1000) }),
  fc.integer({ min: at - 5, max: at }),
  fc.constant(null),
  fc.constantFrom('2026-11-19T13:55:00.250Z', '1999-01-01', 0, 'soon'),
);

const contact = fc.record({
  id,
  username: maybe(text),
  phone_number: maybe(text),
  avatar_url: maybe(fc.webUrl()),
  last_active_at: time,
  created_at: time,
});

const person = fc.oneof(text, fc.integer({ min: 1, max: 9 }), fc.constant({ odd: true }));
const reaction = fc.oneof(
  fc
    .tuple(fc.oneof(text, fc.constantFrom('👍', '__proto__', 'name')), fc.array(person, { maxLength: 4 }))
    .map(([name, by]) => Object.fromEntries([[name, by]]) as unknown),
  fc.record({
    name: fc.constantFrom('❤️', '👍'),
    users: fc.array(text, { maxLength: 3 }),
    count: fc.integer({ min: 0, max: 9 }),
  }),
  fc.constantFrom('👍', 7, null),
);

const attachment = fc.oneof(
  fc.record({ filename: text, file_url: fc.webUrl(), file_size: fc.nat(), file_type: fc.constant('image/png') }),
  fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
  fc.constantFrom(
    { size: 1e20, id: 2 ** 60, deep: { n: -1e20, list: [1.5e300, 0.1] } },
    'https://files.example/a%20b.png',
  ),
);

const message = fc.record({
  id,
  contact: maybe(contact),
  message: text,
  reactions: fc.oneof(fc.array(reaction, { maxLength: 4 }), fc.constant({ '👍': ['ann', 'ann', ''] })),
  attachments: fc.array(attachment, { maxLength: 3 }),
  read_at: time,
  created_at: time,
  updated_at: time,
});

const conversation = fc.record({
  id,
  contact_id: maybe(id),
  group_id: maybe(id),
  pinned_message_id: maybe(id),
  is_pinned: fc.boolean(),
  is_muted: fc.boolean(),
  last_active_at: time,
  last_opened_at: time,
  created_at: time,
  archived_at: time,
});

const part = fc.record({
  conversation,
  messages: fc.array(
    fc.record({ message, earlier: fc.array(text, { maxLength: 3 }), rank: fc.constantFrom(0, 0, 1, -1, 0.5) }),
    { maxLength: 6 },
  ),
  older: fc.constantFrom('end', 'server', 'unknown', 'unreachable' as const),
  hasGaps: fc.boolean(),
});

/** Everything goes through the parser of the protocol, as the answers of a server do. */
export const sources: fc.Arbitrary<ArchiveSource> = fc
  .record({
    parts: fc.array(part, { maxLength: 3 }),
    contacts: fc.array(contact, { maxLength: 3 }),
    names: fc.dictionary(
      id,
      text.filter((name) => name !== ''),
    ),
    me: maybe(fc.record({ contactId: id, username: maybe(text.filter((name) => name !== '')) })),
  })
  .map(({ parts, contacts, names, me }) => {
    let now = at;
    const { cache } = createArchive(null, () => now++);
    const received = (value: unknown): unknown => parseJson(JSON.stringify(value));
    cache.saveContacts(contacts.flatMap((one) => parseContact(received(one), at) ?? []));
    for (const { conversation: raw, messages, older, hasGaps } of parts) {
      const parsed = parseConversation(received(raw), at);
      if (parsed === null) continue;
      cache.saveConversations([parsed]);
      for (const { message: rawMessage, earlier, rank } of messages)
        for (const version of [...earlier, rawMessage.message]) {
          const one = parseMessage(received({ ...rawMessage, message: version }), at);
          if (one !== null) cache.saveMessages(parsed.id, [{ ...one, conversationId: parsed.id, rank }]);
        }
      cache.saveReach(parsed.id, older as 'end', hasGaps ? messages.map(({ message: { id: gap } }) => gap) : []);
    }
    return { server: 'https://chat.example/base', me, names: new Map(Object.entries(names)), cache };
  });
