/** Files that are emptied or damaged in place while the program runs: nothing more is taken, and the next start saves what is left. */
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCache } from '../../../../src/storage/cache/open.ts';
import { openOutboxWithRole } from '../../../../src/storage/outbox/role.ts';
import { aConversation, aDraft, anOp, listOf, temporaryDirectory } from '../../builders.ts';

const uuids = (outbox: { load(): { readonly outbox: readonly { readonly uuid: string }[] } }): readonly string[] =>
  outbox.load().outbox.map(({ uuid }) => uuid);

/** A profile with a message waiting and a draft. */
function opened() {
  const directory = temporaryDirectory();
  const profile = openOutboxWithRole(directory);
  const { outbox } = profile;
  outbox.enqueue(anOp({ uuid: 'a' }), null);
  outbox.saveRecords([['drafts', 'c1', aDraft('before')]]);
  return { directory, path: join(directory, 'outbox.db'), profile, outbox };
}

const ways: Readonly<Record<string, (path: string) => void>> = {
  emptied: (path) => truncateSync(path),
  'cut off': (path) => truncateSync(path, 9_000),
  'overwritten with zeros': (path) => writeFileSync(path, Buffer.alloc(statSync(path).size), { flag: 'r+' }),
};

test.each(Object.entries(ways))(
  'outbox.db %s: no text is accepted, the advice is clear, the next start reports it',
  (_, harm) => {
    const { directory, path, profile, outbox } = opened();
    harm(path);
    const refusal = expect.objectContaining({
      kind: 'corrupt',
      message: expect.stringContaining('Copy your unsent text, quit'),
    });
    expect(() => outbox.enqueue(anOp({ uuid: 'b' }), null)).toThrow(refusal);
    expect(() => outbox.saveRecords([['drafts', 'c1', aDraft('after')]])).toThrow(refusal);
    const damaged = readFileSync(path);
    profile.close();
    const again = openOutboxWithRole(directory);
    const [, copy = ''] =
      /The outbox was damaged: (?:1 record was|\d+ records were) saved\..*: (.*)$/.exec(again.troubles[0] ?? '') ?? [];
    expect(readFileSync(copy).equals(damaged)).toBe(true);
    again.outbox.enqueue(anOp({ uuid: 'c' }), null);
    again.close();
  },
);

test('the other program on the profile accepts no op either', () => {
  const { path, profile, outbox } = opened();
  const second = openOutboxWithRole(join(path, '..'));
  expect(second.isSender).toBe(false);
  truncateSync(path);
  for (const one of [outbox, second.outbox])
    expect(() => one.enqueue(anOp({ uuid: 'b' }), null)).toThrow(expect.objectContaining({ kind: 'corrupt' }));
  second.close();
  profile.close();
});

test('the lock contains nothing that could be lost', () => {
  const { directory, profile, outbox } = opened();
  truncateSync(join(directory, 'sender.lock'));
  outbox.enqueue(anOp({ uuid: 'b' }), null);
  const second = openOutboxWithRole(directory);
  expect(second.isSender).toBe(false);
  second.close();
  profile.close();
});

test('another process that ends removes its journal and does no harm', () => {
  const { directory, profile, outbox } = opened();
  const second = openOutboxWithRole(directory);
  second.outbox.enqueue(anOp({ uuid: 'b' }), null);
  second.close();
  outbox.enqueue(anOp({ uuid: 'c' }), null);
  expect(uuids(outbox)).toEqual(['a', 'b', 'c']);
  profile.close();
});

test.each(['cache.db', 'cache.db-wal'])(
  '%s emptied: the cache is created anew, which is reported, at once or at the next start',
  (name) => {
    const directory = temporaryDirectory();
    const said: string[] = [];
    const cache = openCache(directory, { onTrouble: ({ message }) => said.push(message) });
    cache.saveConversations([aConversation({ id: 'c1' })]);
    truncateSync(join(directory, name));
    cache.saveConversations([aConversation({ id: 'c2' })]);
    cache.close();
    const again = openCache(directory, { onTrouble: ({ message }) => said.push(message) });
    again.saveConversations([aConversation({ id: 'c3' })]);
    expect(listOf(again).conversations.map(({ id }) => id)).toContain('c3');
    expect(said.filter((text) => text.includes('in memory only'))).toEqual([]);
    again.close();
  },
);
