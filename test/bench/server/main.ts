/** `npm run bench -- --server`: the built server under load, against the floors of the same run. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { cpuMs, residentMb } from '../proc.ts';
import { type EngineFloor, postgresFloor, sqliteFloor } from './engines.ts';
import { conversationOf, fill, messageOf } from './fill.ts';
import { type Ask, keepPace, openClients, saturate, type Timed } from './load.ts';
import { type Running, start } from './processes.ts';

const { values } = parseArgs({
  options: {
    server: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1' },
  },
});
const isQuick = values.quick;
const sizes = isQuick ? { users: 100, messages: 10_000 } : { users: 1000, messages: 1_000_000 };
const seconds = isQuick ? 5 : Number(values.minutes) * 60;
const connections = 50;
const root = process.cwd();
const folder = join(root, '.bench/server');
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const serve = (database: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> =>
  start(
    [
      join(root, 'dist/msg-tui.cjs'),
      'serve',
      ...database,
      '--listen',
      '127.0.0.1:0',
      '--max-connections',
      String(sizes.users + 200),
    ],
    env,
  );

interface Case {
  readonly name: string;
  readonly processes: number;
  readonly database: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly floor: () => Promise<EngineFloor>;
}

async function cases(): Promise<readonly Case[]> {
  const file = join(folder, `${sizes.messages}-messages.db`);
  if (!existsSync(file)) {
    say(`fills ${file}`);
    rmSync(`${file}.new`, { force: true });
    const engine = openSqlite(openDatabase(`${file}.new`));
    await fill(engine, sizes);
    await engine.close();
    renameSync(`${file}.new`, file);
    // The driver closes a file after its statements are garbage-collected; the log is empty since the engine was closed.
    for (const end of ['-wal', '-shm']) rmSync(`${file}.new${end}`, { force: true });
  }
  const sqlite = { database: ['--data', file], env: {}, floor: () => sqliteFloor(join(folder, 'floor.db')) };
  const found: Case[] = [{ name: 'SQLite', processes: 1, ...sqlite }];
  const url = process.env.DATABASE_URL;
  if (url === undefined) {
    say('PostgreSQL is skipped: DATABASE_URL is not set');
    return found;
  }
  const engine = await openPostgres({ url, size: 2, statementTimeoutMs: 3_600_000 });
  const row = await engine.sql.get<{ count: number }>('SELECT count(*) AS count FROM messages');
  if (row?.count === 0) {
    say('fills the database of DATABASE_URL');
    await fill(engine, sizes);
  }
  await engine.close();
  const postgres = { database: [], env: { MSG_TUI_DATABASE: url }, floor: () => postgresFloor(url) };
  return [
    ...found,
    { name: 'PostgreSQL', processes: 1, ...postgres },
    { name: 'PostgreSQL', processes: 3, ...postgres },
  ];
}

/** At full speed; `cpu`: milliseconds of the processors for one request, null where that is not known. */
type Full = Timed & { readonly cpu: number | null };

interface Result {
  readonly name: string;
  readonly processes: number;
  readonly floors: EngineFloor & { readonly hono: number; readonly honoCpu: number };
  readonly unchanged: Full;
  readonly page: Full;
  /** Pages that were not asked for before, by a cursor. */
  readonly otherPage: Full;
  readonly send: Full;
  readonly polls: Timed;
  readonly sends: Timed;
  readonly memoryMb: { readonly before: number; readonly after: number };
}

async function withCpu(pids: readonly number[], measuring: () => Promise<Timed>, span: number): Promise<Full> {
  const used = (): number => pids.reduce((sum, pid) => sum + (cpuMs(pid) ?? Number.NaN), 0);
  const before = used();
  const result = await measuring();
  const cpu = (used() - before) / (result.perSecond * span);
  return { ...result, cpu: Number.isNaN(cpu) ? null : cpu };
}

async function saturateAll(ask: Ask, pids: readonly number[]) {
  const span = isQuick ? 2 : 10;
  const { users } = sizes;
  const userOf = (n: number): number => (n % users) + 1;
  const tags = new Map<number, string>();
  const poll = async (n: number): Promise<boolean> => {
    const user = (n % connections) + 1;
    const asked = await ask(user, 'GET', '/v1/conversations?limit=50', { tag: tags.get(user) ?? '"none"' });
    tags.set(user, asked.tag);
    return asked.status === 200 || asked.status === 304;
  };
  const read = async (n: number): Promise<boolean> => {
    const path = `/v1/messages?limit=50&conversation_id=${conversationOf(userOf(n))}`;
    return (await ask(userOf(n), 'GET', path)).status === 200;
  };
  const perConversation = sizes.messages / (users / 2);
  const readOther = async (n: number): Promise<boolean> => {
    // From the newest message on, a page further with each round of the users.
    const place = perConversation - 1 - ((Math.floor((n - 1) / users) * 50) % (perConversation - 50));
    const cursor = messageOf(userOf(n), place, sizes);
    const path = `/v1/messages?limit=50&conversation_id=${conversationOf(userOf(n))}&starting_after=${cursor}`;
    return (await ask(userOf(n), 'GET', path)).status === 200;
  };
  const write = async (n: number): Promise<boolean> => {
    const body = `conversation_id=${conversationOf(userOf(n))}&message=message+${n}`;
    return (await ask(userOf(n), 'POST', '/v1/messages', { body })).status === 201;
  };
  return {
    unchanged: await withCpu(pids, () => saturate(span, connections, poll), span),
    page: await withCpu(pids, () => saturate(span, connections, read), span),
    otherPage: await withCpu(pids, () => saturate(span, connections, readOther), span),
    send: await withCpu(pids, () => saturate(span, connections, write), span),
  };
}

