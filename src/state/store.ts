/**
 * The store of the one AppState, and the state that a run begins with. The store is changed by transitions only, so
 * that no caller writes back an old value.
 */
import { createStore } from 'zustand/vanilla';
import { noCapabilities } from '../protocol/capabilities.ts';
import type { AppState, Cache, Connection, Local, ScreenState, View } from './model/app-state.ts';
import { defaultSettings, type Settings } from './model/settings.ts';

/** A pure function that never throws; it returns the same object when nothing changes. */
export type Transition = (state: AppState) => AppState;

export interface AppStore {
  getState(): AppState;
  /** Listeners are not called when the transition returned the same object. */
  setState(transition: Transition): void;
  subscribe(listener: (state: AppState, previous: AppState) => void): () => void;
}

/** Resolves once `holds` is true of the state, or when the signal aborts. */
export function until(
  store: Pick<AppStore, 'getState' | 'subscribe'>,
  holds: (state: AppState) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  if (signal?.aborted === true || holds(store.getState())) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = store.subscribe((state) => {
      if (holds(state)) done();
    });
    signal?.addEventListener('abort', done);
    function done(): void {
      unsubscribe();
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}

export interface StateOverrides {
  readonly cache?: Partial<Cache>;
  readonly local?: Partial<Local>;
  readonly view?: Partial<View>;
  readonly screen?: Partial<ScreenState>;
  readonly settings?: Partial<Settings>;
}

export function createAppStore(initial: AppState): AppStore {
  const store = createStore<AppState>(() => initial);
  return {
    getState: store.getState,
    setState: (transition) => store.setState(transition, true),
    subscribe: store.subscribe,
  };
}

/** The state of a run that has just begun: nothing known, the list focused, no connection yet. */
export function initialState(overrides: StateOverrides = {}): AppState {
  return {
    cache: { ...emptyCache, ...overrides.cache },
    local: { ...emptyLocal, ...overrides.local },
    view: { ...emptyView, ...overrides.view },
    screen: { ...emptyScreen, ...overrides.screen },
    settings: { ...defaultSettings, ...overrides.settings },
  };
}

const emptyCache: Cache = {
  conversations: new Map(),
  contacts: new Map(),
  lastMessages: new Map(),
  pinned: new Map(),
  foundEmpty: new Map(),
  unread: new Map(),
  threads: new Map(),
};

export const emptyLocal: Local = {
  outbox: [],
  resent: new Map(),
  refusals: new Map(),
  drafts: new Map(),
  readLines: new Map(),
  mutedUntil: new Map(),
  reactedOnly: new Map(),
  names: new Map(),
  pictureHosts: new Map(),
  notes: new Map(),
  me: null,
  opened: null,
  savedPlaces: new Map(),
  listView: null,
  sentTexts: new Map(),
  commandUses: new Map(),
  conversationUses: new Map(),
  reactionUses: new Map(),
  detours: new Map(),
  listWidth: null,
  density: null,
  capabilities: noCapabilities,
};

const startingConnection: Connection = {
  status: 'starting',
  asOf: null,
  nextPollAt: null,
  since: null,
  until: null,
  reason: null,
  loading: new Set(),
  failures: new Map(),
  listComplete: false,
  listRest: 'none',
};

const emptyView: View = {
  list: { view: 'all', filter: '', selectedId: null, topId: null, frozenOrder: null },
  openId: null,
  previousId: null,
  places: new Map(),
  connection: startingConnection,
  serverLabel: '',
};

const emptyScreen: ScreenState = {
  size: { columns: 80, rows: 24 },
  focus: 'list',
  overlays: [],
  notices: [],
  noticeLog: [],
};
