/** Notes what a session does: in the ledger of its profile, and in the debug log of the process where there is one. */
import { existsSync } from 'node:fs';
import type { AppStore } from '../../state/store.ts';
import { debugEntry, isDebugging } from './debug-log.ts';
import { debugState } from './debug-state.ts';
import { atStart, type LedgerEntry, ofCommand, ofOpenConversation, type RequestEntry } from './entry.ts';
import { Ledger } from './ledger.ts';

export interface Recorder {
  readonly record: (entry: LedgerEntry) => void;
  readonly onRequest: (request: Omit<RequestEntry, 'kind'>) => void;
  /** Writes what was collected; synchronous, for exit handlers. */
  flush(): void;
  close(): void;
}

/**
 * @param account the directories of the profile; its ledger is in the one of the cache
 * @param isBrief a command makes the requests, and no chat
 */
export function createRecorder(
  { cacheDirectory, dataDirectory }: { readonly cacheDirectory: string; readonly dataDirectory: string },
  store: AppStore,
  isBrief = false,
): Recorder {
  const ledger = new Ledger(cacheDirectory, {
    keepDays: () => store.getState().settings.ledgerDays,
    mayMake: () => existsSync(dataDirectory),
  });
  debugState(store);
  // The debug log is opened before any account is.
  const log = isDebugging() ? debugEntry : null;
  let isFirst = true;
  const record: Recorder['record'] = (entry) => {
    ledger.add(entry);
    log?.(entry);
  };
  return {
    record,
    onRequest(request) {
      const { openId } = store.getState().view;
      const isOpen = openId !== null && request.path.includes(`?conversation_id=${encodeURIComponent(openId)}&`);
      const reason = isOpen ? ofOpenConversation(request.reason) : request.reason;
      const ofChat = isFirst ? atStart(reason) : reason;
      isFirst = false;
      record({ kind: 'request', ...request, reason: isBrief ? ofCommand(reason) : ofChat });
    },
    flush: () => ledger.flush(),
    close: () => ledger.close(),
  };
}
