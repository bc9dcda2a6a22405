import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/protocol/types.ts';
import { type SheetOverlay, selectSheet } from '../../src/state/details/sheet.ts';
import type { Local } from '../../src/state/model/app-state.ts';
import type { MessageVersion } from '../../src/state/model/details.ts';
import { markOnline } from '../../src/state/view/connection.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText as rowText } from '../support/builders/row-text.ts';

const hostile = 'x\u001b[2J\u202e\u0007\n\u200b';
const ann = eg.contact({ id: 'ann', username: 'ann', phoneNumber: '+44 20' });
const me = eg.contact({ id: 'me', username: 'me' });

function stateWith(message: Message, local: Partial<Local> = {}, columns = 80) {
  return eg.state({
    conversations: [eg.conversation({ id: 'c', contactId: 'ann' })],
    contacts: [ann, me],
    cache: { threads: new Map([['c', eg.thread([message])]]) },
    local: { me: { contactId: 'me', username: 'me' }, ...local },
    screen: { size: { columns, rows: 24 } },
  });
}

const details = (itemId: string, versions: readonly MessageVersion[] | null = []): SheetOverlay => ({
  kind: 'details',
  conversationId: 'c',
  itemId,
  scroll: 0,
  versions,
});

const linesOf = (...asked: Parameters<typeof selectSheet>) => selectSheet(...asked).rows.map(rowText);

