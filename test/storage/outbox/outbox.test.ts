import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Op } from '../../../src/state/model/app-state.ts';
import { memoryOutbox } from '../../../src/storage/outbox/memory.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { recordRow } from '../../../src/storage/outbox/rows.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import type { OutboxDisk } from '../../../src/sync/services/ports.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { aDraft, anOp, temporaryDirectory } from '../builders.ts';

const isAtRest = ({ state }: Op): boolean => state !== 'sending';

const kinds: Readonly<Record<string, (directory: string) => OutboxDisk>> = {
  'on disk': (directory) => openOutbox(directory),
  'in memory': () => memoryOutbox({ volatile: true }),
};

describe.each(Object.entries(kinds))('outbox %s', (_, open) => {
  test('enqueue numbers ops in one sequence and removes the draft', () => {
    const outbox = open(temporaryDirectory());
    outbox.saveRecords([['drafts', 'c1', aDraft('Hi Ann')]]);
    outbox.saveRecords([['drafts', 'c2', aDraft('noon?')]]);
    const first = outbox.enqueue(anOp({ uuid: 'a' }), 'c1');
    const second = outbox.enqueue(anOp({ uuid: 'b' }), null);
    expect(second.seq).toBeGreaterThan(first.seq);
    const local = outbox.load();
    expect(local.outbox).toEqual([first, second]);
    expect([...local.drafts.keys()]).toEqual(['c2']);
    outbox.close();
  });

  test('enqueue replaces the draft by what is left in the composer', () => {
    const outbox = open(temporaryDirectory());
    outbox.saveRecords([['drafts', 'c1', aDraft('sent before')]]);
    outbox.enqueue(anOp({ uuid: 'a' }), 'c1', aDraft('half a thought'));
    expect([...outbox.load().drafts].map(([id, { text }]) => [id, text])).toEqual([['c1', 'half a thought']]);
    outbox.close();
  });

  test('a number is not used again after the last op is gone', () => {
    const outbox = open(temporaryDirectory());
    const first = outbox.enqueue(anOp({ uuid: 'a' }), null);
    outbox.discard('a');
    expect(outbox.enqueue(anOp({ uuid: 'b' }), null).seq).toBeGreaterThan(first.seq);
    outbox.close();
  });

  test('two ops never claim one message', () => {
    const outbox = open(temporaryDirectory());
    outbox.enqueue(anOp({ uuid: 'a' }), null);
    const second = outbox.enqueue(anOp({ uuid: 'b' }), null);
    expect(outbox.settle('a', 'm1')).toBe(true);
    expect(outbox.settle('b', 'm1')).toBe(false);
    expect(outbox.load().outbox).toEqual([second]);
    expect(outbox.settle('b', 'm2')).toBe(true);
    expect(outbox.load().outbox).toEqual([]);
    expect(outbox.claims('c1')).toEqual(new Set(['m1', 'm2']));
    expect(outbox.claims('c2')).toEqual(new Set());
    outbox.close();
  });

  test('an id that the server has given to another message is claimed anew', () => {
    const outbox = open(temporaryDirectory());
    for (const at of [1, 2]) {
      const action = { kind: 'message.send', conversationId: `c${at}`, text: 'Hi' } as const;
      outbox.enqueue(anOp({ uuid: `u${at}`, action }), null);
    }
    expect(outbox.settle('u1', 'm1')).toBe(true);
    expect(outbox.settle('u2', 'm1', true)).toBe(true);
    expect(outbox.load().outbox).toEqual([]);
    expect(outbox.claims('c1')).toEqual(new Set());
    expect(outbox.claims('c2')).toEqual(new Set(['m1']));
    outbox.close();
  });

  test('settling an edit of an own sent message is no second claim', () => {
    const outbox = open(temporaryDirectory());
    outbox.enqueue(anOp({ uuid: 'a' }), null);
    outbox.settle('a', 'm1');
    const action = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'x', text: 'y' } as const;
    outbox.enqueue(anOp({ uuid: 'b', action }), null);
    expect(outbox.settle('b', 'm1')).toBe(true);
    expect(outbox.load().outbox).toEqual([]);
    outbox.close();
  });

  test('a discarded op is not restored by a late change', () => {
    const outbox = open(temporaryDirectory());
    const op = outbox.enqueue(anOp(), null);
    outbox.discard(op.uuid);
    const late = () => outbox.changeOp(op.uuid, () => ({ ...op, state: 'sending' }));
    expect(late).toThrow(expect.objectContaining({ kind: 'gone' }));
    expect(outbox.load().outbox).toEqual([]);
    outbox.close();
  });

  test('local records are saved, replaced and removed', () => {
    const outbox = open(temporaryDirectory());
    outbox.saveRecords([['readLines', 'c1', { messageId: 'm1', at: 5 }]]);
    outbox.saveRecords([['readLines', 'c1', { messageId: null, at: 6.5 }]]);
    outbox.saveRecords([['readLines', 'c2', { messageId: 'm2', at: 7 }]]);
    outbox.saveRecords([['readLines', 'c2', null]]);
    outbox.saveRecords([['names', 'g1', 'Harbour crew']]);
    outbox.saveRecords([['names', 'g2', 'gone']]);
    outbox.saveRecords([['names', 'g2', null]]);
    outbox.saveRecords([['me', '', { contactId: 'me', username: null }]]);
    outbox.saveRecords([['capabilities', 'ownReactionsOnly', { value: true, at: 1, from: 'GET /v1/messages' }]]);
    const local = outbox.load();
    expect(local.readLines).toEqual(new Map([['c1', { messageId: null, at: 6.5 }]]));
    expect(local.names).toEqual(new Map([['g1', 'Harbour crew']]));
    expect(local.me).toEqual({ contactId: 'me', username: null });
    expect(local.capabilities).toEqual({ ownReactionsOnly: { value: true, at: 1, from: 'GET /v1/messages' } });
    outbox.saveRecords([['me', '', null]]);
    outbox.saveRecords([['drafts', 'c1', aDraft('x')]]);
    outbox.saveRecords([['drafts', 'c1', null]]);
    expect(outbox.load().me).toBeNull();
    expect(outbox.load().drafts.size).toBe(0);
    outbox.close();
  });
});

