/**
 * Runs the two loops of sync, polling and the outbox, with one timer, and wires what they share. A timer that is late
 * means that the machine has woken from sleep: waits after failures end then (`#onTimer`).
 */
import type { Client } from '../../api/operations.ts';
import * as paging from '../../api/paging/paging.ts';
import type { ConversationId } from '../../protocol/types.ts';
import { nextUnmute } from '../../state/local/muting.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { patchConnection } from '../../state/view/connection.ts';
import { expireNotices } from '../../state/view/notices.ts';
import { doneMeanwhile, hasNewOp, MultiProcess } from '../local/multi-process.ts';
import { LocalPersistence } from '../local/persist-local.ts';
import { recountUnread } from '../merge/recount-unread.ts';
import { createOutboxRunner, type OutboxRunner } from '../outbox/outbox-runner.ts';
import { recover } from '../outbox/recovery.ts';
import { showRefusalsElsewhere } from '../outbox/refused.ts';
import { askAboutDuplicates, watchForDuplicates } from '../outbox/send/duplicate-watch.ts';
import { reconcileSends, unsureSends } from '../outbox/send/reconcile.ts';
import { unmuteWhatIsDue } from '../outbox/timed-unmute.ts';
import { confirmLateEdits } from '../outbox/update/update-message.ts';
import { createPoller, type Poller } from '../poll/poller.ts';
import { markArrivalsRead } from '../poll/thread/open-conversation.ts';
import { resolveAliases } from '../quirks/message-alias.ts';
import { CircuitBreaker } from '../services/circuit-breaker.ts';
import { SleepWatch, WakeTimer } from '../services/clock.ts';
import { showNextTry } from '../services/connection-status.ts';
import { endDispute, stopForOtherAccount } from '../services/other-account.ts';
import type { PageObserver } from '../services/page-observer.ts';
import { type EnginePorts, type Services, stateOf, update } from '../services/services.ts';
import { Unlisted } from '../services/unlisted.ts';
import { WriteTracker } from '../services/write-tracker.ts';
import { readResultOf } from './done-elsewhere.ts';

/** `resolveAliases` comes first: a row that is an alias of a known message must not count as a send of unknown outcome. */
const pageObservers: readonly PageObserver[] = [resolveAliases, reconcileSends, watchForDuplicates, confirmLateEdits];

export class EngineLoops {
  readonly context: Services;
  readonly poller: Poller;
  readonly runner: OutboxRunner;
  readonly sharing: MultiProcess;
  readonly #timer: WakeTimer;
  readonly #sleepWatch: SleepWatch;
  readonly #onBug: (error: unknown) => void;
  readonly #tasks = new Set<Promise<void>>();
  /** Conversations whose history is being checked for sends of unknown outcome. */
  readonly #watched = new Set<ConversationId>();
  #persistence: LocalPersistence | null;
  #client: Client;
  #abort = new AbortController();
  #isRunning = false;
  /** When the user last did anything, on the monotonic clock. */
  #touchedAt = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | null = null;

  constructor(ports: EnginePorts) {
    this.#client = ports.client;
    this.#onBug = ports.onBug ?? crash;
    this.context = this.#servicesFrom(ports);
    // It is created here and not in `start`: it takes the state for what is on disk, and saves what is typed from now on.
    this.#persistence = new LocalPersistence(this.context, () => this.mergeOutbox());
    this.poller = createPoller(this.context, this.track, pageObservers);
    this.runner = createOutboxRunner(this.context, this.poller, this.track);
    this.sharing = this.#createSharing();
    this.#timer = new WakeTimer(ports.clock, this.#onTimer);
    this.#sleepWatch = new SleepWatch(ports.clock);
  }

  /** Writes local state to the disk from now on, without a request. */
  startSaving(): void {
    this.#persistence?.start();
    this.#followState();
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#persistence?.start();
    stopForOtherAccount(this.context);
    if (this.sharing.isSender()) this.#judgeOutbox();
    this.#followState();
    this.wake();
  }

