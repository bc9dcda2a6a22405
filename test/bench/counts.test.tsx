/** What a key, a poll and a long history cost, in counts: the part of the performance targets that no machine's speed can hide. */
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Box, type DOMElement, render } from 'ink';
import { createRef } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { insert } from '../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../src/state/composer/drafts.ts';
import type { Overlay, Thread } from '../../src/state/model/app-state.ts';
import { selectListOrder } from '../../src/state/select/listed-conversations.ts';
import { popOverlay, pushOverlay } from '../../src/state/view/overlays.ts';
import { App } from '../../src/ui/app.tsx';
import { mountApp } from '../../src/ui/mount.tsx';
import { UiProvider } from '../../src/ui/store-context.ts';
import { createHeadless } from '../support/terminals/headless.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

const letters = [...'theferryleavesatnineandnobodywaits'];

async function stageWith(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

describe('a typed key', () => {
  test('changes one row, writes one byte to the terminal, and is shown', async () => {
    const tty = createHeadless(120, 40);
    const { press, screen } = await stageWith({ messages: 60, tty });
    await press('x');
    for (const letter of letters) {
      const before = { ...screen.stats };
      await press(letter);
      expect(screen.stats.bytes - before.bytes).toBe(1);
      expect(screen.stats.rowsPainted - before.rowsPainted).toBe(1);
      expect(screen.stats.frames - before.frames).toBe(1);
    }
    await tty.settled();
    expect(tty.text().join('\n')).toContain(`│ x${letters.join('')}`);
  });

  test('is on the terminal before any listener is called', async () => {
    const { press, screen, store, ui } = await stageWith({ messages: 60 });
    await press('x');
    const before = screen.stats.bytes;
    let bytesWhenHeard = 0;
    const unsubscribe = store.subscribe(() => {
      bytesWhenHeard = screen.stats.bytes;
    });
    const id = store.getState().view.openId ?? '';
    ui.context.update(updateDraft(id, (draft) => insert(draft, 'y')));
    unsubscribe();
    expect(bytesWhenHeard - before).toBe(1);
  });

  test('at the end of a line is shown before the state changes, and no pane is drawn', async () => {
    const { press, screen, ui } = await stageWith({ messages: 60 });
    await press('x');
    const rows = vi.spyOn(ui.panes(), 'rows');
    const update = vi.spyOn(ui.context, 'update');
    let bytes = screen.stats.bytes;
    update.mockImplementation((transition) => {
      expect(screen.stats.bytes).toBe(++bytes);
      ui.store.setState(transition);
    });
    for (const letter of letters) await press(letter);
    expect(update).toHaveBeenCalledTimes(letters.length);
    expect(rows).not.toHaveBeenCalled();
  });

  test('reads nothing of the thread where that is scrolled up and has unread messages below', async () => {
    const tty = createHeadless(120, 40);
    const { press, clock, service, store } = await stageWith({ messages: 300, tty });
    for (const key of ['x', 'y', 'left', 'pageup', 'pageup']) await press(key);
    service.say('c1', 'one more');
    await clock.advance(20_000);
    let reads = 0;
    store.setState((state) => {
      const counted = new Proxy(state.cache.threads.get('c1') as Thread, {
        get(thread, name) {
          reads++;
          return Reflect.get(thread, name);
        },
      });
      return { ...state, cache: { ...state.cache, threads: new Map([['c1', counted]]) } };
    });
    await press('z');
    await tty.settled();
    expect(tty.text().join('\n')).toContain(' 1 new ↓');
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    for (const letter of letters) await press(letter);
    expect(reads).toBe(0);
  });

  test('takes at most eight bytes on average when text is changed in its middle', async () => {
    const { press, screen } = await stageWith({ messages: 60 });
    for (const letter of 'at nine') await press(letter);
    for (let i = 0; i < 3; i++) await press('left');
    const before = screen.stats.bytes;
    for (const key of ['x', 'y', 'left', 'z', 'backspace', 'right']) await press(key);
    expect((screen.stats.bytes - before) / 6).toBeLessThanOrEqual(8);
  });

  test('commits nothing in React, nor does a key in a picker or the settings; a page about a message does', async () => {
    const { press, screen, ui, store } = await stageWith({ messages: 60, conversations: 40 });
    const ink = screen.inkStream();
    // In debug mode Ink writes at every commit, whether or not it changed anything.
    const commits = vi.spyOn(ink, 'write');
    const app = mountApp(ui, screen);
    onTestFinished(() => app.unmount());
    await press('x');
    await new Promise(setImmediate);
    commits.mockClear();
    for (const letter of letters) await press(letter);
    for (const open of ['ctrl+k', 'f1', 'alt+,'])
      for (const key of [open, 'down', 'down', 'm', 'e', 's', 'backspace', 'escape']) await press(key);
    await new Promise(setImmediate);
    expect(commits).not.toHaveBeenCalled();
    store.setState(pushOverlay({ kind: 'notices', scroll: 0 }));
    await vi.waitFor(() => expect(commits).toHaveBeenCalled());
  });

  test('asks SQLite nothing; when the typing has paused, changes of others are looked for and the draft is saved, once each', async () => {
    const { press, clock, diskCalls } = await stageWith({ messages: 60 });
    const before = diskCalls();
    for (const letter of letters) await press(letter);
    expect(diskCalls() - before).toBe(0);
    await clock.advance(450);
    expect(diskCalls() - before).toBe(2);
  });

  test('is on disk two seconds later even if typing never pauses', async () => {
    const { press, clock, diskCalls } = await stageWith({ messages: 60 });
    const before = diskCalls();
    for (let ms = 0; ms < 4_000; ms += 100) {
      await press(letters[(ms / 100) % letters.length] ?? 'x');
      await clock.advance(100);
    }
    expect(diskCalls() - before).toBeGreaterThanOrEqual(2);
  });

  test('leaves the heap as it was, over 10,000 frames', async () => {
    const collect = garbageCollector();
    const { press, screen } = await stageWith({ messages: 60 });
    const type = async (frames: number): Promise<void> => {
      for (let i = 0; i < frames; i++) await press(i % 50 === 49 ? 'ctrl+u' : (letters[i % letters.length] ?? 'x'));
    };
    await type(2_000);
    collect();
    const before = process.memoryUsage().heapUsed;
    const frames = screen.stats.frames;
    await type(10_000);
    collect();
    expect(screen.stats.frames - frames).toBeGreaterThanOrEqual(10_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000);
  });
});

describe('a picker', () => {
  test('is on the terminal as soon as its key is handled, also before Ink is loaded, and a letter redraws only what differs', async () => {
    const tty = createHeadless(120, 40);
    const { press, screen, store } = await stageWith({ messages: 60, conversations: 40, tty });
    await press('ctrl+k');
    await tty.settled();
    expect(tty.text().join('\n')).toMatch(/╭─+╮[\s\S]*│ Go to [^│]*│[\s\S]*│ To: name +│[\s\S]*│ > ann-name/);
    const before = { ...screen.stats };
    await press('>');
    await press('b');
    expect(screen.stats.frames - before.frames).toBe(2);
    expect(screen.stats.bytes - before.bytes).toBeLessThan(5_000);
    await tty.settled();
    expect(tty.text().join('\n')).toMatch(/│ Commands [^│]*│[\s\S]*│ Run: >b +│/);
    await press('escape');
    await tty.settled();
    expect(store.getState().screen.overlays).toEqual([]);
    expect(tty.text().join('\n')).not.toMatch(/╭|Commands/);
  });

  test('the settings show at once, also before Ink is loaded, and their keys can be clicked', async () => {
    const tty = createHeadless(120, 40);
    const { press, ui } = await stageWith({ messages: 60, tty });
    await press('alt+,');
    await tty.settled();
    const y = tty.text().findIndex((row) => /│ .*Esc close +│/.test(row));
    const x = tty.row(y).indexOf('Esc close');
    expect(ui.drawnOverlays.targetAt(x, y)).toMatchObject({ kind: 'command' });
    await press('escape');
    expect(ui.drawnOverlays.targetAt(x, y)).toBeNull();
  });

  test('is drawn above a page of Ink that was opened before it, and below one that was opened after it', async () => {
    const tty = createHeadless(120, 40);
    const { screen, ui, store } = await stageWith({ messages: 60, conversations: 40, tty });
    const app = mountApp(ui, screen);
    onTestFinished(() => app.unmount());
    const seen = async (text: RegExp): Promise<void> =>
      vi.waitFor(async () => {
        await tty.settled();
        expect(tty.text().join('\n')).toMatch(text);
      });
    const [notices, help] = [
      { kind: 'notices', scroll: 0 },
      { kind: 'help', typed: '', selected: 0 },
    ] as const;
    store.setState(pushOverlay(notices));
    await seen(/│ Notices/);
    store.setState(pushOverlay(help));
    await seen(/│ Help · \d+ commands/);
    expect(tty.text().join('\n')).not.toMatch(/│ Notices/);
    store.setState(popOverlay);
    await seen(/│ Notices/);
    store.setState((state) => pushOverlay(notices)(pushOverlay(help)(popOverlay(state))));
    await seen(/╭─│ Notices/);
  });
});

test('an error of a component of Ink is an unhandled rejection, which ends the program', async () => {
  const { screen, ui, store } = await stageWith({ messages: 60 });
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
  });
  const ended = new Promise((resolve) => process.once('unhandledRejection', resolve));
  mountApp(ui, screen);
  const withoutView = { kind: 'without view' } as unknown as Overlay;
  store.setState(pushOverlay(withoutView));
  expect(await ended).toMatchObject({ message: expect.stringContaining('Element type is invalid') });
});

