/** The rate limits of all processes, in the database. */
import type { Sql } from '../sql.ts';

/** By the clock of the database server, in seconds, as the clocks of several machines differ. */
const now = 'extract(epoch FROM now())';

/**
 * `used_up_to` is the time up to which the requests so far have used the rate: each moves it on by one interval. It may
 * be ahead of the clock by the burst. A refused request changes nothing and selects no row.
 */
const take = `
INSERT INTO rate_limits AS known (person_seq, used_up_to) VALUES (?, ${now} + CAST(? AS double precision))
ON CONFLICT (person_seq) DO UPDATE SET used_up_to = greatest(known.used_up_to, ${now}) + CAST(? AS double precision)
WHERE greatest(known.used_up_to, ${now}) + CAST(? AS double precision) <= ${now} + CAST(? AS double precision)
RETURNING person_seq`;

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Counts one request of a person; resolves to false when it is beyond the rate and the burst. */
export async function isWithinRate(sql: Sql, personSeq: number, { perSecond, burst }: Rate): Promise<boolean> {
  const interval = 1 / perSecond;
  return (await sql.get(take, personSeq, interval, interval, interval, burst * interval)) !== undefined;
}