describe('outbox.db', () => {
  test('positions, the view of the list and the end of a mute are read back as they were', () => {
    const scroll = { at: 'message', messageId: 'm1', line: -1 } as const;
    const shown = { part: { messageId: 'm1', starts: [4_000, 8_000] }, rawId: 'm1', unfolded: ['m2'] };
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    outbox.saveRecords([
      ['savedPlaces', 'c1', { scroll, selectedId: null }],
      ['savedPlaces', 'c2', { scroll: { at: 'bottom' }, selectedId: 'm2' }],
      ['savedPlaces', 'c3', { scroll, selectedId: null, ...shown }],
      ['listView', '', { groupId: 'g1' }],
      ['density', '', { chosen: 'compact', over: 'comfortable' }],
      ['mutedUntil', 'c1', 1_795_000_000_000],
    ]);
    outbox.close();
    const again = openOutbox(directory);
    const local = again.load();
    again.close();
    expect([...local.savedPlaces.values()]).toEqual([
      { scroll, selectedId: null },
      { scroll: { at: 'bottom' }, selectedId: 'm2' },
      { scroll, selectedId: null, ...shown },
    ]);
    expect([local.listView, local.mutedUntil.get('c1')]).toEqual([{ groupId: 'g1' }, 1_795_000_000_000]);
    expect(local.density).toEqual({ chosen: 'compact', over: 'comfortable' });
  });

  test('everything is there after closing, whatever characters it contains', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const directory = temporaryDirectory();
    fc.assert(
      fc.property(text, text, text, (id, words, reason) => {
        const outbox = openOutbox(directory);
        const op = outbox.enqueue(
          anOp({
            uuid: `u-${id}`.replaceAll('\0', ''),
            action: { kind: 'message.send', conversationId: id, text: words },
            reason,
            attempts: [{ started: 1, ended: null, outcome: null, evidence: words }],
            baseline: { sameText: [id], newest: [words] },
            lastScan: 3.5,
          }),
          null,
        );
        const draft = aDraft(`${words}\0\ud800`, { editing: { messageId: id, base: words } });
        outbox.saveRecords([['drafts', id, draft]]);
        outbox.saveRecords([['names', id, words]]);
        outbox.saveRecords([['readLines', id, { messageId: words, at: 1 }]]);
        outbox.close();
        const again = openOutbox(directory);
        const local = again.load();
        expect(local.outbox).toEqual([op]);
        expect(local.drafts).toEqual(new Map([[id, draft]]));
        expect(local.names).toEqual(new Map([[id, words]]));
        expect(local.readLines).toEqual(new Map([[id, { messageId: words, at: 1 }]]));
        again.discard(op.uuid);
        again.saveRecords([['drafts', id, null]]);
        again.saveRecords([['names', id, null]]);
        again.saveRecords([['readLines', id, null]]);
        again.close();
      }),
      { numRuns: campaignSize(10, 30) },
    );
  });

  test('the time of a message to be deleted is saved, and may be missing', () => {
    const path = temporaryDirectory();
    const deletion = { kind: 'message.delete', conversationId: 'c1', messageId: 'm1' } as const;
    const first = openOutbox(path);
    const ops = [{ ...deletion, createdAt: 5 }, deletion].map((action, at) =>
      first.enqueue(anOp({ uuid: `u${at}`, action }), null),
    );
    first.close();
    const second = openOutbox(path);
    expect(second.load().outbox).toEqual(ops);
    second.close();
  });

  test('the mark that later ones may go first, the recipient and the former settings are saved', () => {
    const settingsBefore = { isPinned: true, isMuted: false, pinnedMessageId: 'm1', archivedAt: null };
    const path = temporaryDirectory();
    const first = openOutbox(path);
    const op = first.enqueue(
      anOp({
        uuid: 'a',
        state: 'unsure',
        recipient: { contactId: 'ann' },
        warnedOf: { groupId: 'g' },
        autoResent: true,
        settingsBefore,
      }),
      null,
    );
    first.changeOp(op.uuid, () => ({ ...op, skippedInOrder: true }));
    first.close();
    const second = openOutbox(path);
    expect(second.load().outbox).toEqual([{ ...op, skippedInOrder: true }]);
    const later = second.enqueue(anOp({ uuid: 'b' }), null);
    const asked: boolean[] = [];
    second.begin(later, (earlier) => {
      asked.push(earlier.skippedInOrder === true);
      return false;
    });
    expect(asked).toEqual([true]);
    second.close();
  });

  test('that the history holds a possible copy is saved, and read from the reason of a version that has no field for it', () => {
    const path = temporaryDirectory();
    const reason = 'A message with this text is in the history; nobody knows yet whether it is yours.';
    const first = openOutbox(path);
    first.enqueue(anOp({ uuid: 'found', state: 'unsure', hasPossibleCopy: true }), null);
    first.enqueue(anOp({ uuid: 'not found', state: 'unsure', reason }), null);
    first.enqueue(anOp({ uuid: 'found earlier', state: 'unsure', reason }), null);
    first.enqueue(anOp({ uuid: 'not found earlier', state: 'unsure', reason: 'No answer from the server.' }), null);
    first.close();
    const raw = openDatabase(join(path, 'outbox.db'));
    raw.exec("UPDATE ops SET action = json_remove(action, '$.sum', '$.hasPossibleCopy') WHERE uuid LIKE '% earlier'");
    raw.close();
    const second = openOutbox(path);
    expect(second.load().outbox.map((op) => op.hasPossibleCopy)).toEqual([true, false, true, false]);
    second.close();
  });

  test('the before-image of an op is stored with it, and removed with it', () => {
    const path = temporaryDirectory();
    const first = openOutbox(path);
    const action = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'a', text: 'b' } as const;
    const file = { label: 'f', url: null, size: 1, mediaType: null, fields: { id: 'f1', n: [1, null] } };
    const heart = [{ name: 'heart', by: ['ann', '\u0000\ud800'], unnamed: 2 }];
    const owed = { text: 'a', reactions: heart, attachments: [file], sent: { message: 'b', reactions: heart } };
    const op = first.enqueue(anOp({ uuid: 'a', action }), null);
    first.changeOp(op.uuid, () => ({ ...op, pendingRepair: owed }));
    first.close();
    const second = openOutbox(path);
    expect(second.load().outbox).toEqual([{ ...op, pendingRepair: owed }]);
    second.changeOp(op.uuid, () => op);
    expect(second.load().outbox).toEqual([op]);
    second.close();
  });

  test('undo history is not written to the file; text and cursor are read back', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    outbox.saveRecords([
      [
        'drafts',
        'c1',
        aDraft('Hi Ann', { cursor: 2, undo: [{ start: 0, end: 6, text: 'secret', cursor: 0 }], kill: 'killed' }),
      ],
    ]);
    outbox.close();
    const again = openOutbox(directory);
    expect(again.load().drafts.get('c1')).toEqual(aDraft('Hi Ann', { cursor: 2 }));
    again.close();
  });

  test('an op found as sending is read as unsure, and stays so', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const op = outbox.enqueue(anOp(), null);
    const attempt = { started: 10, ended: null, outcome: null, evidence: '' } as const;
    outbox.changeOp(op.uuid, () => ({ ...op, state: 'sending', attempts: [attempt], scans: 2, lastScan: 4 }));
    outbox.close();
    const expected = {
      ...op,
      state: 'unsure',
      reason: 'msg-tui ended before the answer came.',
      attempts: [{ started: 10, ended: 99, outcome: 'ambiguous', evidence: 'process ended' }],
    };
    for (const now of [99, 100]) {
      const again = openOutbox(directory, { now: () => now });
      expect(again.load().outbox).toEqual([expected]);
      again.close();
    }
  });

  test('outcomes of attempts are stored as the letters of the first version, and read as words', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const outcomes = ['not-applied', 'rejected', 'ambiguous', 'applied', null] as const;
    const attempts = outcomes.map((outcome, at) => ({ started: at, ended: at, outcome, evidence: '' }));
    const op = outbox.enqueue(anOp({ attempts }), null);
    outbox.close();
    const database = openDatabase(join(directory, 'outbox.db'));
    const [row] = database.prepare('SELECT attempts FROM ops').all();
    database.close();
    const stored = JSON.parse(String(row?.attempts)) as readonly { readonly outcome: unknown }[];
    expect(stored.map(({ outcome }) => outcome)).toEqual(['N', 'P', 'A', 'Y', null]);
    const again = openOutbox(directory);
    expect(again.load().outbox).toEqual([op]);
    again.close();
  });

  test('the id in the answer to an attempt is saved', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const op = outbox.enqueue(anOp(), null);
    const attempt = { started: 10, ended: 11, outcome: 'ambiguous', evidence: '201', answeredId: 'm9' } as const;
    const unsure = { ...op, state: 'unsure', attempts: [attempt] } as const;
    outbox.changeOp(op.uuid, () => unsure);
    outbox.close();
    const again = openOutbox(directory);
    expect(again.load().outbox).toEqual([unsure]);
    again.close();
  });

  test('a reader does not change the op that the sender is sending until it takes the role over', () => {
    const directory = temporaryDirectory();
    const sender = openOutbox(directory);
    const op = { ...sender.enqueue(anOp(), null), state: 'sending' } as const;
    sender.changeOp(op.uuid, () => op);
    const reader = openOutbox(directory, { role: 'reader' });
    expect(reader.load().outbox).toEqual([op]);
    sender.close();
    reader.becomeSender();
    expect(reader.load().outbox[0]?.state).toBe('unsure');
    reader.close();
  });

  test("a write of another process is noticed once, the process's own write never", () => {
    const directory = temporaryDirectory();
    const sender = openOutbox(directory);
    const other = openOutbox(directory, { role: 'reader' });
    sender.saveRecords([['names', 'a', 'Ann']]);
    expect(sender.hasForeignChanges()).toBe(false);
    const op = other.enqueue(anOp(), null);
    expect(sender.hasForeignChanges()).toBe(true);
    expect(sender.hasForeignChanges()).toBe(false);
    expect(sender.load().outbox).toEqual([op]);
    sender.close();
    other.close();
  });

  test('an attempt begins only when nothing on disk goes before it', () => {
    const directory = temporaryDirectory();
    const sender = openOutbox(directory);
    const other = openOutbox(directory, { role: 'reader' });
    const send = (uuid: string, conversationId: string) =>
      anOp({ uuid, action: { kind: 'message.send', conversationId, text: '"conversationId":"c1"' } });
    const [elsewhere, before] = [other.enqueue(send('a', 'c2'), null), other.enqueue(send('b', 'c1'), null)];
    const mine = sender.enqueue(send('c', 'c1'), null);
    other.enqueue(send('d', 'c1'), null);
    const asked: string[] = [];
    const begin = () => sender.begin({ ...mine, state: 'sending' }, ({ uuid }) => asked.push(uuid) > 0);
    expect(begin()).toBe(false);
    expect(asked).toEqual([before.uuid]);
    expect(other.load().outbox.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued', 'queued']);
    other.changeOp(before.uuid, (held) => ({ ...held, state: 'failed' }));
    expect(begin()).toBe(true);
    expect(other.load().outbox.map(({ uuid, state }) => `${uuid} ${state}`)).toContain('c sending');
    expect(elsewhere.state).toBe('queued');
    sender.discard(mine.uuid);
    expect(begin).toThrow(expect.objectContaining({ kind: 'gone' }));
    sender.close();
    other.close();
  });

  test('records that cannot be parsed are set aside and counted, not deleted', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const whole = outbox.enqueue(anOp({ uuid: 'whole' }), null);
    outbox.enqueue(anOp({ uuid: 'broken' }), null);
    outbox.saveRecords([['drafts', 'c1', aDraft('precious words')]]);
    const path = join(directory, 'outbox.db');
    const raw = openDatabase(path);
    raw.exec(`UPDATE ops SET action = '{"kind":"message.send","text":"precious"}' WHERE uuid = 'broken';
              UPDATE records SET json = replace(json, 'precious', 'Precious')`);
    expect(outbox.load().outbox).toEqual([whole]);
    expect(outbox.status.setAside).toBe(2);
    outbox.close();
    const again = openOutbox(directory);
    expect(again.load().drafts.size).toBe(0);
    expect(again.status.setAside).toBe(2);
    again.close();
    const kept = raw.prepare('SELECT source, record FROM set_aside ORDER BY source').all();
    expect(kept.map((row) => row.source)).toEqual(['ops', 'records']);
    expect(kept.every((row) => /precious/i.test(String(row.record)))).toBe(true);
    raw.close();
  });

  test('an op with a number that cannot be read holds back no other', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const whole = outbox.enqueue(anOp({ uuid: 'whole' }), null);
    outbox.enqueue(anOp({ uuid: 'odd' }), null);
    outbox.saveRecords([['drafts', 'c1', aDraft('precious words')]]);
    outbox.close();
    const raw = openDatabase(join(directory, 'outbox.db'));
    raw.exec("UPDATE ops SET scans = 9223372036854775807 WHERE uuid = 'odd'");
    raw.close();
    const again = openOutbox(directory);
    const { outbox: ops, drafts } = again.load();
    expect(ops).toEqual([whole]);
    expect(drafts.get('c1')?.text).toBe('precious words');
    expect(again.status.salvaged?.records).toBe(2);
    again.close();
  });

  test('a record of a kind from a later version stays as it is', () => {
    const directory = temporaryDirectory();
    const row = Object.values(recordRow('snoozes', 'c1', { until: 5 }));
    openOutbox(directory).close();
    const raw = openDatabase(join(directory, 'outbox.db'));
    raw.prepare('INSERT INTO records VALUES (?, ?, ?)').run(...row);
    const outbox = openOutbox(directory);
    expect(outbox.load().drafts.size).toBe(0);
    expect(outbox.status).toEqual({ setAside: 0, salvaged: null });
    expect(Object.values(raw.prepare('SELECT * FROM records').get() ?? {})).toEqual(row);
    outbox.close();
    raw.close();
  });

  test('an impossible capability is learned again, the others stay', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const good = { value: 'trim', at: 1, from: 'POST /v1/messages' } as const;
    outbox.saveRecords([
      ['capabilities', 'textChange', good],
      ['capabilities', 'largestLimit', { value: -1, at: 1, from: 'x' }],
    ]);
    expect(outbox.load().capabilities).toEqual({ textChange: good });
    outbox.close();
  });

  test('how a later version has left the screen stays as it is, and is not taken for damage', () => {
    const directory = temporaryDirectory();
    const rows = [
      ['density', { chosen: 'dense', over: 'normal' }],
      ['listView', 'snoozed'],
      ['listWidth', { columns: 30 }],
      ['savedPlaces', { scroll: { at: 'date' }, selectedId: null }],
    ].map(([kind, value]) => recordRow(String(kind), '', value));
    openOutbox(directory).close();
    const raw = openDatabase(join(directory, 'outbox.db'));
    for (const row of rows) raw.prepare('INSERT INTO records VALUES (?, ?, ?)').run(row.kind, row.key, row.json);
    const outbox = openOutbox(directory);
    expect(outbox.load()).toMatchObject({ density: null, listView: null, listWidth: null });
    expect(outbox.status.setAside).toBe(0);
    outbox.saveRecords([['density', '', { chosen: 'compact', over: 'normal' }]]);
    expect(outbox.load().density?.chosen).toBe('compact');
    expect(raw.prepare('SELECT count(*) AS count FROM records').get()?.count).toBe(rows.length);
    outbox.close();
    raw.close();
  });

  test.each([
    ['unsentText', 'omittedText'],
    ['unsentReactions', 'omittedReactions'],
    ['unsentFiles', 'omittedFiles'],
  ] as const)(
    'a capability that is stored as %s, as earlier versions do, is read and written as %s',
    (stored, name) => {
      const dropped = { value: 'dropped', at: 1, from: 'PUT /v1/messages/:id' } as const;
      const directory = temporaryDirectory();
      const outbox = openOutbox(directory);
      const raw = openDatabase(join(directory, 'outbox.db'));
      const keys = (): unknown => raw.prepare('SELECT key FROM records').all();
      outbox.saveRecords([['capabilities', name, dropped]]);
      expect(keys()).toEqual([{ key: stored }]);
      expect(outbox.load().capabilities).toEqual({ [name]: dropped });
      outbox.saveRecords([['capabilities', name, null]]);
      expect(keys()).toEqual([]);
      raw.close();
      outbox.close();
    },
  );

  test('capabilities are changed one by one, and those of a later version stay', () => {
    const directory = temporaryDirectory();
    const [one, other] = [openOutbox(directory), openOutbox(directory, { role: 'reader' })];
    const learned = <T>(value: T) => ({ value, at: 1, from: 'GET /v1/messages' });
    one.saveRecords([
      ['capabilities', 'ownReactionsOnly', learned(true)],
      ['capabilities', 'textChange', learned('trim' as const)],
    ]);
    other.saveRecords([
      ['capabilities', 'ownReactionsOnly', learned(false)],
      ['capabilities', 'largestLimit', learned(10)],
    ]);
    expect(one.load().capabilities).toEqual({
      ownReactionsOnly: learned(false),
      textChange: learned('trim'),
      largestLimit: learned(10),
    });
    expect(one.hasForeignChanges()).toBe(true);
    const raw = openDatabase(join(directory, 'outbox.db'));
    const ofTomorrow = recordRow('capabilities', 'ofTomorrow', learned(1));
    raw.prepare('INSERT INTO records VALUES (?, ?, ?)').run(...Object.values(ofTomorrow));
    const names = (): unknown => raw.prepare('SELECT key FROM records ORDER BY key').all();
    other.saveRecords([
      ['capabilities', 'textChange', null],
      ['capabilities', 'largestLimit', null],
    ]);
    expect(one.load().capabilities).toEqual({ ownReactionsOnly: learned(false) });
    expect(names()).toEqual([{ key: 'ofTomorrow' }, { key: 'ownReactionsOnly' }]);
    raw.close();
    other.close();
    one.close();
  });

  test('without a disk nothing is queued', () => {
    expect(() => memoryOutbox().enqueue(anOp(), null)).toThrow(expect.objectContaining({ kind: 'no-sqlite' }));
  });

  test('an op is in the file itself, and an orderly end leaves no journal', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    outbox.enqueue(anOp({ uuid: 'a' }), null);
    const other = temporaryDirectory();
    copyFileSync(join(directory, 'outbox.db'), join(other, 'outbox.db'));
    outbox.close();
    const copy = openOutbox(other);
    expect(copy.load().outbox.map(({ uuid }) => uuid)).toEqual(['a']);
    expect(copy.status.salvaged).toBeNull();
    copy.close();
    expect(readdirSync(directory)).toEqual(['outbox.db']);
  });
});

