/** Copies a whole database into an empty one, of either engine, and proves that both have the same rows. */
import { createHash } from 'node:crypto';
import type { DatabaseEngine, Dialect, Sql, SqlValue } from './sql.ts';

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
  /** SHA-256 of all rows in the order of the primary key, in hexadecimal. */
  readonly digest: string;
}

type Row = Readonly<Record<string, SqlValue>>;

/** Rows that are read and written at once. */
const rowsInBlock = 250;

/**
 * Ids and numbers stay the same, so that clients notice nothing. The copy is one transaction: it is complete, or the
 * target stays empty.
 * @throws when the target is not empty, or when what it has afterwards differs
 */
export async function copyDatabase(from: DatabaseEngine, to: DatabaseEngine): Promise<readonly CopiedTable[]> {
  const written = await from.snapshot((source) =>
    to.transaction(async (target) => {
      await refuseRows(target);
      const copied: CopiedTable[] = [];
      for (const table of tables) copied.push(await copyTable(table, source, target));
      // PostgreSQL would otherwise take the tables for empty. SQLite with statistics of sqlite_stat4 plans a statement anew
      // each time its parameters change (https://sqlite.org/c3ref/prepare.html), which takes longer than most of them.
      if (target.dialect.name === 'postgres') await target.run('ANALYZE');
      return copied;
    }),
  );
  const found = await to.snapshot(describeTables);
  for (const [index, one] of written.entries()) {
    const other = found[index];
    if (other?.rows !== one.rows || other.digest !== one.digest)
      throw new Error(`the copy of ${one.name} differs: ${one.rows} rows were written, ${other?.rows ?? 0} are there`);
  }
  return found;
}

/** Counts and digests of all tables. */
export async function describeTables(sql: Sql): Promise<readonly CopiedTable[]> {
  const described: CopiedTable[] = [];
  for (const table of tables) described.push(await eachBlock(table, sql, async () => undefined));
  return described;
}

async function refuseRows(target: Sql): Promise<void> {
  for (const { name } of tables) {
    if ((await target.get(`SELECT 1 AS found FROM ${name} LIMIT 1`)) !== undefined)
      throw new Error(`the target is not empty: there are rows in ${name}`);
  }
}

async function copyTable(table: Table, source: Sql, target: Sql): Promise<CopiedTable> {
  const { name, columns } = table;
  const places = `(${columns.map(() => '?').join(', ')})`;
  const result = await eachBlock(table, source, async (rows) => {
    const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
    await target.run(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
      ...values,
    );
  });
  if (columns[0] === 'seq') await setLastNumber(target, name, await lastNumber(source, name));
  return result;
}

/** Reads a table in blocks, in the order of its key. */
async function eachBlock(table: Table, sql: Sql, take: (rows: readonly Row[]) => Promise<void>): Promise<CopiedTable> {
  const { name, columns, key } = table;
  const keys = key.join(', ');
  const begin = `SELECT ${columns.join(', ')} FROM ${name}`;
  const end = `ORDER BY ${keys} LIMIT ${rowsInBlock}`;
  const hash = createHash('sha256');
  let count = 0;
  for (let last: Row | undefined, isFirst = true; isFirst || last !== undefined; isFirst = false) {
    const after = last === undefined ? '' : ` WHERE (${keys}) > (${key.map(() => '?').join(', ')})`;
    const rows = await sql.all<Row>(`${begin}${after} ${end}`, ...key.flatMap((column) => last?.[column] ?? []));
    for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => inJson(row[column])))}\n`);
    if (rows.length > 0) await take(rows);
    count += rows.length;
    last = rows.length < rowsInBlock ? undefined : rows.at(-1);
  }
  return { name, rows: count, digest: hash.digest('hex') };
}

const inJson = (value: SqlValue | undefined): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

/** The number that the table has drawn last. Numbers of deleted rows are not drawn again, as cursors may name them. */
async function lastNumber({ dialect, get }: Sql, name: string): Promise<number> {
  const text: Record<Dialect['name'], string> = {
    sqlite: `SELECT seq AS last FROM sqlite_sequence WHERE name = '${name}'`,
    postgres: `SELECT last_value AS last FROM ${name}_seq_seq WHERE is_called`,
  };
  return (await get<{ readonly last: number }>(text[dialect.name]))?.last ?? 0;
}

async function setLastNumber({ dialect, run }: Sql, name: string, last: number): Promise<void> {
  if (last === 0) return;
  if (dialect.name === 'postgres') return run(`SELECT setval('${name}_seq_seq', ?)`, last);
  await run('DELETE FROM sqlite_sequence WHERE name = ?', name);
  await run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, last);
}

export interface Table {
  readonly name: string;
  /** The columns that are stored, without those that are computed. */
  readonly columns: readonly string[];
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

const table = (name: string, columns: string, key = 'seq'): Table => ({
  name,
  columns: columns.split(' '),
  key: key.split(' '),
});

/**
 * The tables that both engines have, each after those that it refers to. A test compares them with the real tables.
 */
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
