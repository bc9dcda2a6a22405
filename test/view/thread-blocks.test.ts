import { beforeEach, expect, test, vi } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { pictureFacts } from '../../src/state/pictures/policy.ts';
import { selectPlace, selectThreadItems } from '../../src/state/select/selectors.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import { createBlocks } from '../../src/view/thread-blocks.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

test('a message whose rows are requested again and again is laid out once', () => {
  const state: AppState = scene();
  const keyOf = (): string => 'm';
  const { look } = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, keyOf });
  const items = selectThreadItems(state, 'c-ann');
  const quotedBy = vi.fn(() => null);
  const { blockOf } = createBlocks(
    look,
    keyOf,
  )({
    items,
    thread: state.cache.threads.get('c-ann'),
    isLoading: false,
    place: selectPlace(state, 'c-ann'),
    columns: 80,
    textWidth: 72,
    now: eg.now,
    pictures: pictureFacts(state),
    quotedBy,
  });
  const blocks = items.map((_, index) => blockOf(index));
  for (const [index, block] of blocks.entries()) expect(blockOf(index)).toBe(block);
  expect(items.length).toBeGreaterThan(1);
  expect(quotedBy).toHaveBeenCalledTimes(items.length);
});
