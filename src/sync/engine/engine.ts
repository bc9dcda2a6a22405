/** The engine as the rest of the program sees it: it polls, opens conversations, reads history, and takes changes to send. */

import type { Client } from '../../api/operations.ts';
import type { ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import type { FetchedBack, Found, HistoryAim, HistoryKey } from '../../state/cache/cached-history.ts';
import { draftOf } from '../../state/composer/drafts.ts';
import { isSameDraft } from '../../state/local/merge-local.ts';
import { markUnread } from '../../state/local/read-lines.ts';
import type { OpAction } from '../../state/model/app-state.ts';
import type { EnqueueOptions } from '../../state/model/op.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import { knownNewest } from '../merge/known-newest.ts';
import { enqueue } from '../outbox/enqueue.ts';
import { createUserDecisions, type UserDecisions } from '../outbox/user-decisions.ts';
import { fetchHistory, readAround, readNewer, readNewest, readOlder } from '../poll/thread/backfill.ts';
import {
  type CloseGapsOptions,
  closeGaps,
  type FetchBackOptions,
  fetchBack,
  findInHistory,
} from '../poll/thread/fetch-back.ts';
import {
  enterConversation,
  markArrivalsRead,
  markReadAndReport,
  type OpeningOptions,
  retrieveOpened,
} from '../poll/thread/open-conversation.ts';
import { findMessage } from '../read/read-message.ts';
import { afterPaintMs } from '../services/clock.ts';
import { pauseEnd } from '../services/connection-status.ts';
import { showNotice } from '../services/notices.ts';
import { mayLeaveNow } from '../services/request.ts';
import { type EnginePorts, stateOf, update } from '../services/services.ts';
import { EngineLoops } from './engine-loops.ts';

/** Requests that a command makes once, without polling. The answer enters the state; each rejects with ApiError. */
export interface Reads {
  /** The conversation list, as far as it may be out of date. */
  list(): Promise<void>;
  /** The newest page of a conversation. */
  thread(id: ConversationId): Promise<void>;
  /** One message; null when it is gone. It does not enter the state. */
  message(id: MessageId): Promise<Message | null>;
  /** Retrieves the conversation, by which some servers learn that it was opened. */
  opened(id: ConversationId): Promise<void>;
}

export interface Engine extends UserDecisions {
  readonly read: Reads;
  /** Writes local state to the disk from now on, and what was changed before; `start` implies it. */
  startSaving(): void;
  start(): void;
  /** Ends the loops and the requests under way, and writes drafts. A send that is cut off becomes unsure. */
  stop(): Promise<void>;
  /** Writes drafts to the disk now; synchronous, for exit handlers. */
  flush(): void;
  /**
   * Tries everything at once, as after a failure. Returns the time before which nothing is asked for, as the server asks to
   * wait; null where it does not.
   */
  pollNow(): Millis | null;
  /**
   * Opens the conversation. It counts as read, here and on the server, if its end is on the screen then; not by a peek, and
   * not by a jump to a message, which is scrolled to afterwards.
   */
  openConversation(id: ConversationId, options?: OpeningOptions): void;
  /** To be called when the end of the open conversation has come into sight: it counts as read then. */
  markReadToEnd(id: ConversationId): void;
  closeConversation(): void;
  /** Marks the newest message of others as unread, here only. It need not be in memory. */
  markUnread(id: ConversationId): void;
  /**
   * Asks for the newest messages of conversations of which none is known, in the order of the list. To be called with those that
   * the list shows: without a message they have neither a name nor a preview.
   */
  needFirstPages(ids: readonly ConversationId[]): void;
  /** To be called when the thread is scrolled near the beginning (or the end) of the messages that are in memory. */
  needOlder(id: ConversationId): void;
  needNewer(id: ConversationId): void;
  /** Loads the newest messages into memory, at once. */
  needNewest(id: ConversationId): void;
  /** Loads the messages around this one into memory, at once. False when it is not cached any more. */
  needAround(id: ConversationId, key: HistoryKey): boolean;
  /** Looks in the cache for a message by its place in the history. */
  findInHistory(id: ConversationId, aim: HistoryAim): Found;
  /** Fetches history until the message is there; null when it is not wanted any more. What is shown stays as it is. */
  fetchBack(id: ConversationId, aim: HistoryAim, options: FetchBackOptions): Promise<FetchedBack | null>;
  /** Fetches what is missing between cached messages. Resolves to why some of it was not fetched; null when nothing was in the way. */
  closeGaps(id: ConversationId, options: CloseGapsOptions): Promise<string | null>;
  /**
   * Puts a change into the outbox: on disk first, then in the state. False when the disk refused, or where another process
   * has changed the draft that the change was made from: a notice says so and nothing was sent.
   */
  enqueue(action: OpAction, options?: EnqueueOptions): boolean;
  /** To be called when something was written in the directory of the outbox, perhaps by another process. */
  refreshOutbox(): void;
  /** Takes over what other processes have written, also before the start, and without asking for the sender role. */
  mergeOutbox(): void;
  setFocused(isFocused: boolean): void;
  /** Goes on with this client, which has a new token, and closes the old one. */
  replaceClient(client: Client): void;
}

export function createEngine(ports: EnginePorts): Engine {
  const loops = new EngineLoops(ports);
  const { context, poller } = loops;
  return {
    startSaving: () => loops.startSaving(),
    start: () => loops.start(),
    stop: () => loops.stop(),
    flush: () => loops.flush(),
    pollNow() {
      loops.retryNow();
      return pauseEnd(context);
    },
    ...windowCalls(loops),
    enqueue: (action, options = {}) =>
      (options.draftOf === undefined || isDraftAsShown(loops, options.draftOf)) && enqueue(context, action, options),
    ...createUserDecisions(context, (uuid) => loops.runner.hurry(uuid)),
    read: {
      list: () => poller.readList(),
      thread: (id) => poller.readNewestPage(id),
      message: (id) => findMessage(context, id),
      opened: (id) => retrieveOpened(context, id),
    },
    refreshOutbox: () => loops.refreshOutbox(),
    mergeOutbox: () => loops.mergeOutbox(),
    setFocused: (isFocused) => {
      poller.setFocused(isFocused);
      if (isFocused) markArrivalsRead(context, loops.track);
      loops.wake();
    },
    replaceClient: (next) => loops.replaceClient(next),
  };
}

/**
 * Takes over what other processes have written, so that no text is removed with the draft that was not read here. False,
 * with a notice, where the draft is another one now: it may have been sent.
 */
function isDraftAsShown(loops: EngineLoops, id: ConversationId): boolean {
  const { context } = loops;
  const shown = draftOf(stateOf(context), id);
  loops.mergeOutbox();
  if (isSameDraft(draftOf(stateOf(context), id), shown)) return true;
  showNotice(
    context,
    'warning',
    noticeNames.notSent,
    'Nothing was sent: another msg-tui has changed or sent this text.',
  );
  return false;
}

type WindowCall =
  | 'openConversation'
  | 'markReadToEnd'
  | 'closeConversation'
  | 'markUnread'
  | 'needFirstPages'
  | 'needOlder'
  | 'needNewer'
  | 'needNewest'
  | 'needAround'
  | 'findInHistory'
  | 'fetchBack'
  | 'closeGaps';

/** The calls that concern the open conversation and the part of its history that is in memory. */
function windowCalls({ context, poller, track, wake }: EngineLoops): Pick<Engine, WindowCall> {
  return {
    openConversation: (id, { isPeek = false, isJump = false } = {}) => {
      const isOpen = poller.isOpen(id);
      poller.open(id);
      enterConversation(context, id, { isPeek, isOpen, isJump }, track);
      // After the frame: a request takes as long to make as the frame.
      context.clock.after(afterPaintMs, wake);
    },
    markReadToEnd: (id) => markReadAndReport(context, id, track),
    closeConversation: () => {
      poller.open(null);
      wake();
    },
    markUnread: (id) => update(context, markUnread(id, knownNewest(context, id).messages)),
    needFirstPages: (ids) => {
      poller.wantPages(ids);
      wake();
    },
    needOlder: (id) => {
      if (readOlder(context, id) || stateOf(context).view.connection.loading.has(id)) return;
      if (mayLeaveNow(context, 'poll')) track(fetchHistory(context, id));
    },
    needNewer: (id) => readNewer(context, id),
    needNewest: (id) => readNewest(context, id),
    needAround: (id, key) => readAround(context, id, key),
    findInHistory: (id, aim) => findInHistory(context, id, aim),
    fetchBack(id, aim, options) {
      const fetched = fetchBack(context, id, aim, options);
      track(fetched.then(() => {}));
      return fetched;
    },
    closeGaps(id, options) {
      const closed = closeGaps(context, id, options);
      track(closed.then(() => {}));
      return closed;
    },
  };
}
