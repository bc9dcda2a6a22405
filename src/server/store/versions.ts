/** SQL of the counters: how often what a person can see has changed. */
import type { Engine, Sql } from './sql.ts';

export function createVersionStore(sql: Sql, engine: Engine) {
  const { dialect } = sql;

  /**
   * To be called first in every transaction that changes something that these people can see, and before the number of
   * a message is drawn. The rows stay locked until the commit, so two changes that one person can see never run at the
   * same time: the numbers of that person's messages are in the order of the commits.
   */
  const bump = async (people: readonly number[]): Promise<void> => {
    const numbers = dialect.numbers([...new Set(people)]);
    const isOne = dialect.inNumbers('person_seq');
    if (dialect.forUpdate === '') {
      await sql.run(`UPDATE versions SET version = version + 1 WHERE ${isOne}`, numbers);
    } else {
      // All lock in the same order, so that no two transactions wait for each other.
      const locked = `SELECT person_seq FROM versions WHERE ${isOne} ORDER BY person_seq${dialect.forUpdate}`;
      const update = `WITH locked AS (${locked}) UPDATE versions v SET version = version + 1 FROM locked`;
      await sql.run(`${update} WHERE v.person_seq = locked.person_seq`, numbers);
    }
    await engine.announce(sql, people);
  };

  return {
    bump,
    /** For a change that anybody may see, such as that of a username. */
    bumpAll: async (): Promise<void> => {
      const rows = await sql.all<{ person_seq: number }>('SELECT person_seq FROM versions');
      await bump(rows.map((row) => row.person_seq));
    },
    of: async (personSeq: number): Promise<number> => {
      const row = await sql.get<{ version: number }>('SELECT version FROM versions WHERE person_seq = ?', personSeq);
      return row?.version ?? 0;
    },
  };
}
