/** Pictures of messages: what the chip says, how they are drawn, and that reading goes on undisturbed. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Attachment, Message } from '../../src/protocol/types.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import type { Picture } from '../../src/state/model/pictures.ts';
import { allowPictureHost, setPicture } from '../../src/state/pictures/transitions.ts';
import { selectText, setScroll } from '../../src/state/view/thread-place.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import type { PictureColours } from '../../src/view/picture.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText } from '../support/builders/row-text.ts';

beforeEach(eg.restart);

const make = (colours: PictureColours | null = 'truecolor'): Panes =>
  createPanes({
    theme: themes.dark,
    ascii: false,
    colours,
    now: () => eg.now,
    keyOf: (id) => (id === 'message.openLink' ? 'o' : ''),
  });

const href = 'https://a.example/boat.png';
const boat: Attachment = { label: 'boat.png', url: href, size: 12_400, mediaType: 'image/png', fields: {} };

function scene(columns = 80, rows = 40, others: readonly Message[] = []): AppState {
  const ann = eg.contact({ id: 'ann', username: 'Ann' });
  const fields = { attachments: [boat], reactions: [{ name: '+1', by: ['Cyd'] }] };
  const message = eg.message({ id: 'm1', conversationId: 'c', contact: ann, text: 'Look', ...fields });
  return eg.state({
    conversations: [eg.conversation({ id: 'c', contactId: 'ann' })],
    contacts: [ann],
    cache: { threads: new Map([['c', eg.thread([message, ...others])]]) },
    ...eg.shown({ openId: 'c', focus: 'messages', size: { columns, rows }, drawsPictures: true }),
  });
}

/** The scene, with these files at its message. */
function withFiles(attachments: readonly Attachment[]): AppState {
  const state = scene();
  const message = eg.message({ id: 'm1', conversationId: 'c', text: 'Look', attachments });
  return { ...state, cache: { ...state.cache, threads: new Map([['c', eg.thread([message])]]) } };
}

const allowed = (state: AppState): AppState => allowPictureHost('a.example')(state);
const withPicture = (picture: Picture, state = scene()): AppState => setPicture(href, picture)(allowed(state));
const rowsOf = (panes: Panes, state: AppState) => panes.rows('thread', state, panes.layout(state));
const textOf = (state: AppState, panes = make()): string => rowsOf(panes, state).map(rowToText).join('\n');

/** Red above, blue below, with a transparent last column. */
function shown(width: number, height: number): Picture {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++)
    rgba.set(
      [i < (width * height) / 2 ? 255 : 0, 0, i < (width * height) / 2 ? 0 : 255, i % width === width - 1 ? 0 : 255],
      i * 4,
    );
  return { status: 'shown', bitmap: { width, height, rgba }, inTerminal: null };
}

describe('the chip', () => {
  test('says which key shows the picture, that it is loading, or why it is not shown', () => {
    expect(textOf(scene())).toContain('boat.png (12 kB, a.example) · o shows it');
    expect(textOf(scene(120))).toContain('boat.png (12 kB, image/png, a.example) · o shows it');
    expect(textOf(allowed(scene()))).not.toContain('shows it');
    expect(textOf(withPicture({ status: 'loading' }))).toMatch(/image\/png[^)]*\) …/);
    const refused = withPicture({ status: 'refused', reason: 'its \x1b[31mserver is too slow' });
    expect(textOf(refused)).toContain('· not shown: its ␛[31mserver is too slow');
  });

  test.each([
    [999, '999 B'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [999_999, '1 MB'],
  ])('shows %i bytes as %s', (size, text) => {
    expect(textOf(withFiles([{ ...boat, size }]))).toContain(`boat.png (${text},`);
  });

  test.each([
    [11, 'and 1 more attachment'],
    [12, 'and 2 more attachments'],
  ])('is drawn for the first ten of %i attachments, and "%s" is below them', (count, text) => {
    const names = Array.from({ length: count }, (_, i) => ({ ...boat, label: `${i}.png` }));
    const lines = textOf(withFiles(names)).split('\n');
    expect(lines.some((line) => line.replaceAll(/[│ ]+/g, ' ').trim() === text)).toBe(true);
  });

  test('does not mention the picture if none are drawn, or none are wanted', () => {
    expect(textOf(scene(), make(null))).not.toContain('shows it');
    const never = { ...scene(), settings: { ...scene().settings, pictures: 'never' as const } };
    expect(textOf(never)).not.toContain('shows it');
  });

  test('puts the words below if there is no room after it', () => {
    const state = withPicture({ status: 'refused', reason: 'the certificate of its server is not trusted' }, scene(50));
    expect(textOf(state)).toMatch(/boat\.png.*\)[^\n]*\n[^\n]*· not shown: the/);
  });

  test('is not copied with the text of the message', () => {
    const state = withPicture({ status: 'refused', reason: 'the certificate of its server is not trusted' }, scene(50));
    const panes = make();
    const whole = panes.selectionAt(state, panes.layout(state), { messageId: 'm1', line: 0, column: 0 }, 'message');
    const selected = selectText(whole)(state);
    expect(panes.selectedText(selected, panes.layout(selected))).toBe('Look');
  });
});

