/** Reads the whole of outbox.db into `Local`. */
import type { Op } from '../../state/model/app-state.ts';
import type { Database } from '../sqlite/driver.ts';
import { readRecords, type StoredRecords } from './records.ts';
import { opOfRow } from './rows.ts';
import type { Unreadable } from './set-aside.ts';

export function readLocal(database: Database): StoredRecords {
  const outbox: Op[] = [];
  const unreadable: Unreadable[] = [];
  // `all` reports errors without their numbers: a file that cannot be opened for want of descriptors is reported here.
  database.prepare('SELECT 1 FROM ops LIMIT 1').get();
  for (const row of database.prepare('SELECT rowid AS row_number, * FROM ops ORDER BY seq').all()) {
    const op = opOfRow(row);
    if (op === null) unreadable.push({ table: 'ops', row });
    else outbox.push(op);
  }
  const records = readRecords(database);
  return { local: { ...records.local, outbox }, unreadable: [...unreadable, ...records.unreadable] };
}
