/** The menu of a message: what is said of a row that cannot be taken. */
import { expect, test } from 'vitest';
import { selectMenuRows } from '../../../src/commands/menus.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { pushOverlay } from '../../../src/state/view/overlays.ts';
import { menuDialog } from '../../../src/ui/overlays/menu.ts';
import { createPanes } from '../../../src/view/panes.ts';
import { themes } from '../../../src/view/theme.ts';
import * as eg from '../../support/builders/eg.ts';
import { scene } from '../../support/builders/scene.ts';

function shown(columns: number, id: string, rows = 40): string {
  const { look } = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const overlay = { kind: 'menu', id: 'message', conversationId: 'c-ann', itemId: null, selected: 0 } as const;
  const start = scene({ size: { columns, rows } });
  const open = (selected: number): AppState => pushOverlay({ ...overlay, selected })(start);
  const selected = selectMenuRows(open(0)).findIndex((row) => row.id === id);
  expect(selected).toBeGreaterThanOrEqual(0);
  const drawn = menuDialog({ ...overlay, selected }, open(selected), { look, now: eg.now, hints: [] });
  return drawn.rows.map((row) => row.map(({ text }) => text).join('')).join('\n');
}

const reason = 'Select a message first';

test('a reason that does not fit into its row is below the rows, only for the selected row', () => {
  const cut = shown(56, 'message.raw');
  expect(cut).toMatch(/> Show the text as it was typed, or .*…/);
  expect(cut).toContain(`│   ${reason} `);
  expect(shown(56, 'message.edit')).not.toContain(`│   ${reason} `);
});

test('a reason that fits into its row is shown once', () => {
  expect(shown(120, 'message.raw').split(`formatted again · ${reason}`)).toHaveLength(2);
});

test('the title says which of the rows are in sight where not all are', () => {
  expect(shown(40, 'message.reply', 10)).toMatch(/│ Message +1–\d of \d\d │/);
  expect(shown(120, 'message.reply')).toMatch(/│ Message +│/);
});

test.each([
  [80, 24, false],
  [40, 10, false],
  [40, 10, true],
])('the question about pictures shows the end of the host at %i x %i, ASCII: %s', (columns, rows, ascii) => {
  const { look } = createPanes({ theme: themes.none, ascii, now: () => eg.now });
  const url = 'https://pictures.chat.example.harbour-crew.evil.example/1.png';
  const file = { label: '1.png', url, size: null, mediaType: 'image/png', fields: {} };
  const message = eg.message({ id: 'p1', conversationId: 'c-ann', attachments: [file] });
  const start = scene({ size: { columns, rows }, drawsPictures: true });
  const threads = new Map([['c-ann', eg.thread([message])]]);
  const overlay = { kind: 'menu', id: 'pictures', conversationId: 'c-ann', itemId: 'p1', selected: 0 } as const;
  const state = pushOverlay(overlay)({ ...start, cache: { ...start.cache, threads } });
  const drawn = menuDialog(overlay, state, { look, now: eg.now, hints: [] });
  const shown = drawn.rows
    .map((row) =>
      row
        .map(({ text }) => text)
        .join('')
        .slice(2, -2)
        .trim(),
    )
    .join(' ');
  expect(shown).toMatch(/harbour- ?crew\.evil\.example\?/);
  expect(shown).toContain('This time');
});
