/** A thread of short messages of which the last ones are unread: where it is opened, and how many are below the pane. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AppState, ScrollPlace, Thread } from '../../src/state/model/app-state.ts';
import { setScroll } from '../../src/state/view/thread-place.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const id = 'c-ann';
const make = (): Panes => createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });
const bottom: ScrollPlace = { at: 'bottom' };

/** Sixty messages of Ann; `unread` of them, and what is said of the thread. */
function thread(unread: number, shown: eg.Shown = {}, fields: Partial<Thread> = {}): AppState {
  const state = scene({ size: { columns: 80, rows: 24 }, ...shown });
  const messages = Array.from({ length: 60 }, (_, i) =>
    eg.message({
      id: `m${i}`,
      conversationId: id,
      contact: eg.contact({ id: 'ann', username: 'Ann Wells' }),
      text: `text ${i}`,
      createdAt: eg.now - (60 - i) * 1_000,
    }),
  );
  const last = messages[59 - unread];
  const line = { messageId: last?.id ?? null, at: last?.createdAt ?? 0 };
  const held = eg.thread(messages, { newLineAfter: last?.id ?? null, ...fields });
  return {
    ...state,
    cache: { ...state.cache, threads: new Map([[id, held]]), unread: new Map([[id, unread]]) },
    local: { ...state.local, readLines: new Map([[id, line]]) },
  };
}

/** What the thread pane shows once the conversation is open there. */
function opened(state: AppState): { readonly place: ScrollPlace | null; readonly rows: readonly string[] } {
  const panes = make();
  const place = panes.openingPlace(state);
  const next = place === null ? state : setScroll(id, place)(state);
  const rows = picture(panes, next).filter((row) => /text \d+|─ new ─/.test(row));
  return { place, rows: rows.map((row) => /text \d+|─ new ─/.exec(row)?.[0] ?? '') };
}

describe('a conversation that was left at its end', () => {
  test.each([
    [80, 24],
    [120, 40],
    [60, 20],
  ])(
    'begins with the "new" line after the last read messages if the unread ones do not fit, at %i × %i',
    (columns, rows) => {
      const shown = opened(thread(50, { size: { columns, rows } }));
      expect(shown.rows.slice(0, 5)).toEqual(['text 7', 'text 8', 'text 9', '─ new ─', 'text 10']);
      expect(shown.place?.at).toBe('message');
    },
  );

  test('opens at its end if all unread messages fit', () => {
    const shown = opened(thread(3));
    expect(shown.place).toEqual(bottom);
    expect(shown.rows.slice(-4)).toEqual(['─ new ─', 'text 57', 'text 58', 'text 59']);
  });

  test('begins with the oldest loaded message if unread begins before that', () => {
    const state = thread(60, {}, { older: 'server' });
    const lined = { ...state, local: { ...state.local, readLines: new Map([[id, { messageId: null, at: 1_000 }]]) } };
    expect(opened(lined).rows.slice(0, 2)).toEqual(['text 0', 'text 1']);
  });

  test('stays at its end if nothing is known of what was read, and if everything is read', () => {
    const state = thread(50, {}, { newLineAfter: null });
    const unknown = { ...state, local: { ...state.local, readLines: new Map() } };
    const read = { ...state, cache: { ...state.cache, unread: new Map() } };
    const never = thread(60, {}, { older: 'server' });
    expect([unknown, read, never].map((one) => opened(one).place)).toEqual([bottom, bottom, bottom]);
  });

  test('is laid out in the width that it will have if the list has the only column', () => {
    const state = thread(50, { size: { columns: 60, rows: 20 }, focus: 'list' });
    expect(make().openingPlace(state)).toEqual({ at: 'message', messageId: 'm7', line: 0 });
  });
});

describe('a conversation that was left elsewhere', () => {
  test('stays there, as the same object', () => {
    const scroll = { at: 'message', messageId: 'm3', line: 0 } as const;
    expect(make().openingPlace(setScroll(id, scroll)(thread(50)))).toBe(scroll);
  });

  test('is at its end if that is visible there', () => {
    const scroll = { at: 'message', messageId: 'm55', line: 0 } as const;
    expect(make().openingPlace(setScroll(id, scroll)(thread(2)))).toEqual(bottom);
  });
});

test('a conversation that was left at a message that is gone begins where unread begins', () => {
  const scroll = { at: 'message', messageId: 'op:sent', line: 0 } as const;
  const shown = opened(setScroll(id, scroll)(thread(50)));
  expect(shown.rows.slice(0, 5)).toEqual(['text 7', 'text 8', 'text 9', '─ new ─', 'text 10']);
  expect(make().openingPlace(setScroll(id, scroll)(thread(3)))).toEqual(bottom);
});

