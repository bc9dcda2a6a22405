/** Files that are emptied or damaged in place while the program runs: noticed at the next act, mended, and nothing is lost. */
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCache } from '../../src/storage/cache-open.ts';
import { openOutbox } from '../../src/storage/outbox-open.ts';
import { openOutboxWithRole } from '../../src/storage/outbox-role.ts';
import { aConversation, aDraft, anOp, temporaryDirectory } from './builders.ts';

const uuids = (outbox: { load(): { readonly outbox: readonly { readonly uuid: string }[] } }): readonly string[] =>
  outbox.load().outbox.map(({ uuid }) => uuid);

/** A profile with two words waiting, one draft and a claim; `isFolded`: all of it in the file itself. */
function opened(isFolded: boolean) {
  const directory = temporaryDirectory();
  const profile = openOutboxWithRole(directory);
  const said: string[] = [];
  profile.onTrouble((text) => said.push(text));
  const { outbox } = profile;
  outbox.enqueue(anOp({ uuid: 'a' }), null);
  outbox.enqueue(anOp({ uuid: 'sent' }), null);
  outbox.settle('sent', 'm1');
  outbox.saveDraft('c1', aDraft('before'));
  if (isFolded) outbox.foldLog();
  return { directory, profile, outbox, said };
}

describe.each([true, false])('folded into the file: %s', (isFolded) => {
  test.each(['outbox.db', 'outbox.db-wal'])('%s emptied: what is saved then is there at the next start', (name) => {
    const { directory, profile, outbox, said } = opened(isFolded);
    truncateSync(join(directory, name));
    outbox.saveDraft('c2', aDraft('after'));
    outbox.enqueue(anOp({ uuid: 'b' }), null);
    expect(uuids(outbox)).toEqual(['a', 'b']);
    outbox.enqueue(anOp({ uuid: 'c' }), null);
    profile.close();
    const again = openOutbox(directory);
    expect(again.status.salvaged).toBe(null);
    expect(uuids(again)).toEqual(['a', 'b', 'c']);
    expect([...again.load().drafts.keys()].sort()).toEqual(['c1', 'c2']);
    expect([...again.claims('c1')]).toEqual(['m1']);
    again.close();
    // A log that is in the file already may go without a loss.
    if (name === 'outbox.db' || !isFolded) {
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(/The outbox was damaged: \d+ records were saved/);
      expect(readdirSync(directory).some((entry) => entry.startsWith('outbox.corrupt-'))).toBe(true);
    }
  });
});

test('it is noticed without a key, too', () => {
  const { directory, profile, outbox, said } = opened(true);
  truncateSync(join(directory, 'outbox.db'));
  outbox.hasForeignChanges();
  expect(said).toHaveLength(1);
  expect(statSync(join(directory, 'outbox.db')).size).toBeGreaterThan(4_096);
  profile.close();
});

test('a statement that meets damage is done again in a new file', () => {
  const { directory, profile, outbox, said } = opened(true);
  const second = openOutboxWithRole(directory);
  // After another one has written, nothing counts that this one remembers of the file.
  second.outbox.saveName('ann', 'Ann');
  const path = join(directory, 'outbox.db');
  writeFileSync(path, Buffer.alloc(statSync(path).size), { flag: 'r+' });
  expect(() => outbox.load()).not.toThrow();
  expect(said).toHaveLength(1);
  outbox.saveDraft('c2', aDraft('after'));
  second.close();
  profile.close();
  const again = openOutbox(directory);
  expect(again.status.salvaged).toBe(null);
  expect(again.load().drafts.get('c2')?.text).toBe('after');
  again.close();
});

test('the lock holds nothing that could be lost', () => {
  const { directory, profile, outbox } = opened(true);
  truncateSync(join(directory, 'sender.lock'));
  outbox.enqueue(anOp({ uuid: 'b' }), null);
  const second = openOutboxWithRole(directory);
  expect(second.isSender).toBe(false);
  second.close();
  profile.close();
});

test('a program that does not send takes no words, and the one that sends mends', () => {
  const { directory, profile, outbox, said } = opened(true);
  const second = openOutboxWithRole(directory);
  expect(second.isSender).toBe(false);
  truncateSync(join(directory, 'outbox.db'));
  const isCut = expect.objectContaining({ kind: 'corrupt' });
  expect(() => second.outbox.enqueue(anOp({ uuid: 'b' }), null)).toThrow(isCut);
  outbox.enqueue(anOp({ uuid: 'c' }), null);
  expect(said).toHaveLength(1);
  expect(() => second.outbox.enqueue(anOp({ uuid: 'b' }), null)).toThrow(expect.objectContaining({ kind: 'replaced' }));
  second.close();
  expect(uuids(outbox)).toEqual(['a', 'c']);
  profile.close();
});

test('another process that ends shortens the log and harms nothing', () => {
  const { directory, profile, outbox, said } = opened(false);
  const second = openOutboxWithRole(directory);
  second.outbox.enqueue(anOp({ uuid: 'b' }), null);
  second.close();
  expect(statSync(join(directory, 'outbox.db-wal')).size).toBe(0);
  outbox.enqueue(anOp({ uuid: 'c' }), null);
  expect(uuids(outbox)).toEqual(['a', 'b', 'c']);
  expect(said).toEqual([]);
  profile.close();
});

test.each(['cache.db', 'cache.db-wal'])(
  '%s emptied: the cache is built anew, and says so, at once or at the next start',
  (name) => {
    const directory = temporaryDirectory();
    const said: string[] = [];
    const cache = openCache(directory, { onTrouble: ({ message }) => said.push(message) });
    cache.saveConversations([aConversation({ id: 'c1' })]);
    truncateSync(join(directory, name));
    cache.saveConversations([aConversation({ id: 'c2' })]);
    cache.close();
    const again = openCache(directory, { onTrouble: ({ message }) => said.push(message) });
    expect(again.status.memoryOnly).toBe(null);
    again.saveConversations([aConversation({ id: 'c3' })]);
    expect(again.conversations().map(({ id }) => id)).toContain('c3');
    again.close();
  },
);
