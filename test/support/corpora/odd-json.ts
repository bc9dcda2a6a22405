/** Answers of the API with one field (or several) replaced by what no honest server would write (TP7). */

type Json = string;

const contact = {
  id: '"k1"',
  username: '"ann"',
  phone_number: '"+1"',
  avatar_url: '"https://a.example/a"',
  last_active_at: '1760000000',
  created_at: '1750000000',
} satisfies Readonly<Record<string, Json>>;

const message = {
  id: '"m1"',
  conversation_id: '"c1"',
  contact: objectOf(contact),
  message: '"hello"',
  reactions: '[{"thumbsup":["ann"]}]',
  attachments: '[{"id":"f1","filename":"a.txt","file_url":"https://a.example/f"}]',
  read_at: 'null',
  created_at: '1760000000',
  updated_at: 'null',
} satisfies Readonly<Record<string, Json>>;

const conversation = {
  id: '"c1"',
  contact_id: '"k1"',
  group_id: 'null',
  pinned_message_id: 'null',
  is_pinned: 'false',
  is_muted: 'false',
  last_active_at: '1760000000',
  last_opened_at: 'null',
  created_at: '1750000000',
  archived_at: 'null',
} satisfies Readonly<Record<string, Json>>;

function objectOf(fields: Readonly<Record<string, Json | undefined>>): Json {
  const written = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${written.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The value that replaces a field; undefined removes it. */
export const mutations: Readonly<Record<string, (field: string, held: Json) => Json | undefined>> = {
  missing: () => undefined,
  null: () => 'null',
  string: () => '"words"',
  number: () => '7',
  boolean: () => 'true',
  array: () => '[]',
  object: () => '{}',
  nested: () => '[[["x"]],{"a":{"b":[null]}}]',
  huge: () => `"${'x'.repeat(200_000)}"`,
  negative: () => '-5',
  overflow: () => '1e400',
  'beyond 2^53': () => '9007199254740993',
  'ISO time': () => '"2026-11-20T14:00:00.000Z"',
  deep: () => '['.repeat(60) + ']'.repeat(60),
  twice: (field, held) => `null,${JSON.stringify(field)}:${held}`,
  prototype: () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  controls: () => '"\\u001b]52;c;AAAA\\u0007\\u202e\\ud800\\u0000"',
};

export interface OddField {
  readonly resource: 'message' | 'conversation' | 'contact' | 'list';
  readonly field: string;
  readonly mutation: string;
}

const list = { has_more: 'false', data: '' };

export const oddFields: readonly OddField[] = Object.entries({ message, conversation, contact, list }).flatMap(
  ([resource, fields]) =>
    Object.keys(fields).flatMap((field) =>
      Object.keys(mutations).map((mutation) => ({ resource, field, mutation }) as OddField),
    ),
);

function mutated(
  resource: OddField['resource'],
  fields: Readonly<Record<string, Json>>,
  odd: readonly OddField[],
): Json {
  const changed: Record<string, Json | undefined> = { ...fields };
  for (const one of odd) {
    const held = fields[one.field];
    const mutate = mutations[one.mutation];
    if (one.resource === resource && held !== undefined && mutate !== undefined)
      changed[one.field] = mutate(one.field, held);
  }
  return objectOf(changed);
}

export interface OddAnswers {
  readonly message: Json;
  readonly conversation: Json;
  /** With one untouched row after the odd one. */
  readonly messages: Json;
  readonly conversations: Json;
}

export function oddAnswers(odd: readonly OddField[]): OddAnswers {
  const oddContact = mutated('contact', contact, odd);
  const oddMessage = mutated('message', { ...message, contact: oddContact }, odd);
  const oddConversation = mutated('conversation', conversation, odd);
  const listOf = (row: Json, good: Json): Json => mutated('list', { ...list, data: `[${row},${good}]` }, odd);
  return {
    message: oddMessage,
    conversation: oddConversation,
    messages: listOf(oddMessage, objectOf({ ...message, id: '"m2"', message: '"untouched"' })),
    conversations: listOf(oddConversation, objectOf({ ...conversation, id: '"c2"' })),
  };
}
