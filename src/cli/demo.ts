/** `msg-tui demo` starts our server on loopback with people who answer, in a new folder that is removed at the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cast, startCast } from '../server/demo/cast.ts';
import { seedDemo } from '../server/demo/seed-demo.ts';
import { startServer } from '../server/http/start.ts';
import type { SessionTarget } from '../session.ts';
import { openDatabase } from '../storage/sqlite/driver.ts';

/** Starts server and cast and answers how to open them; everything ends with the process. */
export async function startDemo(): Promise<SessionTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-demo-'));
  const { service, url } = await startServer({ database: openDatabase(join(folder, 'server.db')), port: 0 });
  let cast: Cast | undefined;
  process.on('exit', () => {
    cast?.stop();
    // Windows removes no file that is open.
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { user, token } = seedDemo(service);
  cast = startCast({ service, user, clock: { after } });
  const newest = service.conversations.list(user, new Map([['limit', '1']])).data[0];
  return {
    label: 'demo',
    server: url,
    token,
    dataDirectory: join(folder, 'data'),
    cacheDirectory: join(folder, 'cache'),
    insecureHttp: false,
    ...(newest === undefined ? {} : { opens: newest.id }),
    names: new Map(service.admin.groups().map(({ id, name }) => [id, name])),
  };
}

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