/** The figures are in docs/performance.md. */
test('a frame at 80 × 24 takes few bytes: a letter, a page up, and another conversation', async () => {
  const tty = createHeadless(80, 24);
  const { press, clock, screen, ui } = await stageWith({ messages: 300, conversations: 20, tty });
  const cost = async (act: () => unknown): Promise<number> => {
    await clock.advance(3_000);
    const before = screen.stats.bytes;
    await act();
    await clock.advance(1);
    return screen.stats.bytes - before;
  };
  await press('x');
  const letter = await cost(() => press('y'));
  await press('pageup');
  const page = await cost(() => press('pageup'));
  const other = await cost(() => ui.context.openConversation('c2'));
  const back = await cost(() => ui.context.openConversation('c1'));
  expect(letter).toBe(1);
  expect(page).toBeLessThan(850);
  expect(other).toBeLessThan(850);
  expect(back).toBeLessThan(1_600);
});

describe('at rest', () => {
  test('a poll that brings nothing new writes no byte, and the state stays the same object', async () => {
    const { store, clock, screen, service } = await stageWith({ messages: 60 });
    const before = { state: store.getState(), bytes: screen.stats.bytes, requests: service.requests.length };
    await clock.advance(20_000);
    expect(service.requests.length - before.requests).toBeGreaterThan(3);
    expect(screen.stats.bytes - before.bytes).toBe(0);
    expect(store.getState()).toBe(before.state);
  });

  test('one timer is set, and it wakes the program less than once in six seconds', async () => {
    const { clock } = await stageWith({ messages: 60 });
    expect(clock.pending()).toBe(1);
    await clock.advance(10 * 60_000);
    expect(clock.pending()).toBe(1);
    const before = clock.wakeUps();
    await clock.advance(10 * 60_000);
    expect(clock.wakeUps() - before).toBeLessThanOrEqual(100);
  });
});

