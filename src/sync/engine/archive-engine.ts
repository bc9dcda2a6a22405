/** The engine of an archive: it reads the history from the disk, writes nothing, and makes no request. */
import { setLoading } from '../../state/view/connection.ts';
import { expireNotices } from '../../state/view/notices.ts';
import { notice } from '../services/notices.ts';
import { type EnginePorts, update } from '../services/services.ts';
import { createEngine, type Engine } from './engine.ts';

/** @param ports with an outbox in memory and a client that is never used */
export function createArchiveEngine(ports: EnginePorts): Engine {
  const engine = createEngine(ports);
  let stopNotices: (() => void) | null = null;
  return {
    ...engine,
    start() {
      stopNotices ??= expireShownNotices(ports);
    },
    async stop() {
      stopNotices?.();
      await engine.stop();
    },
    startSaving: () => undefined,
    flush: () => undefined,
    pollNow: () => null,
    refreshOutbox: () => undefined,
    mergeOutbox: () => undefined,
    replaceClient: () => undefined,
    openConversation(id) {
      // Opened as a peek, the conversation is not recorded as opened or read, and no request is made.
      engine.openConversation(id, { isPeek: true });
      ports.store.setState(setLoading(id, false));
    },
    markReadToEnd: () => undefined,
    needFirstPages: () => undefined,
    async fetchBack(id, aim) {
      const found = engine.findInHistory(id, aim);
      return { found: found === 'further back' ? null : found, trouble: null };
    },
    closeGaps: () => Promise.resolve(null),
    enqueue() {
      update(ports, notice(ports, 'warning', 'archive', 'This is an archive: nothing in it can be changed.'));
      return false;
    },
  };
}

/** Removes notices whose time is over; it checks every second while a notice has an end. */
function expireShownNotices({ store, clock }: EnginePorts): () => void {
  let cancel: (() => void) | null = null;
  const arm = (): void => {
    if (cancel !== null || !store.getState().screen.notices.some(({ until }) => until !== null)) return;
    cancel = clock.after(1_000, () => {
      cancel = null;
      store.setState(expireNotices(clock.now()));
      arm();
    });
  };
  const unsubscribe = store.subscribe(arm);
  arm();
  return () => {
    unsubscribe();
    cancel?.();
  };
}
