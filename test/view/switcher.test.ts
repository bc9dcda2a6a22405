import { expect, test } from 'vitest';
import type { ShownSwitcherRow } from '../../src/state/search/switcher.ts';
import { parseQuery } from '../../src/state/search/switcher-row.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { sanitizeName } from '../../src/text/safe/sanitize.ts';
import { switcherRow } from '../../src/view/switcher.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText } from '../support/builders/row-text.ts';

const row = (columns: number, fields: Partial<ShownSwitcherRow> & { readonly called?: string } = {}): string => {
  const shown: ShownSwitcherRow = {
    key: 'c',
    name: sanitizeName(fields.called ?? 'Ann Wells'),
    conversationId: 'c',
    unread: 0,
    isPinned: false,
    isMuted: false,
    isArchived: false,
    isOpen: false,
    hasDraft: false,
    at: eg.now,
    ...fields,
  };
  const made = switcherRow(shown, columns, parseQuery('an'), eg.now);
  expect(rowWidth(made)).toBe(columns);
  return rowToText(made);
};

test('a row has the name, the details, and the time', () => {
  expect(row(30)).toBe('Ann Wells                14:02');
  expect(row(56, { unread: 3, isMuted: true })).toBe('Ann Wells                    3 unread · muted      14:02');
  expect(row(60, { hasDraft: true, isOpen: true, isPinned: true, isArchived: true })).toBe(
    'Ann Wells        draft · open · pinned · archived      14:02',
  );
  expect(row(40, { conversationId: null, at: null })).toBe('Ann Wells            no conversation yet');
});

test('a narrow row loses the name last', () => {
  expect(row(26, { unread: 3 })).toBe('Ann Wells         3 unread');
  expect(row(16, { unread: 3 })).toBe('Ann Wel…  3 unr…');
  expect(row(3, { unread: 3 })).toMatch(/^An?…/);
  expect(row(20, { called: '李明李明李明李明李明', unread: 3 })).toBe('李明李明 …  3 unread');
});

test('beside a long name the time is shown whole or not at all', () => {
  const long = { called: '漢字'.repeat(32), isPinned: true, isMuted: true };
  expect(row(52, long)).toMatch(/… {2}pinned · muted$/);
  expect(row(60, long)).toMatch(/… {2}pinned · muted {6}14:02$/);
});
