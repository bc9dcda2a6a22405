/** Formatted messages in one line. */
import { expect, test } from 'vitest';
import { parse } from '../../../src/text/markdown/parser.ts';
import { plainLine } from '../../../src/text/markdown/plain-line.ts';
import { sanitizeBody, sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { unicodeSigns } from '../../../src/view/glyph-set.ts';

test.each([
  ['**Harbour** _crew_: `make` it', 'Harbour crew: make it'],
  ['# Plan\n\n- [x] sails\n- [ ] ropes\n1. go', 'Plan ☑ sails ☐ ropes 1. go'],
  ['> they said\n\nyes **we** do', 'they said yes we do'],
  ['```ts\nexport function f() {}\n```', 'export function f() {}'],
  ['| Stop | Time |\n|---|---|\n| Pier | 9:00 |', 'Stop │ Time │ Pier │ 9:00'],
  ['it ends: ||it sank||', 'it ends: ▒▒ ▒▒▒▒'],
  ['- ||it sank||', '• ▒▒ ▒▒▒▒'],
  ['| a |\n|---|\n| *sank* |', 'a │ sank'],
  ['one\n\n---\n\n*two*', 'one two'],
])('%j is written in one line', (typed, line) => {
  const blocks = parse(sanitizeBody(typed), unicodeSigns.picture);
  expect(sanitizeLine(plainLine(blocks ?? [], unicodeSigns))).toBe(line);
});
