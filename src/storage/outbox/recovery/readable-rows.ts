/** Reads the rows of a damaged table that can still be read. */
import type { Database, SqlRow } from '../../sqlite/driver.ts';
import { nullOnError } from '../../sqlite/errors.ts';

export interface ReadableRows {
  /** Every row has its rowid as `row_number`. */
  readonly rows: readonly SqlRow[];
  /** The table was read from one end to the other. */
  readonly isWhole: boolean;
}

/** The most rows that are tried one by one between the two readable ends, and the most failures in a row. */
const probeLimit = 10_000;
const failureLimit = 300;

/** Reads a table from both ends up to the damage, then tries the rows between one by one. */
export function readableRows(source: Database, table: string): ReadableRows {
  const rows = new Map<number, SqlRow>();
  const select = `SELECT rowid AS row_number, * FROM ${table}`;
  let from = 0;
  const isWhole = eachRow(source, `${select} ORDER BY rowid`, (row) => {
    from = Number(row.row_number);
    rows.set(from, row);
  });
  if (isWhole) return { rows: [...rows.values()], isWhole };
  let to = from + probeLimit;
  eachRow(source, `${select} ORDER BY rowid DESC`, (row) => {
    const number = Number(row.row_number);
    if (number > from) to = Math.min(to, number);
    rows.set(number, row);
  });
  const single = nullOnError(() => source.prepare(`${select} WHERE rowid = ?`));
  let failures = 0;
  for (const number of single === null ? [] : rowNumbers(source, table, from, to)) {
    if (rows.has(number)) continue;
    const row = nullOnError(() => single?.get(number));
    failures = row ? 0 : failures + 1;
    if (row) rows.set(number, row);
    else if (failures > failureLimit) break;
  }
  return { rows: [...rows.values()], isWhole };
}

/** The row numbers in the table's index, whose pages may be readable; otherwise every number between the two ends. */
function rowNumbers(source: Database, table: string, from: number, to: number): Iterable<number> {
  const found = new Set<number>();
  const isWhole = eachRow(source, `SELECT rowid AS row_number FROM ${table}`, (row) =>
    found.add(Number(row.row_number)),
  );
  if (!isWhole) for (let number = from + 1; number < to; number++) found.add(number);
  return found;
}

/** Returns false when an error ended the reading. */
function eachRow(source: Database, sql: string, visit: (row: SqlRow) => void): boolean {
  try {
    for (const row of source.prepare(sql).iterate()) visit(row);
    return true;
  } catch {
    return false;
  }
}