describe('the picture', () => {
  test('is drawn with half blocks, in its own width, below the chip', () => {
    const rows = rowsOf(make(), withPicture(shown(8, 4)));
    const drawn = rows.filter((row) => rowToText(row).includes('▀'));
    expect(drawn.map((row) => rowToText(row).replaceAll(/[^▀▄]/g, '').length)).toEqual([7, 7]);
    expect(drawn[0]?.find(({ text }) => text.includes('▀'))?.style).toBe('38;2;255;0;0;48;2;255;0;0');
    expect(textOf(withPicture(shown(8, 4)))).toMatch(/boat\.png \(12 kB, image\/png[^)]*\)[^·…\n]*\n[^\n]*▀/);
    expect(textOf(withPicture(shown(8, 3)))).toContain('▀');
  });

  test('has 256 colours if the terminal has no more', () => {
    const styles = rowsOf(make('256'), withPicture(shown(8, 4))).flatMap((row) => row.map(({ style }) => style));
    expect(styles).toContain('38;5;196;48;5;196');
    expect(styles).toContain('38;5;21;48;5;21');
  });

  test.each([
    [60, 0, 0, 52],
    [74, 100, 114, 59],
    [60, 60, 60, 237],
    [255, 255, 255, 231],
  ])('draws %i, %i, %i with the nearest of the 256 colours, %i', (red, green, blue, number) => {
    const bitmap = { width: 1, height: 2, rgba: new Uint8Array([red, green, blue, 255, red, green, blue, 255]) };
    const styles = rowsOf(make('256'), withPicture({ status: 'shown', bitmap, inTerminal: null })).flatMap((row) =>
      row.map(({ style }) => style),
    );
    expect(styles).toContain(`38;5;${number};48;5;${number}`);
  });

  test.each([
    [80, 40, 12],
    [80, 24, 8],
    [46, 24, 8],
    [40, 12, 4],
  ])('takes at most a third of %i × %i, and no row is too wide', (columns, height, most) => {
    const panes = make();
    const state = withPicture(shown(60, 24), scene(columns, height));
    const width = panes.layout(state).thread?.width ?? 0;
    const rows = rowsOf(panes, state);
    expect(rows.map(rowWidth)).toEqual(rows.map(() => width));
    const drawn = rows.filter((row) => rowToText(row).includes('▀'));
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.length).toBeLessThanOrEqual(most);
  });

  test('is left to a terminal that draws it, if there is room for its cells', () => {
    const own = { id: 0x0a0b0c, columns: 20, rows: 5 };
    const picture = { ...shown(8, 4), inTerminal: own };
    const cells = (state: AppState) =>
      rowsOf(make(), state).flatMap((row) => row.filter(({ text }) => text.includes('\u{10eeee}')));
    expect(cells(withPicture(picture)).map(({ style, width }) => [style, width])).toEqual(
      Array(5).fill(['38;2;10;11;12', 20]),
    );
    expect(cells(withPicture(picture))[1]?.text.slice(0, 8)).toBe('\u{10eeee}\u030d\u0305\u{10eeee}\u030d\u030d');
    const small = withPicture(picture, scene(80, 12));
    expect(cells(small)).toEqual([]);
    expect(textOf(small)).toContain('▀');
  });

  test('that the terminal prints has half blocks in exactly its cells, each with its place', () => {
    const own = { columns: 20, rows: 3, sequence: '' };
    const printed = { ...shown(8, 4), inTerminal: own };
    const rows = rowsOf(make(), withPicture(printed));
    const parts = rows.map((row) => row.filter(({ picture }) => picture !== undefined)).filter((row) => row.length > 0);
    expect(parts.map(rowWidth)).toEqual([20, 20, 20]);
    expect(parts.map(rowToText).map((text) => text.trimEnd())).toEqual(['▀▀▀▀▀▀▀', '▀▀▀▀▀▀▀', '']);
    expect(parts.map((row) => row.map(({ picture }) => [picture?.row, picture?.column]))).toEqual([
      [
        [0, 0],
        [0, 7],
        [0, 8],
      ],
      [
        [1, 0],
        [1, 7],
        [1, 8],
      ],
      [[2, 0]],
    ]);
    expect(new Set(parts.flat().map(({ picture }) => picture?.picture))).toEqual(new Set([own]));
  });

  test('disappears when the user no longer allows it', () => {
    const state = withPicture(shown(8, 4));
    expect(textOf({ ...state, settings: { ...state.settings, pictures: 'never' } })).not.toContain('▀');
  });
});

describe('when a picture is loaded, the top row stays in its place', () => {
  const others = Array.from({ length: 60 }, (_, i) =>
    eg.message({ id: `n${i}`, conversationId: 'c', text: `line ${i}` }),
  );
  const top = (panes: Panes, state: AppState): string => {
    const head = rowsOf(panes, state).findIndex((row) => /Look|boat|▀|line|👍/.test(rowToText(row)));
    return rowToText(rowsOf(panes, state)[head] ?? []).trim();
  };
  const arrive = setPicture(href, shown(8, 4));

  test.each([
    ['a later message', { at: 'message', messageId: 'n3', line: 0 }],
    ['the message itself', { at: 'message', messageId: 'm1', line: 0 }],
    ['the chip of the picture', { at: 'message', messageId: 'm1', line: 1 }],
    ['the bottom', { at: 'bottom' }],
  ] as const)('at %s', (_, place) => {
    const panes = make();
    const before = setScroll('c', place)(allowed(scene(80, 24, others)));
    const row = top(panes, before);
    expect(top(panes, arrive(before))).toBe(row);
  });

  test('at a row below the picture in its message', () => {
    const panes = make();
    const before = setScroll('c', { at: 'message', messageId: 'm1', line: 2 })(allowed(scene(80, 24, others)));
    expect(top(panes, before)).toContain('👍 1');
    expect(top(panes, arrive(before))).toContain('👍 1');
  });
});
