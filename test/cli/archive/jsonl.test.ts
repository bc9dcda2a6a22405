import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ArchiveSource, entriesOf, type Missing } from '../../../src/cli/archive/entries.ts';
import { jsonLines, readEarlier } from '../../../src/cli/archive/jsonl.ts';
import { loadArchive } from '../../../src/cli/archive/load-archive.ts';
import { textKey } from '../../../src/state/local/own-names.ts';
import { createArchive } from '../../../src/storage/cache/archive-file.ts';
import { aContact, aConversation, aMessage } from '../../storage/builders.ts';
import { everything, imported, jsonlOf, sources } from './builders.ts';
import { demoSource } from './demo-source.ts';

const at = Date.UTC(2026, 10, 19, 13, 55);

function anArchive(): { readonly source: ArchiveSource; readonly cache: ReturnType<typeof createArchive>['cache'] } {
  const { cache } = createArchive(null, () => at + 5_000);
  cache.saveContacts([aContact()]);
  cache.saveConversations([aConversation()]);
  cache.saveMessages('c1', [aMessage({ createdAt: at }), aMessage({ id: 'm2', text: 'Zwei 🦊', createdAt: at + 1 })]);
  cache.saveReach('c1', 'end', []);
  return { source: { server: 'https://chat.example', me: null, names: new Map(), cache }, cache };
}

const load = (text: string) => loadArchive([Buffer.from(text)], 'a.jsonl', null);
const incremental = async (source: ArchiveSource, earlier: string): Promise<string> =>
  [...jsonLines(entriesOf(source, everything), await readEarlier([Buffer.from(earlier)], 'a.jsonl'))].join('');

describe('what was exported, imported and exported again is the same, byte for byte', () => {
  test('for made-up conversations', async () => {
    await fc.assert(
      fc.asyncProperty(sources, async (source) => {
        const first = jsonlOf(source);
        expect(jsonlOf(source)).toBe(first);
        expect(jsonlOf(await imported(first))).toBe(first);
      }),
      { numRuns: 40 },
    );
  });

  test('for the conversations of the demo', async () => {
    const source = await demoSource();
    const first = jsonlOf(source);
    expect(first.split('\n').length).toBeGreaterThan(300);
    expect(first).not.toContain('"is_complete":false');
    expect(jsonlOf(await imported(first))).toBe(first);
  });

  test('for one conversation, with the people in it and no others', async () => {
    const { source, cache } = anArchive();
    cache.saveContacts([aContact({ id: 'eve' })]);
    const first = jsonlOf(source, { conversations: ['c1'], since: null });
    expect(first).not.toContain('eve');
    expect(jsonlOf(await imported(first), { conversations: ['c1'], since: null })).toBe(first);
  });
});

test('the name that was given to a group stays its own if a person has the same id', async () => {
  const { source, cache } = anArchive();
  cache.saveContacts([aContact({ id: '1', username: 'Eve' })]);
  cache.saveConversations([aConversation({ id: 'c2', contactId: null, groupId: '1' })]);
  const first = jsonlOf({ ...source, names: new Map([[textKey('group', '1'), 'Harbour crew']]) });
  const named = first.split('\n').filter((line) => line.includes('"local_name":"Harbour crew"'));
  expect(named.map((line) => JSON.parse(line).type)).toEqual(['conversation']);
  expect(jsonlOf(await imported(first))).toBe(first);
});

describe('the hashes', () => {
  test('name the line that was changed', async () => {
    const text = jsonlOf(anArchive().source);
    const line = text.split('\n').findIndex((one) => one.includes('Zwei')) + 1;
    await expect(load(text.replace('Zwei', 'Drei'))).rejects.toThrow(`a.jsonl:${line}: the hash is wrong`);
  });

  test('notice every changed byte, a removed line, and a missing end', async () => {
    const text = jsonlOf(anArchive().source);
    const bytes = Buffer.from(text);
    for (let i = 0; i < bytes.length - 1; i += 7) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      await expect(loadArchive([changed], 'a.jsonl', null), `byte ${i}`).rejects.toThrow('a.jsonl');
    }
    const lines = text.trimEnd().split('\n');
    await expect(load(lines.toSpliced(2, 1).join('\n'))).rejects.toThrow('a.jsonl:3: the hash is wrong');
    await expect(load(`${lines.slice(0, -1).join('\n')}\n`)).rejects.toThrow(`ends after line ${lines.length - 1}`);
    const cut = text.indexOf('Zwei') + 2;
    const line = text.slice(0, cut).split('\n').length;
    await expect(load(text.slice(0, cut))).rejects.toThrow(`a.jsonl:${line}: the file ends in the middle of this line`);
    for (const other of ['', 'hello\n', '{}\n', '\u0000\u0001'])
      await expect(load(other)).rejects.toThrow('this file was not written by msg-tui export');
  });

  test('are checked when the file comes in small pieces', async () => {
    const text = jsonlOf(anArchive().source);
    const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const { facts, cache } = await loadArchive(pieces, 'a.jsonl', null);
    expect(jsonlOf({ ...facts, cache })).toBe(text);
  });
});

