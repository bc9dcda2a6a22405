/** The two loops of sync behind one timer: pull (poll → cache) and push (op → request → cache). */
import type { Client } from '../api/operations.ts';
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, OpAction } from '../state/model/app-state.ts';
import { expireNotices, patchConnection } from '../state/view/connection.ts';
import { createMultiProcess, type MultiProcess, sentMeanwhile } from './local/multi-process.ts';
import { type LocalPersistence, persistLocal } from './local/persist-local.ts';
import { enqueue } from './outbox/enqueue.ts';
import { createOutboxRunner } from './outbox/outbox-runner.ts';
import { recover } from './outbox/recovery.ts';
import { askAboutDuplicates } from './outbox/send/duplicate-watch.ts';
import { unsureSends } from './outbox/send/reconcile.ts';
import { createUserDecisions, type UserDecisions } from './outbox/user-decisions.ts';
import { createPoller } from './poll/poller.ts';
import { fetchHistory, readAround, readNewer, readNewest, readOlder } from './poll/thread/backfill.ts';
import { enterConversation } from './poll/thread/open-conversation.ts';
import { createFinder } from './search/message-search.ts';
import { timerMs } from './services/backoff.ts';
import { endDispute, stopForOtherAccount } from './services/other-account.ts';
import { serverPaging } from './services/paging.ts';
import type { HistoryKey } from './services/ports.ts';
import { createCircuitBreaker } from './services/request-gate.ts';
import { type EnginePorts, type Services, stateOf, update } from './services/services.ts';
import { afterPaintMs } from './services/timing.ts';
import { createWriteTracker } from './services/write-tracker.ts';

export interface Engine extends UserDecisions {
  /** What is written here is on disk from now on, what was written before this too; `start` implies it. */
  keep(): void;
  start(): void;
  /** Ends the loops and the requests under way, and writes drafts; sends cut off here become unsure. */
  stop(): Promise<void>;
  /** Writes drafts to the disk now; synchronous, for exit handlers. */
  flush(): void;
  pollNow(): void;
  /** A peek counts nothing as read, here or on the server. */
  openConversation(id: ConversationId, options?: { readonly isPeek: boolean }): void;
  closeConversation(): void;
  /** The thread is scrolled near an end of its window. */
  needOlder(id: ConversationId): void;
  needNewer(id: ConversationId): void;
  /** The window is to end with the newest message, at once. */
  needNewest(id: ConversationId): void;
  /** The window is to hold this message, at once. False when it is not cached any more. */
  needAround(id: ConversationId, key: HistoryKey): boolean;
  /**
   * Puts a change into the outbox: on disk first, then in the state. False when the disk refused: a notice says so and
   * nothing was changed. `draftOf`: the conversation whose draft the change was made from; it is deleted in the same
   * transaction.
   */
  enqueue(action: OpAction, draftOf?: ConversationId): boolean;
  /** Something was written in the directory of the outbox: another process may have something to say. */
  lookAtOutbox(): void;
  setFocused(isFocused: boolean): void;
  /** A new token: everything goes on with this client. The old one is closed. */
  replaceClient(client: Client): void;
}

/** A timer this late means that the machine slept. */
const suspendMs = 30_000;