describe.each(Object.entries(kinds))('taking a message back, outbox %s', (_, open) => {
  test('removes the op and puts its text into the draft', () => {
    const outbox = open(temporaryDirectory());
    outbox.enqueue(anOp({ uuid: 'a' }), null);
    expect(outbox.withdraw('a', { conversationId: 'c1', draft: aDraft('Hi Ann') }, isAtRest)).toBe(true);
    expect(outbox.load().outbox).toEqual([]);
    expect(outbox.load().drafts.get('c1')?.text).toBe('Hi Ann');
    outbox.close();
  });

  test('is refused while it is being sent and when it is gone, and the draft stays as it was', () => {
    const outbox = open(temporaryDirectory());
    const op = outbox.enqueue(anOp({ uuid: 'a' }), null);
    outbox.changeOp(op.uuid, () => ({ ...op, state: 'sending' }));
    expect(outbox.withdraw('a', { conversationId: 'c1', draft: aDraft('Hi Ann') }, isAtRest)).toBe(false);
    expect(outbox.withdraw('b', { conversationId: 'c1', draft: aDraft('Hi Ann') }, isAtRest)).toBe(false);
    expect(outbox.load().outbox).toHaveLength(1);
    expect(outbox.load().drafts.size).toBe(0);
    outbox.close();
  });

  test('does not return an op that has gone on since to its earlier state', () => {
    const outbox = open(temporaryDirectory());
    const op = outbox.enqueue(anOp({ uuid: 'a' }), null);
    outbox.changeOp(op.uuid, (held) => ({ ...held, state: 'sending' }));
    const late = (held: Op): Op | null => (held.state === 'queued' ? { ...held, reason: 'late' } : null);
    expect(() => outbox.changeOp(op.uuid, late)).toThrow(expect.objectContaining({ kind: 'gone' }));
    expect(outbox.load().outbox[0]?.state).not.toBe('queued');
    outbox.close();
  });

  test('a message sent again is remembered after it is settled, one sent once is not', () => {
    const outbox = open(temporaryDirectory());
    const attempt = { started: 1, ended: 2, outcome: 'ambiguous', evidence: 'timeout' } as const;
    const baseline = { sameText: ['m0'], newest: ['m0'] };
    for (const uuid of ['once', 'again']) {
      outbox.enqueue(anOp({ uuid, baseline }), null);
      const attempts = uuid === 'once' ? [attempt] : [attempt, { ...attempt, outcome: null }];
      outbox.changeOp(uuid, (held) => ({ ...held, attempts }));
      outbox.settle(uuid, `m ${uuid}`);
    }
    const [entry, ...others] = outbox.load().resent.values();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      uuid: 'again',
      found: 'm again',
      sameText: ['m0'],
      text: 'Hi Ann',
      duplicateId: null,
    });
    if (entry !== undefined) outbox.saveRecords([['resent', 'again', { ...entry, duplicateId: 'm2' }]]);
    expect([...outbox.load().resent.values()].map(({ duplicateId }) => duplicateId)).toEqual(['m2']);
    outbox.saveRecords([['resent', 'again', null]]);
    expect(outbox.load().resent.size).toBe(0);
    outbox.close();
  });
});

