/** SQL that removes people and groups, and what belongs to them. */
import type { Sql } from './sql.ts';

const deleteMessagesOfOnePerson = `
DELETE FROM messages WHERE seq IN (SELECT message_seq FROM deliveries WHERE person_seq = ?) AND NOT EXISTS
  (SELECT 1 FROM deliveries d WHERE d.message_seq = messages.seq AND d.person_seq <> ?)`;

/** Keeps the places of the messages, so that their ids still work as cursors after the deletion. */
const keepDeletedMessagesOfThread = `
INSERT INTO deleted_messages (id, person_seq, conversation_seq, message_seq)
SELECT m.id, d.person_seq, d.conversation_seq, m.seq FROM messages m JOIN deliveries d ON d.message_seq = m.seq
WHERE m.thread_seq = ?`;
const keepDeletedConversationsOfThread = `
INSERT INTO deleted_conversations (id, person_seq, active_at, conversation_seq)
SELECT id, person_seq, active_at, seq FROM conversations WHERE thread_seq = ?`;

const countUses = `
SELECT (SELECT count(*) FROM messages WHERE author_seq = ?) + (SELECT count(*) FROM reactions WHERE person_seq = ?) +
  (SELECT count(*) FROM messages m JOIN threads t ON t.seq = m.thread_seq WHERE t.low_seq = ? OR t.high_seq = ?) AS uses`;

const peopleBeside = `
SELECT DISTINCT o.person_seq FROM conversations c JOIN conversations o ON o.thread_seq = c.thread_seq WHERE c.person_seq = ?`;

const withThreadsOf = 'thread_seq IN (SELECT seq FROM threads WHERE low_seq = ? OR high_seq = ?)';

export function createRemovalStore(sql: Sql, emptyLogSoon: () => void) {
  const count = async (statement: string, seq: number): Promise<number> => (await sql.all(statement, seq)).length;
  return {
    ...createPersonRemoval(sql),
    /** Removes the tokens of a person; resolves to how many there were. */
    removeTokens: (personSeq: number) => count('DELETE FROM tokens WHERE person_seq = ? RETURNING seq', personSeq),
    /** Removes the conversations of a person and the messages that nobody else has; resolves to how many there were. */
    removeConversations: async (personSeq: number): Promise<number> => {
      await sql.run(deleteMessagesOfOnePerson, personSeq, personSeq);
      const conversations = await count('DELETE FROM conversations WHERE person_seq = ? RETURNING seq', personSeq);
      for (const table of ['deleted_messages', 'deleted_conversations', 'idempotency'])
        await sql.run(`DELETE FROM ${table} WHERE person_seq = ?`, personSeq);
      emptyLogSoon();
      return conversations;
    },
    /** Everybody who has a conversation with a thread that this person has one with. */
    peopleBeside: async (personSeq: number): Promise<readonly number[]> =>
      (await sql.all<{ person_seq: number }>(peopleBeside, personSeq)).map((row) => row.person_seq),
    /** Everybody who has a conversation with the thread. */
    peopleWithConversation: async (threadSeq: number): Promise<readonly number[]> => {
      const query = 'SELECT person_seq FROM conversations WHERE thread_seq = ?';
      return (await sql.all<{ person_seq: number }>(query, threadSeq)).map((row) => row.person_seq);
    },
    /** Removes a thread with all its conversations and messages; resolves to how many messages there were. */
    removeThread: async (threadSeq: number): Promise<number> => {
      await sql.run(keepDeletedMessagesOfThread, threadSeq);
      await sql.run(keepDeletedConversationsOfThread, threadSeq);
      const messages = await count('DELETE FROM messages WHERE thread_seq = ? RETURNING seq', threadSeq);
      await sql.run('DELETE FROM conversations WHERE thread_seq = ?', threadSeq);
      await sql.run('DELETE FROM threads WHERE seq = ?', threadSeq);
      emptyLogSoon();
      return messages;
    },
    removeGroup: async (groupSeq: number): Promise<void> => {
      await sql.run('DELETE FROM group_members WHERE group_seq = ?', groupSeq);
      await sql.run('DELETE FROM chat_groups WHERE seq = ?', groupSeq);
    },
    /** Removes a member from a group; resolves to whether the person was one. */
    removeMember: async (groupSeq: number, personSeq: number): Promise<boolean> => {
      const statement = 'DELETE FROM group_members WHERE group_seq = ? AND person_seq = ? RETURNING person_seq';
      return (await sql.get(statement, groupSeq, personSeq)) !== undefined;
    },
    removeMemberships: (personSeq: number) => sql.run('DELETE FROM group_members WHERE person_seq = ?', personSeq),
  };
}

function createPersonRemoval(sql: Sql) {
  return {
    /** How many messages and reactions show this person, or were written to them. */
    usesOf: async (personSeq: number): Promise<number> => {
      const row = await sql.get<{ uses: number }>(countUses, personSeq, personSeq, personSeq, personSeq);
      return row?.uses ?? 0;
    },
    /** Everybody who has a conversation with this person. */
    partnersOf: async (personSeq: number): Promise<readonly number[]> => {
      const query = `SELECT person_seq FROM conversations WHERE ${withThreadsOf}`;
      return (await sql.all<{ person_seq: number }>(query, personSeq, personSeq)).map((row) => row.person_seq);
    },
    /** Removes a person whom nothing uses, with the empty conversations of others with them. */
    removePerson: async (personSeq: number): Promise<void> => {
      await sql.run(`DELETE FROM conversations WHERE ${withThreadsOf}`, personSeq, personSeq);
      await sql.run('DELETE FROM threads WHERE low_seq = ? OR high_seq = ?', personSeq, personSeq);
      await sql.run('DELETE FROM group_members WHERE person_seq = ?', personSeq);
      await sql.run('DELETE FROM versions WHERE person_seq = ?', personSeq);
      await sql.run('DELETE FROM people WHERE seq = ?', personSeq);
    },
  };
}
