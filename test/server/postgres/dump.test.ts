/** A backup by pg_dump, as docs/server.md describes it. Needs a real server, and the programs of PostgreSQL. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { importSeed } from '../../../src/server/seed/seed.ts';
import { describeTables } from '../../../src/server/store/copy.ts';
import { openPostgres } from '../../../src/server/store/postgres/engine.ts';
import { hasRealServer, openRealDatabase } from './databases.ts';

const execute = promisify(execFile);
const hasPrograms = spawnSync('pg_dump', ['--version']).status === 0;

const seed = {
  users: [{ username: 'ann' }, { username: 'bob' }],
  conversations: [
    { between: ['ann', 'bob'], messages: [{ from: 'ann', text: 'hello', reactions: { '👍': ['bob'] } }] },
  ],
};

test.skipIf(!hasRealServer || !hasPrograms)(
  'a database restored by pg_restore has every row, and the server runs on it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'msg-tui-dump-'));
    const [original, restored] = [await openRealDatabase(), await openRealDatabase()];
    try {
      const before = createService({ engine: await openPostgres(original) });
      await importSeed(before, seed);
      await before.close();
      const dump = join(folder, 'chat.dump');
      await execute('pg_dump', ['--format=custom', `--file=${dump}`, `--dbname=${original.url}`]);
      await execute('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restored.url}`, dump]);
      const [one, other] = [await openPostgres(original), await openPostgres(restored)];
      expect(await other.snapshot(describeTables)).toEqual(await one.snapshot(describeTables));
      await one.close();
      const after = createService({ engine: other });
      const ann = await after.admin.person('ann');
      const [conversation] = (await after.conversations.list(ann, new Map())).data;
      const form = new Map([
        ['conversation_id', conversation!.id],
        ['message', 'again'],
      ]);
      await after.messages.send(ann, form);
      expect((await after.messages.list(ann, new Map())).data.map(({ message }) => message)).toEqual([
        'again',
        'hello',
      ]);
      await after.close();
    } finally {
      await original.close();
      await restored.close();
      rmSync(folder, { recursive: true });
    }
  },
);