async function honoFloor(): Promise<Full> {
  const floor = await start([join(root, '.bench/hono.mjs')]);
  const { ask, close } = openClients([floor.url], connections);
  const span = isQuick ? 2 : 5;
  const one = async (): Promise<boolean> => (await ask(1, 'GET', '/')).status === 200;
  const result = await withCpu([floor.pid], () => saturate(span, connections, one), span);
  await close();
  await floor.stop();
  return result;
}

async function measure(one: Case): Promise<Result> {
  const { name, processes } = one;
  say(`${name}, ${processes} process${processes === 1 ? '' : 'es'}`);
  const before = await honoFloor();
  const engine = await one.floor();
  const servers: Running[] = [];
  for (let n = 0; n < processes; n += 1) servers.push(await serve(one.database, one.env));
  const urls = servers.map(({ url }) => url);
  const memory = (): number => servers.reduce((sum, { pid }) => sum + (residentMb(pid)?.now ?? 0), 0);
  const few = openClients(urls, connections);
  await few.ask(1, 'GET', '/v1/conversations');
  const full = await saturateAll(
    few.ask,
    servers.map(({ pid }) => pid),
  );
  await few.close();
  const many = openClients(urls, sizes.users);
  const warm = memory();
  const pace = { users: sizes.users, pollEveryMs: 5000, sendsPerSecond: sizes.users / 5, seconds };
  const { polls, sends } = await keepPace(many.ask, pace);
  const memoryMb = { before: warm, after: memory() };
  await many.close();
  for (const server of servers) await server.stop();
  // Before and after, since other programs may run beside.
  const after = await honoFloor();
  const hono = (1000 / before.perSecond + 1000 / after.perSecond) / 2;
  const honoCpu = ((before.cpu ?? Number.NaN) + (after.cpu ?? Number.NaN)) / 2;
  return { name, processes, floors: { ...engine, hono, honoCpu }, ...full, polls, sends, memoryMb };
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function table(results: readonly Result[]): string {
  const lines = [
    '| | requests/s | p50 ms | p99 ms | times its floor | processor ms | failures |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const { name, processes, floors, ...figures } of results) {
    const rows: readonly (readonly [string, Timed & { readonly cpu?: number | null }, number | null])[] = [
      ['304', figures.unchanged, floors.hono + floors.select],
      ['page of 50', figures.page, floors.hono + floors.select],
      ['page of 50, another each time', figures.otherPage, floors.hono + floors.select],
      ['send', figures.send, floors.hono + floors.insert],
      [`poll, ${sizes.users} clients`, figures.polls, null],
      [`send, beside them`, figures.sends, null],
    ];
    const where = `${name}, ${processes} process${processes === 1 ? '' : 'es'}`;
    const { before, after } = figures.memoryMb;
    lines.push(
      `| **${where}**: hono ${shown(floors.hono)} ms (processor ${shown(floors.honoCpu)} ms), SELECT ${shown(floors.select)} ms, INSERT ${shown(floors.insert)} ms; memory ${before.toFixed(0)} → ${after.toFixed(0)} MB | | | | | | |`,
    );
    for (const [what, { perSecond, p50, p99, failures, cpu }, floor] of rows) {
      const ratio = floor === null ? '' : shown(1000 / perSecond / floor);
      lines.push(
        `| ${what} | ${perSecond.toFixed(0)} | ${shown(p50)} | ${shown(p99)} | ${ratio} | ${cpu === undefined || cpu === null ? '' : shown(cpu)} | ${failures} |`,
      );
    }
  }
  return lines.join('\n');
}

mkdirSync(folder, { recursive: true });
const results: Result[] = [];
for (const one of await cases()) results.push(await measure(one));
process.stdout.write(`${table(results)}\n`);
writeFileSync(
  join(folder, 'last.json'),
  `${JSON.stringify({ date: new Date().toISOString(), sizes, seconds, results }, null, 1)}\n`,
);
process.exit(results.some(({ polls, sends }) => polls.failures + sends.failures > 0) ? 1 : 0);
