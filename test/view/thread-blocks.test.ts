/** How often a message is looked at while the thread is drawn and scrolled. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectQuoted } from '../../src/state/select/quoted.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

vi.mock('../../src/state/select/quoted.ts', async (load) => {
  const real = await load<typeof import('../../src/state/select/quoted.ts')>();
  return { ...real, selectQuoted: vi.fn(real.selectQuoted) };
});

beforeEach(eg.restart);

test('a page that is drawn and asked about looks at each of its messages once', () => {
  const many = Array.from({ length: 600 }, (_, i) =>
    eg.message({ id: `x${i}`, conversationId: 'c-ann', text: `line ${i}`, createdAt: eg.now - (600 - i) * 1000 }),
  );
  const base = scene();
  const state: AppState = { ...base, cache: { ...base.cache, threads: new Map([['c-ann', eg.thread(many)]]) } };
  const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, keyOf: () => 'm' });
  const where = panes.layout(state);
  panes.rows('thread', state, where);
  panes.needsHistory(state, where);
  panes.attachmentsInSight(state, where);
  panes.formattedInSight(state, where);
  panes.scroll(state, where, { pages: -1 });
  const looked = vi.mocked(selectQuoted).mock.calls.map(([, , { id }]) => id);
  expect(looked.length).toBeGreaterThan(10);
  expect(new Set(looked).size).toBe(looked.length);
});
