/** `msg-tui demo` starts our server on loopback with people who answer, in a new folder that is removed at the end. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { currentPaths } from '../../config/paths.ts';
import { type Cast, startCast } from '../../server/demo/cast.ts';
import { type Guide, startGuide } from '../../server/demo/guide.ts';
import type { KeyOf } from '../../server/demo/guide-lessons.ts';
import { seedDemo } from '../../server/demo/seed-demo.ts';
import { startServer } from '../../server/http/start.ts';
import type { Service } from '../../server/rules/service.ts';
import { openSqlite } from '../../server/store/sqlite/engine.ts';
import { textKey } from '../../state/local/own-names.ts';
import type { RecordChange } from '../../state/local/records.ts';
import { openDatabase } from '../../storage/sqlite/driver.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';

/**
 * Starts server, cast and guide and returns how to open them; everything ends with the process.
 * @param keyOf names the keys of the user's profile in the texts of the guide
 */
export async function startDemo(keyOf: KeyOf): Promise<ChatAccount> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-demo-'));
  const { service, url } = await startServer({ engine: openSqlite(openDatabase(join(folder, 'server.db'))), port: 0 });
  let cast: Cast | undefined;
  let guide: Guide | undefined;
  process.on('exit', () => {
    cast?.stop();
    guide?.stop();
    // Windows removes no file that is open. Nothing can be waited for here: the data is closed unless a request is under way.
    void service.close();
    removeFolder(folder);
  });
  const { user, token } = await seedDemo(service);
  cast = startCast({ service, user, clock: { after } });
  guide = await startGuide({ service, user, clock: { after }, keyOf });
  return {
    label: 'demo',
    server: url,
    token,
    dataDirectory: join(folder, 'data'),
    cacheDirectory: join(folder, 'cache'),
    insecureHttp: false,
    configFile: copyOfConfig(folder),
    isTemporary: true,
    opens: guide.conversationId,
    records: [...(await groupNames(service)), ...serverFacts()],
  };
}

/** The API has no names for groups. */
const groupNames = async ({ admin }: Service): Promise<readonly RecordChange[]> =>
  (await admin.groups()).map(({ id, name }) => ['names', textKey('group', id), name]);

/** The records that say what our server does with a reaction, so that the first one is not preceded by a question. */
function serverFacts(): readonly RecordChange[] {
  const kept = { value: 'kept', at: Date.now(), from: 'the server of the demo' } as const;
  return [
    ['capabilities', 'omittedText', kept],
    ['capabilities', 'omittedReactions', kept],
    ['capabilities', 'omittedFiles', kept],
    ['capabilities', 'reactionRule', { ...kept, value: 'add' }],
  ];
}

/** Copies the user's configuration with its themes and snippets, so that nothing done in the demo changes it. */
function copyOfConfig(folder: string): string {
  const { configFile } = currentPaths();
  const directory = join(folder, 'config');
  mkdirSync(directory);
  for (const name of [basename(configFile), 'themes', 'snippets']) {
    try {
      cpSync(join(dirname(configFile), name), join(directory, name), { recursive: true, dereference: true });
    } catch {
      // What is not there or cannot be read is left out; the chat has read the settings before.
    }
  }
  return join(directory, basename(configFile));
}

/**
 * Removes the files of the demo. On Windows one of them may still be open, because the SQLite package closes a file only
 * after its statements are garbage-collected: the files then stay in the temporary folder. Exported for tests.
 */
export function removeFolder(folder: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(folder, { recursive: true, force: true });
  } catch {
    // An error here would end the demo with an exit code of 1 and a crash report.
  }
}

function after(delayMs: number, callback: () => Promise<void>): () => void {
  const timer = setTimeout(() => void callback(), delayMs);
  return () => clearTimeout(timer);
}
