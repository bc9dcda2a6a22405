/** Threads drawn to nowhere, so that the first one of a kind to be opened is drawn by code that has run. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { warmUpWhenIdle } from '../../src/cli/chat/warm-up-when-idle.ts';
import type { Row } from '../../src/text/layout/row.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import { warmUp, warmUpSamples } from '../../src/view/warm-up.ts';
import * as eg from '../support/builders/eg.ts';
import { paneNames } from '../support/builders/picture.ts';
import { rowToText } from '../support/builders/row-text.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const make = (): Panes => createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, keyOf: () => 'm' });

/** Panes that remember every picture of a thread asked of them. */
function watched(): { panes: Panes; pictures: string[] } {
  const panes = make();
  const pictures: string[] = [];
  const rows: Panes['rows'] = (...asked) => {
    const drawn = panes.rows(...asked);
    pictures.push(drawn.map((row: Row) => rowToText(row)).join('\n'));
    return drawn;
  };
  return { panes: { ...panes, rows }, pictures };
}

test('the warm-up draws a part of a long message of every kind at each step, with what is around it', () => {
  const { panes, pictures } = watched();
  for (const _ of warmUp(panes));
  for (const kind of ['hello brave', '👩‍👩‍👧', 'one line of very many', 'naïve']) {
    const drawn = pictures.filter((picture) => picture.includes(kind));
    expect(drawn.length).toBeGreaterThan(1);
    for (const picture of drawn) expect(picture.split('\n').length).toBe(34);
  }
});

test('the warm-up draws everything anew each time', () => {
  const { panes, pictures } = watched();
  for (const _ of warmUp(panes));
  expect(panes.drawn()).toBeGreaterThanOrEqual(3 * pictures.length);
  expect(new Set(pictures).size).toBeLessThan(pictures.length);
});

test('the warm-up changes nothing on the screen', () => {
  const panes = make();
  const state = scene();
  const layout = panes.layout(state);
  const shown = paneNames.map((name) => panes.rows(name, state, layout));
  for (const _ of warmUp(make()));
  expect(panes.layout(state)).toBe(layout);
  expect(paneNames.every((name, i) => panes.rows(name, state, layout) === shown[i])).toBe(true);
});

test('the warm-up waits until the start has ended, between two threads, and while keys are pressed', async () => {
  const { panes, pictures } = watched();
  const waited: string[] = [];
  // A key is pressed after the start, and another one after the third thread.
  const isBusy = (): boolean => ['1000 0', '20 3'].includes(waited.at(-1) ?? '');
  const wait = async (ms: number): Promise<void> => void waited.push(`${ms} ${pictures.length}`);
  await warmUpWhenIdle(panes, () => eg.state(), { wait, isBusy });
  expect(waited.filter((one) => !one.startsWith('20 '))).toEqual(['1000 0', '500 0', '500 3']);
  // No more than one thread is drawn between two pauses.
  expect(new Set(waited.filter((one) => one.startsWith('20 '))).size).toBe(1 + pictures.length);
});

test('the warm-up prepares for the scripts of the conversations, a step for each piece of work', () => {
  const texts = ['Hello – “world”', 'สวัสดี', 'ครับ', 'مرحبا', '漢字'.repeat(1_000), 'Привет'];
  const messages = texts.map((text, i) => eg.message({ id: `m${i}`, text }));
  const state = eg.state({ cache: { lastMessages: new Map(messages.map((message) => [message.id, message])) } });
  const samples = warmUpSamples(state);
  expect(samples.map((text) => text.slice(0, 6))).toEqual(['ครับ', 'مرحبا', '漢字漢字漢字', 'Привет']);
  expect(samples.every(({ length }) => length <= 300)).toBe(true);
  const { panes, pictures } = watched();
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  onTestFinished(() => segment.mockRestore());
  const steps = warmUp(panes, samples);
  for (let i = 0; i < 3 * (samples.length + 1); i++) steps.next();
  const segmented = segment.mock.calls.map(([text]) => text.slice(0, 2));
  expect(segmented).toEqual(expect.arrayContaining(['คร', '漢字']));
  expect(segmented).not.toContain('При'.slice(0, 2));
  expect(pictures).toEqual([]);
  for (const _ of steps);
  expect(pictures.some((picture) => picture.includes('ครับ'))).toBe(true);
});
