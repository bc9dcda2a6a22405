/** Computes the rectangle of every pane from the size of the screen, and finds the pane under a cell. */
import { memoLast } from '../state/collections/memo.ts';
import type { Size } from '../state/model/app-state.ts';
import { isTooSmall, paneColumns } from '../state/select/pane-columns.ts';

/** In the order in which they are drawn. */
export const paneNames = ['header', 'list', 'thread', 'composer', 'completion', 'footer'] as const;

export type PaneName = (typeof paneNames)[number];

/** A rectangle, in cells from the upper left corner of the screen. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * `two`: list beside thread and composer; `list` and `thread`: one of the two alone; `too-small`: the header covers the
 * screen with a note. A pane that is not shown is null. Panes draw their borders inside their rectangles; the border
 * between list and thread belongs to the right side, the one between thread and composer to the composer. The rows that
 * the composer offers for a word (`completion`) cover the last rows of the thread, so that the thread does not move.
 */
export interface Layout {
  readonly kind: 'two' | 'list' | 'thread' | 'too-small';
  readonly size: Size;
  readonly header: Rect;
  readonly list: Rect | null;
  readonly thread: Rect | null;
  readonly composer: Rect | null;
  readonly completion: Rect | null;
  readonly footer: Rect | null;
}

export interface LayoutFacts {
  /** The side to show when only one fits. */
  readonly side: 'list' | 'thread';
  /** Rows that the draft would fill, counted up to `composerLimit` or further. */
  readonly composerLines: number;
  /** Rows above the draft that show what is attached to it; none where left out. */
  readonly fileRows?: number;
  readonly footerLines: number;
  /** Rows that the composer offers for the word at its cursor. */
  readonly completionRows?: number;
  /** The width that the user has given to the list; null for the usual one. */
  readonly listWidth?: number | null;
  /** The most columns of a line of text. */
  readonly textWidth?: number;
}

/** The most rows of text in the composer, however many the draft has. */
export const composerLimit = 8;

/** The most rows of a notice: a quarter of the screen, so that a long cause can be read. */
export const footerLimit = ({ rows }: Size): number => Math.max(2, Math.min(6, Math.floor(rows / 4)));

/** The same object while size and facts are the same. */
export const layout = (size: Size, facts: LayoutFacts): Layout =>
  withCompletion(
    arrange(
      size.columns,
      size.rows,
      facts.side,
      facts.composerLines,
      facts.footerLines,
      facts.fileRows ?? 0,
      facts.listWidth ?? null,
      facts.textWidth,
    ),
    facts.completionRows ?? 0,
  );

/** The most rows and columns of the list above the composer. */
const completionLimit = 6;
const completionColumns = 76;

/** Adds the rectangle of the completions; the other rectangles stay the same objects. */
const withCompletion = memoLast((where: Layout, rows: number): Layout => {
  const { thread, composer } = where;
  if (rows === 0 || thread === null || composer === null) return where;
  const height = 1 + Math.max(1, Math.min(rows, completionLimit, thread.height - 2));
  const width = Math.min(completionColumns, composer.width - 2);
  return { ...where, completion: { x: composer.x + 1, y: composer.y - height, width, height } };
});

const arrange = memoLast(
  (
    columns: number,
    rows: number,
    side: LayoutFacts['side'],
    lines: number,
    footerLines: number,
    fileRows: number,
    wanted: number | null,
    textWidth: number | undefined,
  ): Layout => {
    const size: Size = { columns, rows };
    if (isTooSmall(size)) return tooSmall(size);
    const { list, main } = paneColumns(columns, wanted, textWidth);
    const kind = list > 0 ? 'two' : side;
    const body = { y: 1, height: rows - 1 - footerLines };
    const composerHeight = 2 + fileRows + composerRows(lines, rows, fileRows);
    const right = { x: list, width: main };
    return {
      kind,
      size,
      header: { x: 0, y: 0, width: columns, height: 1 },
      list: kind === 'thread' ? null : { x: 0, width: list > 0 ? list : columns, ...body },
      thread: kind === 'list' ? null : { ...right, y: 1, height: body.height - composerHeight },
      composer: kind === 'list' ? null : { ...right, y: 1 + body.height - composerHeight, height: composerHeight },
      completion: null,
      footer: { x: 0, y: rows - footerLines, width: columns, height: footerLines },
    };
  },
);

/** The rows of the composer: a third of the screen at most, with the rows of its attachments. */
const composerRows = (lines: number, rows: number, fileRows: number): number =>
  Math.max(1, Math.min(lines, composerLimit, Math.floor(rows / 3) - fileRows));

function tooSmall(size: Size): Layout {
  const header = { x: 0, y: 0, width: Math.max(0, size.columns), height: Math.max(0, size.rows) };
  return { kind: 'too-small', size, header, list: null, thread: null, composer: null, completion: null, footer: null };
}

/** The panes that cover others come first. */
const panes: readonly PaneName[] = ['completion', 'header', 'list', 'thread', 'composer', 'footer'];

/** The pane under a cell; null outside the screen. */
export const paneAt = (where: Layout, x: number, y: number): PaneName | null =>
  panes.find((pane) => {
    const rect = where[pane];
    return rect !== null && x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
  }) ?? null;