  /** Ends the loops and the requests under way, then writes drafts. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer.cancel();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#abort.abort();
    await this.#client.close();
    await Promise.allSettled([...this.#tasks]);
    this.#persistence?.stop();
    this.#persistence = null;
  }

  flush(): void {
    this.#persistence?.flush();
  }

  /** Starts what may start in either loop and sets the timer anew. */
  readonly wake = (): void => {
    if (!this.#isRunning) return;
    this.#updateWatches();
    if (hasTimedMutes(stateOf(this.context))) unmuteWhatIsDue(this.context);
    this.runner.run();
    this.#arm(this.poller.run());
  };

  /** Keeps a task until it ends, and wakes the loops then. */
  readonly track = (task: Promise<void>): void => {
    const tracked = task
      // Errors of the API are handled where they arise; whatever comes here is a bug and ends the program.
      .catch((error: unknown) => {
        this.#isRunning = false;
        queueMicrotask(() => this.#onBug(error));
      })
      .finally(() => {
        this.#tasks.delete(tracked);
        this.wake();
      });
    this.#tasks.add(tracked);
  };

  /** Ends all delays, because the user asked for it, or because the machine was asleep while they ran. */
  retryNow(): void {
    this.#giveUpProbe();
    this.context.circuitBreaker.resetBackoff();
    this.poller.resetBackoff();
    this.runner.hurry();
    this.wake();
  }

  /**
   * Ends the request that finds out whether the server is back, where it waits in vain on a connection of before the
   * outage. A write would become unsure by that, so it is left to its own limit, and so are the reads that belong to it.
   */
  #giveUpProbe(): void {
    const isWriting = stateOf(this.context).local.outbox.some(({ state }) => state === 'sending');
    if (!isWriting && this.context.circuitBreaker.isProbeOverdue()) this.#renewAbort();
  }

  #renewAbort(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Another process may have written to the outbox. */
  refreshOutbox(): void {
    if (this.#isRunning) this.sharing.refresh();
  }

  /** Takes over what other processes have written, also before the start. */
  mergeOutbox(): void {
    if (this.#persistence !== null) this.sharing.merge();
  }

  replaceClient(next: Client): void {
    const old = this.#client;
    this.#renewAbort();
    this.#client = next;
    this.context.circuitBreaker.reset();
    endDispute(this.context);
    update(this.context, patchConnection({ status: 'starting', reason: null, since: null, until: null }));
    this.track(old.close());
    this.poller.resetBackoff();
    this.runner.hurry();
    this.wake();
  }

  #servicesFrom(ports: EnginePorts): Services {
    const signal = (): AbortSignal => this.#abort.signal;
    return {
      ...ports,
      paging: ports.paging ?? paging,
      client: () => this.#client,
      get signal() {
        return signal();
      },
      circuitBreaker: new CircuitBreaker(ports.clock, ports.random),
      writes: new WriteTracker(ports.clock.monotonic),
      unlisted: new Unlisted(ports.clock.monotonic),
      backdated: new Map(),
      unsureSince: new Map(),
      isSender: () => this.sharing.isSender(),
      reload: () => this.sharing.reload(),
      noteDraftOnDisk: (id, draft) => this.#persistence?.noteDraftOnDisk(id, draft),
      wake: this.wake,
      noteActivity: () => this.poller.noteActivity(),
      quietForMs: () => ports.clock.monotonic() - this.#touchedAt,
    };
  }

  #createSharing(): MultiProcess {
    return new MultiProcess(this.context, {
      takeOver: (isSender) => this.#persistence?.takeOver(isSender),
      onSender: () => this.#judgeOutbox(),
      onMerged: (before) => {
        showRefusalsElsewhere(this.context, before);
        // A command may wait for what it has queued: the user wants to know now whether the server is back.
        const isAwaited = this.sharing.isSender() && hasNewOp(before, stateOf(this.context));
        if (isAwaited && this.context.circuitBreaker.isOpen()) queueMicrotask(() => this.retryNow());
        for (const action of doneMeanwhile(before, stateOf(this.context)))
          readResultOf(this.context, action, this.poller);
        queueMicrotask(this.wake);
      },
    });
  }

  #followState(): void {
    this.#unsubscribe ??= this.context.store.subscribe(this.#onState);
  }