export function createEngine(ports: EnginePorts): Engine {
  let client = ports.client;
  let abort = new AbortController();
  let cancelTimer: (() => void) | null = null;
  let timerAt = Number.POSITIVE_INFINITY;
  let isRunning = false;
  let touchedAt = Number.NEGATIVE_INFINITY;
  let unsubscribe: (() => void) | null = null;
  const onBug = ports.onBug ?? crash;
  const tasks = new Set<Promise<void>>();
  const gate = createCircuitBreaker(ports.clock, ports.random);

  const context: Services = {
    ...ports,
    paging: ports.paging ?? serverPaging,
    client: () => client,
    get signal() {
      return abort.signal;
    },
    gate,
    writes: createWriteTracker(ports.clock.monotonic),
    unlistedSends: new Map(),
    created: new Map(),
    backdated: new Map(),
    isSender: () => sharing.isSender(),
    reload: () => sharing.reload(),
    wake: () => wake(),
    noteActivity: () => poller.noteActivity(),
    quietForMs: () => ports.clock.monotonic() - touchedAt,
  };

  /** Made with the engine: what is typed before it starts differs from the disk. */
  let keeper: LocalPersistence | null = persistLocal(context);
  const track = (task: Promise<void>): void => {
    const tracked = task
      // Errors of the API are handled where they arise; whatever comes here is a bug and ends the program.
      .catch((error: unknown) => {
        isRunning = false;
        queueMicrotask(() => onBug(error));
      })
      .finally(() => {
        tasks.delete(tracked);
        wake();
      });
    tasks.add(tracked);
  };

  const poller = createPoller(context, track);
  const pusher = createOutboxRunner(
    context,
    poller,
    {
      onUnsure: (op, at) => {
        if (op.action.kind === 'message.send') poller.watch(op.action.conversationId, at);
      },
      onSettled: (id) => {
        if (id !== null) poller.refreshThread(id);
      },
    },
    track,
  );

  const judge = (): void => {
    recover(context, (id) => poller.watch(id, ports.clock.monotonic()));
    askAboutDuplicates(context);
  };
  const sharing: MultiProcess = createMultiProcess(
    () => context,
    () => keeper,
    {
      onSender: judge,
      onMerged: (before) => {
        // What another process sent is wanted in the thread as soon as it has left the outbox.
        for (const id of sentMeanwhile(before, stateOf(context))) poller.refreshThread(id);
        queueMicrotask(wake);
      },
    },
  );
  const finder = createFinder(context);
  const choices = createUserDecisions(context, (uuid) => pusher.hurry(uuid));

  const wake = (): void => {
    if (!isRunning) return;
    stopWatching();
    pusher.run();
    poller.run();
    arm();
  };

  const mayAsk = (): boolean => (gate.nextAllowedAt('poll') ?? Number.POSITIVE_INFINITY) <= ports.clock.monotonic();

  const stopWatching = (): void => {
    const state = stateOf(context);
    for (const id of watched) {
      if (unsureSends(state, id).length > 0) continue;
      watched.delete(id);
      poller.unwatch(id);
    }
    for (const op of state.local.outbox)
      if (op.state === 'unsure' && op.action.kind === 'message.send') watched.add(op.action.conversationId);
  };
  const watched = new Set<ConversationId>();

  const arm = (): void => {
    const now = ports.clock.monotonic();
    const expiry = nextExpiry(stateOf(context), ports.clock.now());
    const times = [poller.nextAt(), pusher.nextAt(), expiry === null ? null : now + expiry];
    const first = times.reduce<number>((first, time) => Math.min(first, time ?? first), Number.POSITIVE_INFINITY);
    const at = Math.max(now, first);
    if (at === timerAt && cancelTimer !== null) return;
    cancelTimer?.();
    cancelTimer = null;
    timerAt = at;
    if (at !== Number.POSITIVE_INFINITY) cancelTimer = ports.clock.after(timerMs(at - now), fire);
  };

  const fire = (): void => {
    const late = ports.clock.monotonic() - timerAt;
    cancelTimer = null;
    timerAt = Number.POSITIVE_INFINITY;
    if (late > suspendMs) {
      gate.resetBackoff();
      poller.resetBackoff();
    }
    update(context, expireNotices(ports.clock.now()));
    sharing.refresh();
    wake();
  };

  const engine: Engine = {
    keep: () => keeper?.start(),
    start: () => {
      if (isRunning) return;
      isRunning = true;
      keeper ??= persistLocal(context);
      keeper.start();
      finder.start();
      stopForOtherAccount(context);
      if (sharing.isSender()) judge();
      unsubscribe = ports.store.subscribe((state, previous) => {
        const isTouched = isUserAct(state, previous);
        if (isTouched) touchedAt = ports.clock.monotonic();
        const isStirred = isTouched && poller.noteActivity();
        // After the update that is under way, so that transitions never nest.
        if (isStirred || state.view.notices !== previous.view.notices) queueMicrotask(rearm);
      });
      wake();
    },
    stop: async () => {
      isRunning = false;
      cancelTimer?.();
      cancelTimer = null;
      unsubscribe?.();
      finder.stop();
      abort.abort();
      await client.close();
      await Promise.allSettled([...tasks]);
      keeper?.stop();
      keeper = null;
    },
    flush: () => keeper?.flush(),
    pollNow: () => {
      gate.resetBackoff();
      poller.resetBackoff();
      pusher.hurry();
      wake();
    },
    openConversation: (id, { isPeek } = { isPeek: false }) => {
      poller.open(id);
      enterConversation(context, id, isPeek, track);
      // Behind the frame: a request takes as long to make as the picture.
      ports.clock.after(afterPaintMs, wake);
    },
    closeConversation: () => {
      poller.open(null);
      wake();
    },
    needOlder: (id) => {
      if (readOlder(context, id) || stateOf(context).view.connection.loading.has(id)) return;
      if (mayAsk()) track(fetchHistory(context, id));
    },
    needNewer: (id) => readNewer(context, id),
    needNewest: (id) => readNewest(context, id),
    needAround: (id, key) => readAround(context, id, key),
    enqueue: (action, draftOf) => enqueue(context, action, draftOf),
    ...choices,
    lookAtOutbox: () => {
      if (isRunning) sharing.refresh();
    },
    setFocused: (isFocused) => {
      poller.setFocused(isFocused);
      wake();
    },
    replaceClient: (next) => {
      const old = client;
      abort.abort();
      abort = new AbortController();
      client = next;
      gate.reset();
      endDispute(context);
      update(context, patchConnection({ status: 'starting', reason: null, since: null, until: null }));
      track(old.close());
      poller.resetBackoff();
      pusher.hurry();
      wake();
    },
  };
  const rearm = (): void => {
    if (isRunning) arm();
  };
  return engine;
}

function crash(error: unknown): never {
  throw error;
}

const isUserAct = (state: AppState, previous: AppState): boolean =>
  state.local.drafts !== previous.local.drafts ||
  state.view.places !== previous.view.places ||
  state.view.list !== previous.view.list ||
  state.view.focus !== previous.view.focus ||
  state.view.overlays !== previous.view.overlays;

function nextExpiry(state: AppState, now: number): number | null {
  let first: number | null = null;
  for (const { until } of state.view.notices)
    if (until !== null) first = Math.min(first ?? Number.POSITIVE_INFINITY, until - now);
  return first;
}