describe('a long history', () => {
  test('mounts as many nodes as a short one, and so does a long list', async () => {
    const short = await nodesOf({ messages: 20, conversations: 3 });
    const long = await nodesOf({ messages: 3_000, conversations: 1_500 });
    expect(long).toBe(short);
    expect(short).toBeLessThan(40);
  });

  test('paints a page of it from no more messages than the screen holds', async () => {
    const { press, clock, store, ui } = await stageWith({ messages: 3_000 });
    for (let pages = 0; pages < 20; pages++) {
      await press('pageup');
      await clock.advance(1);
    }
    expect(store.getState().cache.threads.get('c1')?.messages.length).toBeGreaterThan(300);
    const before = ui.panes().drawn();
    await press('pageup');
    const drawn = ui.panes().drawn() - before;
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThan(80);
  });
});

describe('a long list', () => {
  test('one conversation of 3,000 that moves is one row on disk and a few on the screen', async () => {
    const { clock, service, screen, diskCalls, store } = await stageWith({ messages: 60, conversations: 3_000 });
    // So that the newest pages of the first conversations are in.
    await clock.advance(10 * 60_000);
    const before = { calls: diskCalls(), rows: screen.stats.rowsPainted, order: selectListOrder(store.getState()) };
    service.say('c2000', 'back again');
    await clock.advance(60_000);
    expect(selectListOrder(store.getState()).indexOf('c2000')).toBe(0);
    expect(before.order.indexOf('c2000')).toBe(1_999);
    expect(diskCalls() - before.calls).toBeLessThan(60);
    expect(screen.stats.rowsPainted - before.rows).toBeLessThanOrEqual(2 * 40);
  });
});

/** Ink's own tree with the panes as text, which is where it could grow. */
async function nodesOf(options: StageOptions): Promise<number> {
  const { ui, screen } = await stageWith(options);
  const root = createRef<DOMElement>();
  const app = render(
    <UiProvider value={{ ...ui, screen: null }}>
      <Box ref={root}>
        <App />
      </Box>
    </UiProvider>,
    {
      stdout: screen.inkStream(),
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
    },
  );
  onTestFinished(() => app.unmount());
  const count = (node: DOMElement): number =>
    1 + node.childNodes.reduce((sum, child) => sum + ('childNodes' in child ? count(child) : 1), 0);
  await vi.waitFor(() => expect(root.current).not.toBeNull());
  return root.current === null ? 0 : count(root.current);
}

/** Node gives one out only when asked with this flag. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
