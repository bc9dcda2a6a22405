/** Our server with bulk data, for measuring: writes `listening URL TOKEN` on stdout and serves until it is ended. */
import { existsSync } from 'node:fs';
import { startServer } from '../../src/server/http/start.ts';
import { openSqlite } from '../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { seedBulk } from '../support/servers/seed-bulk.ts';

const [path = '', conversations = '200', messages = '100000', inFirst = '10000', port = '0'] = process.argv.slice(2);
const isNew = !existsSync(path);
const server = await startServer({ engine: openSqlite(openDatabase(path)), port: Number(port) });
if (isNew)
  await seedBulk(server.service, {
    conversations: Number(conversations),
    messages: Number(messages),
    inFirst: Number(inFirst),
  });
const { token } = await server.service.admin.createToken('bench', 'bench');
process.stdout.write(`listening ${server.url} ${token}\n`);