test('no row of an old message is made for it, however long the thread', () => {
  const panes = make();
  panes.openingPlace(thread(3));
  expect(panes.drawn()).toBeLessThan(30);
});

describe('the number of new messages below the pane', () => {
  const at = (state: AppState, index: number): AppState =>
    setScroll(id, { at: 'message', messageId: `m${index}`, line: 0 })(state);
  /** The last message in sight, and what the border of the composer says. */
  const seen = (state: AppState): readonly [last: number, note: string] => {
    const rows = picture(make(), state).join('\n');
    const last = Number([...rows.matchAll(/text (\d+)/g)].at(-1)?.[1]);
    return [last, /(\d+ new|newer) ↓/.exec(rows)?.[0] ?? ''];
  };

  const noteStyle = (state: AppState): string | undefined => {
    const panes = make();
    const rows = panes.rows('composer', state, panes.layout(state));
    return rows.flat().find(({ text }) => text.endsWith('↓'))?.style;
  };

  test('decreases as they come into sight', () => {
    const state = thread(40);
    for (const index of [0, 15, 22, 30, 38]) {
      const [last, note] = seen(at(state, index));
      expect(note).toBe(`${59 - Math.max(last, 19)} new ↓`);
    }
    expect(seen(setScroll(id, bottom)(state))).toEqual([59, '']);
  });

  test('is not shown for read messages, nor for own ones', () => {
    expect(seen(at(thread(0), 10))[1]).toBe('newer ↓');
    const state = thread(40);
    const own: AppState = { ...state, local: { ...state.local, me: { contactId: 'ann', username: null } } };
    expect(seen(at(own, 10))[1]).toBe('newer ↓');
  });

  test('is not shown at the end, to which a higher pane may reach from a position above it', () => {
    const read = thread(0);
    const { columns, rows } = read.screen.size;
    const higher = (state: AppState): AppState => ({
      ...state,
      screen: { ...state.screen, size: { columns, rows: rows + 30 } },
    });
    expect(seen(at(read, 30))[1]).toBe('newer ↓');
    expect(seen(higher(at(read, 30)))).toEqual([59, '']);
    expect(seen(at(read, 30))[1]).toBe('newer ↓');
    const onDisk = thread(0, {}, { newer: 'disk' });
    expect(seen(higher(at(onDisk, 30)))).toEqual([59, 'newer ↓']);
  });

  test('counts a message of which only the author is visible', () => {
    const state = thread(40);
    const cyd = eg.contact({ id: 'cyd', username: 'Cyd' });
    const messages = state.cache.threads.get(id)?.messages ?? [];
    const held = eg.thread(messages.map((message, i) => (i === 30 ? { ...message, contact: cyd } : message)));
    const next = { ...state, cache: { ...state.cache, threads: new Map([[id, held]]) } };
    const panes = Array.from({ length: 30 }, (_, index) => picture(make(), at(next, index)));
    const endsInAuthor = panes.filter((rows) =>
      rows[rows.findIndex((row) => row.includes('To ')) - 1]?.includes('Cyd'),
    );
    expect(endsInAuthor.map((rows) => /(\d+) new/.exec(rows.join())?.[1])).toEqual(['30']);
  });

  test('counts those that are not in memory', () => {
    const state = thread(40, {}, { newer: 'disk' });
    const more = { ...state, cache: { ...state.cache, unread: new Map([[id, 100]]) } };
    const [last, note] = seen(at(more, 25));
    expect(note).toBe(`${100 - (last - 19)} new ↓`);
  });

  test('is not shown if unread messages that are not in memory may also be above, but the sign has the colour of unread', () => {
    const state = thread(60, {}, { older: 'disk', newer: 'disk' });
    const line = { messageId: 'older', at: eg.now - 3_600_000 };
    const more: AppState = {
      ...state,
      cache: { ...state.cache, unread: new Map([[id, 150]]) },
      local: { ...state.local, readLines: new Map([[id, line]]) },
    };
    expect(seen(at(more, 10))[1]).toBe('newer ↓');
    expect(noteStyle(at(more, 10))).toBe(themes.dark.unread);
    expect(noteStyle(at(thread(0), 10))).toBe(themes.dark.muted);
    expect(seen(at({ ...more, local: { ...more.local, readLines: new Map() } }, 10))[1]).toBe('newer ↓');
  });

  test('is that of all unread messages if all in memory are before the read line', () => {
    const state = thread(0, {}, { older: 'disk', newer: 'disk' });
    const line = { messageId: 'later', at: eg.now };
    const more: AppState = {
      ...state,
      cache: { ...state.cache, unread: new Map([[id, 40]]) },
      local: { ...state.local, readLines: new Map([[id, line]]) },
    };
    expect(seen(at(more, 10))[1]).toBe('40 new ↓');
  });
});
