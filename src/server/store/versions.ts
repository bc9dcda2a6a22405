/** SQL of the counters: how often what a person can see has changed. */
import { peopleOfThread, threadOfConversation } from './conversations.ts';
import type { DatabaseEngine, Dialect, Sql } from './sql.ts';

function updateWhere({ forUpdate }: Dialect, condition: string): string {
  if (forUpdate === '') return `UPDATE versions SET version = version + 1 WHERE ${condition}`;
  // All lock in the same order, so that no two transactions wait for each other.
  const locked = `SELECT person_seq AS one FROM versions WHERE ${condition} ORDER BY person_seq${forUpdate}`;
  return `WITH locked AS (${locked}) UPDATE versions SET version = version + 1 FROM locked WHERE person_seq = one`;
}

export function createVersionStore(sql: Sql, engine: DatabaseEngine) {
  const { dialect } = sql;

  /**
   * To be called first in every transaction that changes something that these people can see, and before the number of
   * a message is drawn. The rows stay locked until the commit, so two changes that one person can see never run at the
   * same time: the numbers of that person's messages are in the order of the commits.
   */
  const bump = async (people: readonly number[]): Promise<void> => {
    await sql.run(updateWhere(dialect, dialect.inNumbers('person_seq')), dialect.numbers([...new Set(people)]));
    await engine.announce(sql, people);
  };

  /**
   * Does as `bump` does for all who are in the thread that this conversation of the person belongs to, and resolves to
   * them. There are none where the person has no such conversation.
   */
  const bumpParticipants = async (conversationId: string, personSeq: number): Promise<readonly number[]> => {
    const isOne = `person_seq IN (WITH thread AS (${threadOfConversation}) SELECT person_seq FROM (${peopleOfThread}) found)`;
    const text = `${updateWhere(dialect, isOne)} RETURNING person_seq`;
    const rows = await sql.all<{ person_seq: number }>(text, conversationId, personSeq);
    const people = rows.map((row) => row.person_seq);
    await engine.announce(sql, people);
    return people;
  };

  return {
    bump,
    bumpParticipants,
    /** For a change that anybody may see, such as that of a username. */
    bumpAll: async (): Promise<void> => {
      const rows = await sql.all<{ person_seq: number }>('SELECT person_seq FROM versions');
      await bump(rows.map((row) => row.person_seq));
    },
  };
}
