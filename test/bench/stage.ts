/** The whole client but for its process: store, engine, SQLite, panes, painter, Ink, on a terminal that counts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandContext } from '../../src/cli/chat/command-context.ts';
import { createHintSelector } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { type AppStore, createAppStore } from '../../src/state/store.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { setFocus, setSize } from '../../src/state/view/view.ts';
import { openCache } from '../../src/storage/cache/open.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { createEngine, type Engine } from '../../src/sync/engine/engine.ts';
import { Screen } from '../../src/terminal/screen.ts';
import type { TtyPort } from '../../src/terminal/tty-port.ts';
import { createRouter } from '../../src/ui/key-router.ts';
import { PaintedOverlays } from '../../src/ui/painted-overlays.ts';
import { Painter } from '../../src/ui/painter.ts';
import type { Ui } from '../../src/ui/store-context.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { epoch, type FakeClock, fakeClock } from '../support/clocks/fake-clock.ts';
import { type FakeService, fakeService } from '../support/servers/fake-service.ts';

export interface Stage {
  readonly store: AppStore;
  readonly engine: Engine;
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly screen: Screen;
  readonly ui: Ui;
  /** Times that the outbox or the cache, the two SQLite files, was read or written. */
  readonly diskCalls: () => number;
  /** One key, and the frame that follows from it. */
  press(key: string): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly messages: number;
  readonly conversations?: number;
  readonly tty?: TtyPort;
}

/** Takes everything and shows nothing. */
export const sink: TtyPort = {
  columns: 120,
  rows: 40,
  write: () => true,
  writeSync: () => undefined,
  on: () => () => undefined,
};

/** A conversation with Ann of that many messages is open, the composer has the keyboard, and the first frame is painted. */
export function createStage({ messages, conversations = 1, tty = sink }: StageOptions): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-stage-'));
  let diskCalls = 0;
  const called = (): void => void diskCalls++;
  const outbox = counted(openOutbox(join(folder, 'data')), called);
  const cache = counted(openCache(join(folder, 'cache')), called);
  const clock = fakeClock();
  const service = fakeService(clock);
  for (let i = conversations; i >= 1; i--) service.addConversation(`c${i}`, { lastActiveAt: epoch - i * 1_000 });
  for (let i = 0; i < messages; i++) service.say('c1', `message ${i} of a long and quiet evening`);

  const state = eg.state({ contacts: [eg.contact({ id: 'ann', username: 'Ann' })] });
  const settings = { ...state.settings, revealReading: false };
  const store = createAppStore(setSize({ columns: tty.columns, rows: tty.rows })({ ...state, settings }));
  const engine = createEngine({
    client: service.client,
    paging: service.paging,
    store,
    outbox,
    cache,
    clock,
    random: () => 0.5,
    newUuid: () => 'u1',
    openingPlace: (now) => panes.openingPlace(now),
  });
  const keymap = createKeymap(commands);
  const panes = createPanes({ theme: themes.dark, ascii: false, now: clock.now });
  const screen = new Screen({ tty });
  const hintsOf = createHintSelector(keymap);
  const isCovered = (now: AppState): boolean => topOverlay(now) !== null;
  const overlays = new PaintedOverlays({ screen, panes: () => panes, now: clock.now, hintsOf });
  const painter = new Painter({ ...store, screen, panes: () => panes, hintsOf, isCovered, overlays });
  const nothing = (): void => undefined;
  const context = createCommandContext({
    store,
    engine,
    panes: () => panes,
    now: clock.now,
    toClipboard: () => '',
    openLink: (_, tell) => tell('opened'),
    editText: () => undefined,
    readSnippet: () => undefined,
    saveSnippet: () => undefined,
    saveKeys: () => undefined,
    saveFile: () => undefined,
    signIn: nothing,
    testNotification: nothing,
    freshness: async () => '',
    switchAccount: nothing,
    keyOf: (id) => keymap.keysOf(id)[0] ?? '',
    settings: { read: nothing, check: () => ({ value: null }), changes: () => ({}), write: nothing, set: nothing },
    redraw: screen.redraw,
    suspend: nothing,
    quit: nothing,
  });
  const router = createRouter({
    context,
    keymap,
    panes: () => panes,
    drawnOverlays: overlays.drawnOverlays,
    targetAt: screen.targetAt,
    echo: painter,
    onFocus: nothing,
    onReply: nothing,
  });
  screen.enter();
  painter.paint();

  return {
    store,
    engine,
    clock,
    service,
    screen,
    ui: { store, context, panes: () => panes, screen, hintsOf, drawnOverlays: overlays.drawnOverlays },
    diskCalls: () => diskCalls,
    async press(key) {
      router({ type: 'key', key, text: [...key].length === 1 ? key : '' });
      // The painter's turn comes in a microtask, what it asks of the screen in the next one.
      await Promise.resolve();
      await Promise.resolve();
    },
    async close() {
      await engine.stop();
      painter.stop();
      outbox.close();
      cache.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Synced, with the conversation open at its end and written in. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const stage = createStage(options);
  stage.engine.start();
  await stage.clock.advance(3_000);
  stage.ui.context.openConversation('c1');
  stage.store.setState(setFocus('composer'));
  stage.ui.context.scrollThread('bottom');
  await stage.clock.advance(3_000);
  return stage;
}

function counted<T extends object>(disk: T, called: () => void): T {
  return new Proxy(disk, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        called();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
