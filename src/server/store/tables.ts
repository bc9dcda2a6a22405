/** The tables that both engines have, with the columns that are stored; a test compares this with the real tables. */

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

const table = (name: string, columns: string, key = 'seq'): Table => ({
  name,
  columns: columns.split(' '),
  key: key.split(' '),
});

/** Every table after those that it refers to. */
export const tables: readonly Table[] = [
  table('people', 'seq id username phone_number avatar_url is_user last_active_at created_at'),
  table('tokens', 'seq id digest person_seq label created_at'),
  table('chat_groups', 'seq id name created_at'),
  table('group_members', 'group_seq person_seq', 'group_seq person_seq'),
  table('threads', 'seq low_seq high_seq group_seq'),
  table('messages', 'seq id thread_seq author_seq text read_at created_at updated_at has_extras'),
  table(
    'conversations',
    'seq id thread_seq person_seq pinned_message_seq is_pinned is_muted last_active_at last_opened_at created_at archived_at',
  ),
  table('deliveries', 'conversation_seq message_seq person_seq is_own read_at', 'conversation_seq message_seq'),
  table('reactions', 'seq message_seq name person_seq'),
  table('attachments', 'seq id message_seq filename file_url file_type file_size created_at'),
  table('deleted_messages', 'id person_seq conversation_seq message_seq', 'id person_seq'),
  table('deleted_conversations', 'id person_seq active_at conversation_seq', 'id'),
  table('idempotency', 'person_seq key request_digest status body created_at', 'person_seq key'),
  table('versions', 'person_seq version', 'person_seq'),
];