describe('claims', () => {
  const claimed = (directory: string, conversationId: string, count: number) => {
    const database = openDatabase(join(directory, 'outbox.db'));
    database.exec('BEGIN');
    const insert = database.prepare('INSERT INTO claims VALUES (?, ?, ?)');
    for (let i = 0; i < count; i++) insert.run(`${conversationId} m${i}`, conversationId, `${conversationId} u${i}`);
    database.exec('COMMIT');
    database.close();
  };

  test('are forgotten beyond the newest thousand, but not while something is unsettled', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    outbox.enqueue(anOp({ action: { kind: 'message.send', conversationId: 'busy', text: 'Hi' } }), null);
    outbox.close();
    claimed(directory, 'busy', 1010);
    claimed(directory, 'quiet', 1010);
    claimed(directory, 'few', 10);
    const again = openOutbox(directory);
    expect(again.claims('busy').size).toBe(1010);
    expect(again.claims('quiet').size).toBe(1000);
    expect(again.claims('quiet').has('quiet m9')).toBe(false);
    expect(again.claims('quiet').has('quiet m10')).toBe(true);
    expect(again.claims('few').size).toBe(10);
    again.close();
  });

  test('include the other id of a message, but take none from another op', () => {
    const outbox = openOutbox(temporaryDirectory());
    for (const [uuid, id] of [
      ['u1', 'tmp'],
      ['u2', 'm2'],
    ] as const) {
      outbox.enqueue(anOp({ uuid, action: { kind: 'message.send', conversationId: 'c1', text: 'Hi' } }), null);
      expect(outbox.settle(uuid, id)).toBe(true);
    }
    outbox.claimAlso('tmp', 'm1');
    outbox.claimAlso('tmp', 'm2');
    outbox.claimAlso('nobody', 'm3');
    expect(outbox.claims('c1')).toEqual(new Set(['tmp', 'm1', 'm2']));
    outbox.enqueue(anOp({ uuid: 'u3', action: { kind: 'message.send', conversationId: 'c1', text: 'Hi' } }), null);
    expect(outbox.settle('u3', 'm1')).toBe(false);
    outbox.close();
  });
});

