/** Rectangles: the panes cover the screen exactly once at every size, and the pane under a cell is found. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { footerLimit, type Layout, type LayoutFacts, layout, paneAt, type Rect } from '../../src/view/layout.ts';
import { paneNames } from '../support/builders/picture.ts';

const facts: LayoutFacts = { side: 'thread', composerLines: 1, footerLines: 1 };
const rectsOf = (where: Layout): Rect[] => paneNames.flatMap((pane) => where[pane] ?? []);

describe('layout', () => {
  test.each([
    [79, 'thread', 0],
    [80, 'two', 30],
    [120, 'two', 34],
    [150, 'two', 40],
    [165, 'two', 55],
    [300, 'two', 64],
  ])('at %i columns is %s with a list of %i', (columns, kind, list) => {
    const where = layout({ columns, rows: 24 }, facts);
    expect(where.kind).toBe(kind);
    expect(where.list?.width ?? 0).toBe(list);
  });

  test.each([
    [39, 24],
    [80, 9],
    [0, 0],
  ])('says that %i × %i is too small', (columns, rows) => {
    const where = layout({ columns, rows }, facts);
    expect(where.kind).toBe('too-small');
    expect(rectsOf(where)).toEqual([{ x: 0, y: 0, width: columns, height: rows }]);
  });

  test('lets the composer grow to eight rows and a third of the height', () => {
    const height = (rows: number, composerLines: number) =>
      layout({ columns: 80, rows }, { ...facts, composerLines }).composer?.height;
    expect(height(40, 1)).toBe(3);
    expect(height(40, 5)).toBe(7);
    expect(height(40, 50)).toBe(10);
    expect(height(12, 50)).toBe(6);
  });

  test('shows the requested pane if there is room for one', () => {
    const list = layout({ columns: 60, rows: 20 }, { ...facts, side: 'list' });
    expect([list.list?.width, list.thread, list.composer]).toEqual([60, null, null]);
    expect(layout({ columns: 60, rows: 20 }, facts).list).toBeNull();
  });

  test('covers every cell exactly once, and the cell knows its pane', () => {
    const sizes = fc.record({ columns: fc.integer({ min: 40, max: 260 }), rows: fc.integer({ min: 10, max: 80 }) });
    const some = fc.record({
      side: fc.constantFrom<LayoutFacts['side']>('list', 'thread'),
      composerLines: fc.integer({ min: 1, max: 40 }),
      footerLines: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(sizes, some, fc.nat(), fc.nat(), (size, anyFacts, across, down) => {
        const footerLines = Math.min(anyFacts.footerLines, footerLimit(size));
        const where = layout(size, { ...anyFacts, footerLines });
        const area = rectsOf(where).reduce((sum, rect) => sum + rect.width * rect.height, 0);
        expect(area).toBe(size.columns * size.rows);
        for (const rect of rectsOf(where)) expect(Math.min(rect.width, rect.height)).toBeGreaterThan(0);
        const [x, y] = [across % size.columns, down % size.rows];
        const pane = paneAt(where, x, y);
        const rect = pane && where[pane];
        if (rect === null) throw new Error('no pane');
        expect(x - rect.x).toBeGreaterThanOrEqual(0);
        expect(x - rect.x).toBeLessThan(rect.width);
        expect(y - rect.y).toBeGreaterThanOrEqual(0);
        expect(y - rect.y).toBeLessThan(rect.height);
      }),
    );
  });

  test('leaves the thread a row of messages on the smallest screen, and covers no header with completions', () => {
    const most = {
      ...facts,
      composerLines: 8,
      fileRows: 1,
      footerLines: 2,
      completionRows: 6,
      side: 'thread',
    } as const;
    const { thread, completion, header } = layout({ columns: 40, rows: 10 }, most);
    expect(thread?.height).toBeGreaterThanOrEqual(2);
    expect(completion?.y).toBeGreaterThanOrEqual(header.y + header.height);
  });

  test('is the same object while nothing changes', () => {
    const first = layout({ columns: 80, rows: 24 }, facts);
    expect(layout({ columns: 80, rows: 24 }, { ...facts })).toBe(first);
  });

  test('knows no pane outside the screen', () => {
    expect(paneAt(layout({ columns: 80, rows: 24 }, facts), 80, 3)).toBeNull();
    expect(paneAt(layout({ columns: 80, rows: 24 }, facts), 3, -1)).toBeNull();
  });
});