  /** Decides what becomes of the ops that the last sender left behind. */
  #judgeOutbox(): void {
    recover(this.context, (id) => this.poller.watch(id, this.context.clock.monotonic()));
    askAboutDuplicates(this.context);
  }

  #updateWatches(): void {
    const state = stateOf(this.context);
    for (const id of this.#watched) {
      if (unsureSends(state, id).length > 0) continue;
      this.#watched.delete(id);
      this.poller.unwatch(id);
    }
    for (const { state: opState, action } of state.local.outbox)
      if (opState === 'unsure' && action.kind === 'message.send') this.#watched.add(action.conversationId);
  }

  #arm(nextPollAt: number | null): void {
    const { clock } = this.context;
    const state = stateOf(this.context);
    const now = clock.now();
    const inTime = (at: number | null): number | null => (at === null ? null : clock.monotonic() + at - now);
    showNextTry(this.context, nextPollAt === null ? null : Math.max(now, now + nextPollAt - clock.monotonic()));
    const unmuteAt = hasTimedMutes(state) ? nextUnmute(state, now) : null;
    this.#timer.arm([nextPollAt, this.runner.nextAt(), inTime(nextExpiry(state)), inTime(unmuteAt)]);
  }

  readonly #onTimer = (lateMs: number): void => {
    if (this.#sleepWatch.hasSlept(lateMs)) this.retryNow();
    update(this.context, expireNotices(this.context.clock.now()));
    this.sharing.refresh();
    this.wake();
  };

  readonly #onState = (state: AppState, previous: AppState): void => {
    const isTouched = isUserAct(state, previous);
    if (isTouched) this.#touchedAt = this.context.clock.monotonic();
    // No timer ran while the machine slept, so that the first key after it may come before they do.
    if (isTouched && this.#sleepWatch.hasSlept()) setImmediate(this.#afterSleep);
    const isSooner = isTouched && this.poller.noteActivity();
    const hasNewTime =
      state.screen.notices !== previous.screen.notices || state.local.mutedUntil !== previous.local.mutedUntil;
    // The timer is set after the update that is under way, so that transitions never nest, and after the frame that shows it.
    if (isSooner || hasNewTime) setImmediate(this.#rearm);
    if (previous.local.me === null && state.local.me !== null)
      queueMicrotask(() => this.track(recountUnread(this.context)));
    if (typeof state.view.arrivedUnseen === 'string' && state.screen !== previous.screen && this.poller.isFocused)
      queueMicrotask(() => markArrivalsRead(this.context, this.track));
  };

  readonly #afterSleep = (): void => {
    if (this.#isRunning) this.retryNow();
  };

  readonly #rearm = (): void => {
    if (this.#isRunning) this.#arm(this.poller.nextAt());
  };
}

function crash(error: unknown): never {
  throw error;
}

const isUserAct = (state: AppState, previous: AppState): boolean =>
  state.local.drafts !== previous.local.drafts ||
  state.view.places !== previous.view.places ||
  state.view.list !== previous.view.list ||
  state.screen.focus !== previous.screen.focus ||
  state.screen.overlays !== previous.screen.overlays;

const hasTimedMutes = ({ local }: AppState): boolean => local.mutedUntil.size > 0;

/** When the first notice expires; null when none does. */
function nextExpiry(state: AppState): number | null {
  let first: number | null = null;
  for (const { until } of state.screen.notices)
    if (until !== null) first = Math.min(first ?? Number.POSITIVE_INFINITY, until);
  return first;
}