describe('a file that disappears while it is open', () => {
  const ways: Readonly<Record<string, (path: string) => void>> = {
    'the file deleted': (path) => rmSync(path),
    'the directory deleted': (path) => rmSync(dirname(path), { recursive: true }),
    'the file replaced by a copy': (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    'the file moved away, and a link to it left': (path) => {
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
    },
    'the lock of the sender deleted': (path) => rmSync(join(dirname(path), 'sender.lock')),
    'the file replaced by a directory': (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  };
  test.each(Object.entries(ways))('%s: no text is accepted that would be lost, and nothing begins', (_, spoil) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'sender.lock'), '', { mode: 0o600 });
    const outbox = openOutbox(directory);
    const waiting = outbox.enqueue(anOp({ uuid: 'a' }), null);
    spoil(join(directory, 'outbox.db'));
    const isReplaced = expect.objectContaining({ kind: 'replaced' });
    expect(() => outbox.enqueue(anOp({ uuid: 'b' }), null)).toThrow(isReplaced);
    expect(() => outbox.saveRecords([['drafts', 'c1', aDraft('Hi')]])).toThrow(isReplaced);
    expect(() => outbox.withdraw('a', null, isAtRest)).toThrow(isReplaced);
    expect(() => outbox.begin({ ...waiting, state: 'sending' }, () => true)).toThrow(isReplaced);
    outbox.close();
  });

  test('another process that opens, writes and closes does not affect this one', () => {
    const directory = temporaryDirectory();
    const outbox = openOutbox(directory);
    const other = openOutbox(directory, { role: 'reader' });
    other.enqueue(anOp({ uuid: 'a' }), null);
    other.close();
    outbox.enqueue(anOp({ uuid: 'b' }), null);
    expect(outbox.load().outbox.map(({ uuid }) => uuid)).toEqual(['a', 'b']);
    outbox.close();
  });
});
