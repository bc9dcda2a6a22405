/** The list above the composer, with what the composer offers for a word. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyDraft } from '../../src/state/composer/draft.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import type { CompletionRow } from '../../src/state/model/app-state.ts';
import { setCompletion } from '../../src/state/view/composer.ts';
import { pushOverlay } from '../../src/state/view/overlays.ts';
import { rowWidth, targetAt } from '../../src/text/layout/row.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';

const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });

function offering(rows: readonly CompletionRow[], selected: number | null, columns = 80, lines = 24) {
  const held = { kind: 'person', start: 0, typed: '@a', isDone: true, isClosed: false, conversationId: 'c1' } as const;
  const state = eg.state({
    conversations: [eg.conversation({ id: 'c1', contactId: 'ann' })],
    contacts: [eg.contact({ id: 'ann' })],
    ...eg.shown({ openId: 'c1', focus: 'composer', size: { columns, rows: lines } }),
  });
  const typed = updateDraft('c1', () => ({ ...emptyDraft, text: '@a', cursor: 2 }))(state);
  return setCompletion({ ...held, rows, selected })(typed);
}

const row = (label: string, note = ''): CompletionRow => ({ text: label, label, note });
const many = Array.from({ length: 9 }, (_, i) => row(`@a${i}`, `Person ${i}`));

test('the list is above the composer and covers the end of the thread, which stays where it is', () => {
  const state = offering([row('@ann', 'Ann Wells'), row('/pin', 'not now: no')], 1);
  const shown = picture(panes, state);
  expect(shown.slice(-7, -3)).toEqual([
    expect.stringMatching(/│┌─+┐│$/),
    expect.stringMatching(/││ @ann {2}Ann Wells +││$/),
    expect.stringMatching(/││ \/pin {2}not now: no +││$/),
    expect.stringMatching(/├ To .*┤$/),
  ]);
  expect(panes.layout(state).thread).toBe(panes.layout(setCompletion(null)(state)).thread);
  expect(picture(panes, pushOverlay({ kind: 'help', typed: '', selected: 0 })(state)).join('\n')).not.toContain(
    'Ann Wells',
  );
});

test('the list shows six rows of more, with the chosen one among them', () => {
  const text = (selected: number | null) => picture(panes, offering(many, selected)).join('\n');
  expect(text(null)).toMatch(/9 found[\s\S]*@a0[\s\S]*@a5/);
  expect(text(null)).not.toContain('@a6');
  expect(text(8)).toMatch(/9 of 9[\s\S]*@a3[\s\S]*@a8/);
});

test('a long name is cut only if a note is beside it', () => {
  const long = '🥰 :smiling_face_with_three_hearts:';
  expect(picture(panes, offering([row(long)], null)).join('\n')).toContain(long);
  expect(picture(panes, offering([row(long, 'a note')], null)).join('\n')).toMatch(/three_h… {2}a note/);
});

test('a name that is too long for a narrow screen ends with an ellipsis', () => {
  const shown = picture(panes, offering([row(`@${'very-long-'.repeat(5)}`)], null, 40)).join('\n');
  expect(shown).toMatch(/│ @very-long-very-long-very-long-ve… │/);
});

test('the list has the names of emoji only if emoji are not drawn', () => {
  const ascii = createPanes({ theme: themes.none, ascii: true, now: () => eg.now });
  const emoji: CompletionRow = { text: '🥰', label: '🥰 :smiling_face_with_three_hearts:', note: '' };
  expect(picture(ascii, offering([emoji], null)).join('\n')).toMatch(/\| :smiling_face_with_three_hearts: +\|/);
});

test('a row is a target for the mouse', () => {
  const state = offering(many, 8);
  const rows = panes.rows('completion', state, panes.layout(state));
  expect(targetAt(rows[1]!, 3)).toEqual({ kind: 'completion', row: 3, text: many[3]?.text });
});

test('every row is exactly as wide as its rectangle, whatever a name holds and however small the screen', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '漢', '👩‍👩‍👧', '\u001b', '\n', '\u202e', 'é', ' ', '\u0301') });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }),
      fc.constantFrom([40, 10], [79, 12], [80, 24], [200, 60]),
      (found, [columns, lines]) => {
        const rows = found.map(([label, note]) => row(label, note));
        const state = offering(rows, rows.length - 1, columns, lines);
        const where = panes.layout(state);
        const drawn = panes.rows('completion', state, where);
        expect(drawn.length).toBe(where.completion?.height);
        expect(drawn.map(rowWidth).every((width) => width === where.completion?.width)).toBe(true);
        expect((where.completion?.y ?? 0) > (where.thread?.y ?? 0)).toBe(true);
      },
    ),
  );
});
