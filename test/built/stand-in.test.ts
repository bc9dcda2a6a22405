/** What these suites judge is the built file, and not the sources that they name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/errors.ts';
import { fetchNewest, fetchOlder, walkConversations } from '../../src/api/paging/paging.ts';
import { startServer } from '../../src/server/http/start.ts';
import { openSqlite } from '../../src/server/store/sqlite/engine.ts';
import { openSession } from '../../src/session.ts';
import { openCache } from '../../src/storage/cache/open.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { StorageError } from '../../src/storage/sqlite/errors.ts';
import { createEngine } from '../../src/sync/engine/engine.ts';
import { bundled } from '../support/system/bundled.ts';

const file = readFileSync(join(import.meta.dirname, '../../dist/main.cjs'), 'latin1');

test.each([
  ...[createClient, ApiError, fetchNewest, fetchOlder, walkConversations, startServer, openSqlite],
  ...[openSession, openCache, StorageError, openOutbox, createEngine],
])('$name is in dist/main.cjs unchanged', (part) => {
  expect(file.includes(part.toString())).toBe(true);
});

test('the session of the driver that is killed is in it unchanged too', async () => {
  const driver = await bundled('test/faults/fixtures/session-driver.ts');
  try {
    const text = readFileSync(driver.file, 'utf8');
    expect(text).toMatch(/\{ openSession \} = parts\["src\/session\.ts"\]\(\)/);
  } finally {
    driver.remove();
  }
});