describe('an incremental export', () => {
  test('adds what is new or changed, with hashes that go on, and adds nothing if nothing changed', async () => {
    const { source, cache } = anArchive();
    const first = jsonlOf(source);
    expect(await incremental(source, first)).toBe('');
    cache.saveMessages('c1', [
      aMessage({ createdAt: at, text: 'Changed' }),
      aMessage({ id: 'm3', text: 'Three', createdAt: at + 2 }),
    ]);
    const added = await incremental(source, first);
    expect(added.match(/"type":"(message|conversation|person)"/g)).toEqual(['"type":"message"', '"type":"message"']);
    expect(added).toContain('"versions":[{"message":"Hello"');
    const whole = first + added;
    expect(await incremental(source, whole)).toBe('');
    expect(jsonlOf(await imported(whole))).toBe(jsonlOf(source));
  });

  test('says that the list of conversations is complete if an earlier export has said that it is not', async () => {
    const { source } = anArchive();
    const missing: Missing = { list: 'missing', newestOf: () => 'reached' };
    const first = jsonlOf({ ...source, missing });
    expect(first).toContain('{"type":"list","is_complete":false,"ending":"not_offered"');
    expect(await incremental({ ...source, missing }, first)).toBe('');
    const added = await incremental(source, first);
    expect(added).toContain('{"type":"list","is_complete":true,"ending":"reached"');
    expect(added).toMatch(/"type":"end".*"is_complete":true/);
    expect(jsonlOf(source)).not.toContain('"type":"list"');
  });

  test('keeps a gap where it is when the message after it was edited since', async () => {
    const { source, cache } = anArchive();
    cache.saveMessages('c1', [aMessage({ id: 'm3', text: 'Three', createdAt: at + 2 })]);
    cache.saveReach('c1', 'server', ['m2']);
    const first = jsonlOf(source);
    cache.saveMessages('c1', [aMessage({ id: 'm2', text: 'Edited', createdAt: at + 1 })]);
    const added = await incremental(source, first);
    expect(added).not.toContain('"type":"history"');
    expect(jsonlOf(await imported(first + added))).toBe(jsonlOf(source));
  });

  test('leaves out messages whose author was merely active again', async () => {
    const { source, cache } = anArchive();
    const first = jsonlOf(source);
    cache.saveMessages('c1', [aMessage({ createdAt: at, contact: aContact({ lastActiveAt: at + 9 }) })]);
    expect(await incremental(source, first)).toBe('');
  });
});

test('what is missing is reported, and what --since leaves out counts as missing', async () => {
  const { source, cache } = anArchive();
  cache.saveReach('c1', 'server', ['m2']);
  expect(jsonlOf(source)).toContain('"messages":2,"is_complete":false,"beginning":"not_fetched","gaps":["m2"]');
  cache.saveReach('c1', 'end', []);
  const late = jsonlOf(source, { conversations: null, since: at + 1 });
  expect(late).toContain('"messages":1,"is_complete":false,"beginning":"not_fetched","gaps":[]');
  expect(late).not.toContain('"id":"m1"');
});

test('a file of another kind, or of a later msg-tui, is refused in one line', async () => {
  const { hash } = await readEarlier([Buffer.from(jsonlOf(anArchive().source))], 'x');
  const later = new (hash.constructor as new () => typeof hash)().seal(
    '{"type":"header","schema":2,"server":"https://a.example"}',
  );
  await expect(load(later)).rejects.toThrow('a.jsonl:1: the file was written by a later msg-tui (schema 2)');
});
