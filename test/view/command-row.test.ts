import { expect, test } from 'vitest';
import { rowWidth } from '../../src/text/layout/row.ts';
import { nameQuery } from '../../src/text/search/match.ts';
import { commandNote, commandRow } from '../../src/view/command-row.ts';
import { unicodeSigns } from '../../src/view/glyph-set.ts';
import { themes } from '../../src/view/theme.ts';
import { rowToText } from '../support/builders/row-text.ts';

const reply = { id: 'message.reply', title: 'Reply to it', slash: 'reply', keys: 'r', reason: null };
const look = { theme: themes.dark, signs: unicodeSigns };

const drawn = (columns: number, fields: Partial<{ reason: string; title: string; keys: string }> = {}): string => {
  const row = commandRow({ ...reply, ...fields }, columns, nameQuery('reply'), look);
  expect(rowWidth(row)).toBe(columns);
  return rowToText(row);
};

test('the keys are at the right edge, and the slash name is shown if there is room', () => {
  expect(drawn(30)).toBe('Reply to it  /reply          r');
  expect(drawn(18)).toBe('Reply to it      r');
});

test('a command that cannot run says why instead of its keys', () => {
  expect(drawn(50, { reason: 'Select a message first' })).toBe('Reply to it  Select a message first              r');
  expect(drawn(30, { reason: 'Select a message first' })).toBe('Reply to it  Select a mess…  r');
  expect(drawn(20, { reason: 'Select a message first' })).toBe('Reply to it        r');
});

test('keys are cut only where the title needs the room', () => {
  const keys = 'Alt-Enter / Ctrl-J / Shift-Enter';
  expect(drawn(42, { title: 'New line', keys })).toBe('New line  Alt-Enter / Ctrl-J / Shift-Enter');
  expect(drawn(40, { title: 'New line', keys })).toBe('New line  Alt-Enter / Ctrl-J / Shift-En…');
});

test('long keys take half of the row at most beside a long title, and the line below has the whole title', () => {
  expect(drawn(20, { keys: 'Alt-a / Alt-Shift-↓' })).toBe('Reply t…  Alt-a / A…');
  expect(commandNote({ ...reply, keys: 'Alt-a / Alt-Shift-↓' }, 20)).toBe('Reply to it');
  expect(commandNote(reply, 40)).toBe('Command message.reply');
  expect(commandNote({ ...reply, reason: 'Select a message first' }, 40)).toBe('Not now: Select a message first');
});
