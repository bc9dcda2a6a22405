/** The whole app as Ink text, drawn from a state, with keys and typing; no `Screen` and no engine. */
import { render } from 'ink-testing-library';
import { onTestFinished, vi } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { createHintSelector } from '../../src/commands/footer.ts';
import { KeyRunner } from '../../src/commands/key-runner.ts';
import { keyLabel } from '../../src/commands/label.ts';
import { keymapFor } from '../../src/commands/table.ts';
import { addOp } from '../../src/state/local/outbox.ts';
import type { AppState, OpAction } from '../../src/state/model/app-state.ts';
import { type AppStore, createAppStore } from '../../src/state/store.ts';
import { typingMs } from '../../src/state/view/overlays.ts';
import { App } from '../../src/ui/app.tsx';
import { createDrawnOverlays, type DrawnOverlays } from '../../src/ui/drawn-overlays.ts';
import { UiProvider } from '../../src/ui/store-context.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { type Theme, themes } from '../../src/view/theme.ts';
import { fakeSettings } from '../commands/settings-page.ts';
import * as eg from '../support/builders/eg.ts';

export interface Stage {
  readonly store: AppStore;
  readonly panes: Panes;
  readonly actions: readonly OpAction[];
  readonly tokens: readonly string[];
  /** For what the keys do not reach. */
  readonly context: CommandContext;
  readonly drawnOverlays: DrawnOverlays;
  /** Conversations that were opened. */
  readonly opened: readonly string[];
  /** Messages that were gone to. */
  readonly shown: readonly string[];
  hints(): ReturnType<ReturnType<typeof createHintSelector>>;
  /** Without styles and trailing blanks. */
  frame(): string;
  /** The same as it is written, with styles. */
  styledFrame(): string;
  /** By canonical name, through the one keymap. */
  press(...keys: readonly string[]): void;
  /** Into the field that has the keyboard. */
  type(text: string): void;
  see(text: string | RegExp): Promise<void>;
}

/** By the keys of the state's settings, the theme without colours, and the wide glyphs. */
export interface StageLook {
  readonly theme?: Theme;
  readonly ascii?: boolean;
}

/** @param openedAgoMs how long ago the questions were asked, so that they can be answered */
export function stage(
  state: AppState,
  openedAgoMs = 1_000,
  { theme = themes.none, ascii = false }: StageLook = {},
): Stage {
  const keymap = keymapFor(state.settings.keys);
  const store = createAppStore(state);
  const actions: OpAction[] = [];
  const tokens: string[] = [];
  const shown: string[] = [];
  const opened: string[] = [];
  const panes = createPanes({
    theme,
    ascii,
    now: () => eg.now,
    keyOf: (id) => keyLabel(keymap.keysOf(id)[0] ?? ''),
  });
  const hintsOf = createHintSelector(keymap);
  const drawnOverlays = createDrawnOverlays();
  const timers: (() => void)[] = [];
  let now = eg.now + openedAgoMs;
  const nothing = (): void => undefined;
  const write = (action: OpAction): boolean => {
    actions.push(action);
    store.setState(addOp(eg.op(action)));
    return true;
  };
  const context: CommandContext = {
    get: store.getState,
    update: store.setState,
    now: () => now,
    enqueue: write,
    later: (_, run) => void timers.push(run),
    retryOp: nothing,
    letPass: () => true,
    discardOp: () => true,
    openConversation: (id) => void opened.push(id),
    closeConversation: nothing,
    scrollThread: nothing,
    revealMessage: nothing,
    showMessage: (_, message) => {
      shown.push(message.id);
      return true;
    },
    markUnread: nothing,
    findInHistory: () => null,
    fetchBack: async () => null,
    composerColumns: () => 40,
    copy: nothing,
    openLink: (href) => void opened.push(href),
    editText: nothing,
    readSnippet: nothing,
    saveSnippet: nothing,
    saveFile: nothing,
    saveKeys: nothing,
    pollNow: nothing,
    signIn: (token) => void tokens.push(token),
    testNotification: nothing,
    reportFreshness: nothing,
    keyOf: (id) => keyLabel(keymap.keysOf(id)[0] ?? ''),
    settings: fakeSettings(() => nothing),
    switchAccount: nothing,
    redraw: nothing,
    suspend: nothing,
    quit: nothing,
  };
  const ui = {
    store,
    context,
    panes: () => panes,
    screen: null,
    hintsOf,
    drawnOverlays,
  };
  const { lastFrame, unmount } = render(
    <UiProvider value={ui}>
      <App />
    </UiProvider>,
  );
  onTestFinished(unmount);
  const frame = (): string => plain(lastFrame() ?? '');
  return {
    store,
    panes,
    actions,
    tokens,
    shown,
    opened,
    context,
    drawnOverlays,
    hints: () => hintsOf(store.getState()),
    frame,
    styledFrame: () => lastFrame() ?? '',
    press(...keys) {
      for (const key of keys) {
        new KeyRunner(context, keymap).press({ key, text: [...key].length === 1 ? key : '' });
        now += typingMs;
        for (const run of timers.splice(0)) run();
      }
    },
    type(text) {
      const runner = new KeyRunner(context, keymap);
      for (const character of text) runner.press({ key: character, text: character });
    },
    see: (text) => vi.waitFor(() => seen(frame(), text)),
  };
}

function seen(frame: string, text: string | RegExp): void {
  const isSeen = typeof text === 'string' ? frame.includes(text) : text.test(frame);
  if (!isSeen) throw new Error(`${text} is not in\n${frame}`);
}

/** The text of a frame without styles and trailing blanks. */
export const plain = (frame: string): string =>
  frame
    .replace(/\x1b\[[0-9;:]*m/g, '')
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n');