describe('the details of a message', () => {
  test('show the time, the author and who reacted: names, or counts where the server gives no names', () => {
    const message = eg.message({
      id: 'm',
      contact: ann,
      text: 'noon?',
      createdAt: eg.now,
      readAt: eg.now + 61_000,
      reactions: [
        { name: '👍', by: ['me', 'ann', 'stranger'] },
        { name: 'tada', by: [], unnamed: 3 },
      ],
      attachments: [{ label: 'a.png', url: 'https://x.example/a', size: 12, mediaType: 'image/png', fields: { x: 1 } }],
    });
    const text = linesOf(stateWith(message), details('m'), eg.now).join('\n');
    expect(text).toMatch(/Phone +\+44 20/);
    expect(text).toMatch(/Written +19 November 2026, 14:02:11/);
    expect(text).toMatch(/Read +19 November 2026, 14:03:12/);
    expect(text).toMatch(/👍 +You, ann, stranger/);
    expect(text).toMatch(/🎉 tada +3 not named by the server/);
    expect(text).toMatch(/a\.png\n +Address +https:\/\/x\.example\/a\n +Size +12 bytes\n +Type +image\/png/);
    expect(text).toContain('"created_at": "2026-11-19T14:02:11.000Z"');
    expect(text).toMatch(/"here": \{/);
  });

  test('of a failed message name each attempt and its request', () => {
    const attempts = [
      {
        started: eg.now,
        ended: eg.now + 2_000,
        outcome: 'rejected',
        evidence: '400',
        request: 'POST /v1/messages, request r7',
      } as const,
    ];
    const op = eg.op(
      { kind: 'message.send', conversationId: 'c', text: 'hi' },
      { uuid: 'u', state: 'failed', reason: 'too long', attempts },
    );
    const text = linesOf(stateWith(eg.message(), { outbox: [op] }), details('op:u'), eg.now).join(' ');
    expect(text.replace(/\s+/g, ' ')).toContain('refused (400) POST /v1/messages, request r7');
  });

  test('of a message that was not sent say how much of its text is not shown', () => {
    const text = `${'a'.repeat(4_000)}${'b'.repeat(70)}`;
    const op = eg.op({ kind: 'message.send', conversationId: 'c', text }, { uuid: 'u', state: 'failed' });
    const shown = linesOf(stateWith(eg.message(), { outbox: [op] }), details('op:u'), eg.now).join(' ');
    expect(shown.replace(/\s+/g, ' ')).toMatch(/a … and 70 more characters$/);
  });

  test('show the earlier versions, newest first, each against the one that followed', () => {
    const message = eg.message({ id: 'm', text: 'at ten sharp' });
    const versions = [
      { text: 'at ten', until: eg.now },
      { text: 'entirely else', until: eg.now },
      { text: '', until: eg.now },
    ];
    const lines = linesOf(stateWith(message), details('m', versions), eg.now).map((line) => line.trim());
    const at = lines.indexOf('at ten{+ sharp+}');
    expect(at).toBeGreaterThan(0);
    expect(lines.slice(at + 2, at + 5)).toEqual(['entirely else', lines[at + 3], '(empty)']);
    expect(linesOf(stateWith(message), details('m', null), eg.now).join()).toContain('Reading');
  });

  test('let no text reach the terminal as a command, and have no row that is wider than the page', () => {
    const message = eg.message({
      id: hostile,
      contact: eg.contact({ id: hostile, username: hostile, phoneNumber: hostile }),
      text: hostile.repeat(3_000),
      createdAt: 9e99,
      updatedAt: Number.NaN,
      reactions: [{ name: '__proto__', by: [hostile, 'x'.repeat(5_000)] }],
      attachments: [{ label: hostile, url: hostile, size: -1, mediaType: hostile, fields: { [hostile]: hostile } }],
    });
    for (const columns of [40, 80, 200]) {
      const versions = [{ text: hostile, until: 9e99 }];
      const { rows } = selectSheet(stateWith(message, {}, columns), details(hostile, versions), eg.now);
      expect(rows.map(rowText).join('')).not.toMatch(/[\u0000-\u001f\u007f\u202e\u200b]/);
      expect(Math.max(...rows.map(rowWidth))).toBeLessThanOrEqual(Math.min(88, columns - 2) - 4);
    }
  });
});

describe('the page of a person', () => {
  test('shows what is known, how old that is, and what was found', () => {
    const state = {
      ...stateWith(eg.message(), {
        names: new Map([['ann', 'Ann']]),
        notes: new Map([['ann', 'met at\u001b[2J sea']]),
      }),
    };
    const contacts = new Map([['ann', { ...ann, lastActiveAt: eg.now - 5 * eg.minute }]]);
    const known = { ...state, cache: { ...state.cache, contacts } };
    const lastFrom = eg.message({ text: `${hostile} bye`, createdAt: eg.now - eg.hour });
    const of = { kind: 'contact', id: 'ann' } as const;
    const links = { addresses: [], refused: 0 };
    const findings = {
      of,
      lastFrom,
      lastTo: null,
      groups: [],
      authors: [],
      links,
      files: ['a\u001b.txt'],
      searched: 7,
      isDone: true,
    };
    const page: SheetOverlay = { kind: 'person', of, scroll: 0, findings };
    const text = linesOf(known, page, eg.now).join('\n');
    expect(selectSheet(known, page, eg.now).title).toBe('Ann');
    expect(text).toMatch(/Last seen +19 November 2026, 13:57:11 \(5 min ago\)/);
    expect(text).toMatch(/reported with their message of 19 November 2026, 13:02:11/);
    expect(text).toMatch(/Your note +met at/);
    expect(text).toMatch(/To them +none is kept here/);
    expect(text).toContain('Searched 7 messages that are held here.');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('shows of the last exchange the words of a reply, and the file of a message without words', () => {
    const of = { kind: 'contact', id: 'ann' } as const;
    const file = { label: 'map.png', url: null, size: null, mediaType: null, fields: {} };
    const findings = {
      of,
      lastFrom: eg.message({ text: '', attachments: [file] }),
      lastTo: eg.message({ text: '> ann wrote:\n> Where?\n\nAt the harbour' }),
      groups: [],
      authors: [],
      links: { addresses: [], refused: 0 },
      files: [],
      searched: 2,
      isDone: true,
    };
    const state = stateWith(eg.message());
    const text = linesOf(state, { kind: 'person', of, scroll: 0, findings }, eg.now).join('\n');
    expect(text).toMatch(/From them .*: map\.png$/m);
    expect(text).toMatch(/To them .*: At the harbour$/m);
  });

  test('says to the minute when the server last answered, as it is not known better', () => {
    const answered = markOnline(eg.now + 30_000)(markOnline(eg.now)(stateWith(eg.message())));
    const contacts = new Map([['ann', { ...ann, lastActiveAt: eg.now + 20_000 }]]);
    const state = { ...answered, cache: { ...answered.cache, contacts } };
    const page: SheetOverlay = { kind: 'person', of: { kind: 'contact', id: 'ann' }, scroll: 0, findings: null };
    expect(linesOf(state, page, eg.now + 40_000).join('\n')).toMatch(/the server last answered at\s+14:02$/m);
  });

  test('spoilers in the last exchange are covered', () => {
    const of = { kind: 'contact', id: 'ann' } as const;
    const lastFrom = eg.message({ text: 'see ||the butler\ndid it|| b' });
    const nothing = { lastTo: null, groups: [], authors: [], links: { addresses: [], refused: 0 }, files: [] };
    const findings = { ...nothing, of, lastFrom, searched: 1, isDone: true };
    const page: SheetOverlay = { kind: 'person', of, scroll: 0, findings };
    const text = linesOf(stateWith(eg.message()), page, eg.now).join('\n');
    expect(text).toContain('see ||…|| b');
    expect(text).toContain('Searched the only message that is held here.');
    expect(text).not.toContain('butler');
  });

  test('of a group names who has written there, and who wrote last', () => {
    const of = { kind: 'group', id: 'g1' } as const;
    const authors = [
      eg.message({ contact: ann, text: 'noon?', createdAt: eg.now - eg.hour }),
      eg.message({ contact: eg.contact({ id: 'bob', username: 'bob\u001b' }), createdAt: eg.now - 48 * eg.hour }),
    ];
    const nothing = { lastTo: null, groups: [], links: { addresses: [], refused: 0 }, files: [] };
    const findings = { ...nothing, of, authors, lastFrom: authors[0] ?? null, searched: 2, isDone: true };
    const page: SheetOverlay = { kind: 'person', of, scroll: 0, findings };
    const lines = linesOf(stateWith(eg.message()), page, eg.now);
    expect(lines.find((line) => line.includes('From others'))).toMatch(/From others +ann, 19 November/);
    const at = lines.findIndex((line) => line.includes('Who has written here'));
    expect(lines.slice(at + 1, at + 3).map((line) => line.trim())).toEqual([
      'ann, last 1 h ago',
      'bob␛, last 2 days ago',
    ]);
  });
});
