/** Opens an account: joins its storage, store, client and engine once. The chat and every command start from it. */
import { randomUUID } from 'node:crypto';
import type { ProxySettings } from './api/http/proxy-tunnel.ts';
import { yieldToEventLoop } from './api/http/yield-to-event-loop.ts';
import { createLazyClient, type LateToken } from './api/lazy-client.ts';
import type { Client } from './api/operations.ts';
import { trustedOwner } from './config/server-owner.ts';
import { isLoopbackHost } from './protocol/base-url.ts';
import type { ConversationId, Message, MessageId, Millis } from './protocol/types.ts';
import type { HistoryPage, HistoryReach, PageFrom } from './state/cache/cached-history.ts';
import type { RecordChange } from './state/local/records.ts';
import type { Local, MessageSearchResult, OtherSender } from './state/model/app-state.ts';
import type { Findings, MessageVersion, Person } from './state/model/details.ts';
import { filesName, noticeNames } from './state/model/screen-state.ts';
import type { Settings } from './state/model/settings.ts';
import type { MessageQuery } from './state/search/message-search.ts';
import { type AppStore, createAppStore, initialState, type Transition } from './state/store.ts';
import { setOtherSender } from './state/view/connection.ts';
import { addNotice } from './state/view/notices.ts';
import { restorePlaces } from './state/view/saved-places.ts';
import { cacheLastWritten } from './storage/cache/inspect-cache.ts';
import { openCache } from './storage/cache/open.ts';
import type { LedgerEntry } from './storage/ledger/entry.ts';
import { createRecorder, type Recorder } from './storage/ledger/recorder.ts';
import { type OutboxWithRole, openOutboxWithRole } from './storage/outbox/role.ts';
import { watchDirectory } from './storage/sqlite/watch-directory.ts';
import { createEngine, type Engine } from './sync/engine/engine.ts';
import { senderName } from './sync/local/multi-process.ts';
import { beginLoading, isListCached, type Loading } from './sync/poll/list/load-cached.ts';
import { searchMessages } from './sync/search/message-search.ts';
import { searchPerson } from './sync/search/person-search.ts';
import { systemClock } from './sync/services/clock.ts';
import { createServerNotices, type ServerNotices } from './sync/services/server-notices.ts';
import type { EnginePorts } from './sync/services/services.ts';

/** The account to open. Its directories belong to this account alone; they are made when missing. */
export interface AccountToOpen {
  /** The name of the account in the header. */
  readonly label: string;
  /** A normalised base URL. */
  readonly server: string;
  /** A `LateToken` is still being read: the session opens without it, and the first call waits for it. */
  readonly token: string | LateToken;
  readonly dataDirectory: string;
  readonly cacheDirectory: string;
  readonly insecureHttp: boolean;
  readonly proxy?: ProxySettings;
  /** Written when the account is opened: what is known of it before anything was read. */
  readonly records?: readonly RecordChange[];
  /** Opened where none was open before. */
  readonly opens?: ConversationId;
}

export interface Session {
  readonly store: AppStore;
  readonly engine: Engine;
  /** Reads the rest of the cached list, and from now on writes what changes to the disk. */
  load(): Promise<void>;
  /** Loads, then starts the engine. */
  start(): Promise<void>;
  /**
   * For a session that was opened with `isBrief`: asks for the sender role. From the first call on, the engine asks for
   * it too, and sends what is queued once it has it. Returns who has the role; null when this process has it.
   */
  takeSenderRole(): OtherSender | null;
  /** The message on the server that the op became; null for an op that was not sent or is no message. */
  sentAs(uuid: string): MessageId | null;
  /** Cached messages, and what the cache lacks of the conversation; both read the disk. */
  history(conversationId: ConversationId, from: PageFrom, limit: number): HistoryPage;
  reach(conversationId: ConversationId): HistoryReach;
  /** When the cache had last been written before this session; null where nothing was in it. */
  readonly cachedAt: Millis | null;
  /** A cached message; reads the disk. */
  message(conversationId: ConversationId, id: MessageId): Message | null;
  /**
   * Searches the cached messages, without a request. Yields what has been found after each step of about a millisecond,
   * the newest hundred hits; a caller that leaves the loop ends the search.
   */
  search(query: MessageQuery): AsyncIterable<MessageSearchResult>;
  /** The earlier texts of a message, newest first; reads the disk. */
  versions(conversationId: ConversationId, id: MessageId): readonly MessageVersion[];
  /** Searches the cached messages for what was exchanged with somebody, in steps as `search` does. */
  person(of: Person): AsyncIterable<Findings>;
  /** The formatted messages that a conversation showed last, as they were given to `saveFormattedPage`; '' for none. */
  formattedPage(conversationId: ConversationId): string;
  saveFormattedPage(conversationId: ConversationId, body: string): void;
  /** Notes in the ledger what left this machine, or which command was run. Nothing is written before the caller goes on. */
  record(entry: LedgerEntry): void;
  /** Writes drafts and the lines of the ledger now; synchronous, for exit handlers. */
  flush(): void;
  /** Goes on with another token for the same server. */
  signIn(token: string | LateToken): void;
  /** Stops the engine, flushes and lets go of the files and the sender role. */
  close(): Promise<void>;
}

/** What the engine calls; without a screen most of it is left out. */
type Listeners = Pick<EnginePorts, 'keyOf' | 'onCreated' | 'openingPlace' | 'onIncoming' | 'onPage' | 'onAnswer'>;

export interface SessionOptions extends Listeners {
  /** Where it is left out, the defaults hold. */
  readonly settings?: Settings;
  /** The version of msg-tui: what was kept for another one is read anew. */
  readonly program?: string;
  /** For a command that is over soon: nothing is sent before `takeSenderRole`. */
  readonly isBrief?: boolean;
}

/** @throws StorageError when the files must not be touched: of a newer version, not ours, damaged beyond saving */
export function openSession(
  account: AccountToOpen,
  { settings, isBrief = false, program = '', ...listeners }: SessionOptions = {},
): Session {
  const { opened, cache, loading, store, cachedAt } = openFiles(account, settings, isBrief, program);
  const recorder = createRecorder(account, store, isBrief);
  const clients = createClients(account, { ...createServerNotices(store, Date.now), onRequest: recorder.onRequest });
  let maySend = !isBrief;
  const engine = createEngine({
    client: clients.first,
    store,
    outbox: opened.outbox,
    cache,
    clock: systemClock,
    random: Math.random,
    newUuid: randomUUID,
    beginsAsSender: opened.isSender,
    takeSenderRole: () => maySend && opened.takeSenderRole(),
    otherSender: opened.otherSender,
    ...listeners,
  });
  const unwatch = watchDirectory(account.dataDirectory, engine.refreshOutbox);
  let isClosed = false;
  const load = loaderOf(engine, loading, store, () => isClosed);
  return {
    store,
    engine,
    load,
    start: () => load().then(() => (isClosed ? undefined : engine.start())),
    takeSenderRole() {
      maySend = true;
      return opened.takeSenderRole() ? null : (opened.otherSender() ?? { pid: null, isStopped: false });
    },
    ...storedData({ store, cache, opened, cachedAt }, () => isClosed),
    record: recorder.record,
    flush: flushAll(engine, recorder),
    signIn: (token) => engine.replaceClient(clients.renew(token)),
    async close() {
      isClosed = true;
      unwatch();
      await engine.stop();
      await clients.close();
      recorder.close();
      cache.close();
      opened.close();
    },
  };
}

const flushAll =
  (...all: readonly { flush(): void }[]) =>
  (): void => {
    for (const one of all) one.flush();
  };

/** Reads the rest of the cached list once, however often it is called. */
function loaderOf(engine: Engine, loading: Loading, store: AppStore, isClosed: () => boolean): () => Promise<void> {
  let loaded: Promise<void> | null = null;
  return () => {
    engine.startSaving();
    // What is not read yet would look like news to the engine, and absent to a write.
    loaded ??= loading.finish(store, yieldToEventLoop, isClosed);
    return loaded;
  };
}

type StoredData =
  | 'cachedAt'
  | 'history'
  | 'reach'
  | 'sentAs'
  | 'message'
  | 'search'
  | 'versions'
  | 'person'
  | 'formattedPage'
  | 'saveFormattedPage';

interface StoredFiles extends Pick<ReturnType<typeof openFiles>, 'store' | 'cache' | 'cachedAt'> {
  readonly opened: Pick<ReturnType<typeof openFiles>['opened'], 'outbox'>;
}

/** The part of a session that reads the files and not the state. Once the session is closed it finds nothing. */
export function storedData(
  { store, cache, opened: { outbox }, cachedAt }: StoredFiles,
  isClosed: () => boolean,
): Pick<Session, StoredData> {
  const searched = { store, cache, clock: { ...systemClock, pause: yieldToEventLoop }, isClosed };
  return {
    cachedAt,
    sentAs: (uuid) => (isClosed() ? null : outbox.sentAs(uuid)),
    history: (id, from, limit) => (isClosed() ? { messages: [], hasMore: false } : cache.history(id, from, limit)),
    reach: (id) => (isClosed() ? { older: 'unknown', gaps: [] } : cache.reach(id)),
    message: (conversationId, id) => (isClosed() ? null : cache.message(conversationId, id)),
    search: (query) => searchMessages(searched, query),
    versions: (conversationId, id) => (isClosed() ? [] : cache.versions(conversationId, id)),
    person: (of) => searchPerson(searched, of),
    formattedPage: (id) => (isClosed() ? '' : cache.formattedPage(id)),
    saveFormattedPage: (id, body) => (isClosed() ? undefined : cache.saveFormattedPage(id, body)),
  };
}

/** Opens the files of the account and makes a store of what is in them; what is wrong with them becomes notices. */
function openFiles(account: AccountToOpen, settings: Settings | undefined, isBrief: boolean, program: string) {
  const opened = openOutboxWithRole(account.dataDirectory, { isBrief });
  const writtenAt = cacheLastWritten(account.cacheDirectory);
  const local = loadLocal(opened, account.records);
  const troubles: string[] = [];
  let report = (text: string): void => void troubles.push(text);
  const cache = openCache(account.cacheDirectory, {
    program,
    // Without SQLite the outbox has reported it already.
    onTrouble: (error) => (error.kind === 'no-sqlite' ? undefined : report(error.message)),
  });
  const view = {
    serverLabel: account.label,
    serverHost: new URL(account.server).host,
    isUnencrypted: isUnencrypted(account.server),
    isVolatile: opened.isVolatile,
  };
  const state = initialState({ local, view, ...(settings && { settings }) });
  const loading = beginLoading(cache, restorePlaces(state));
  const store = createAppStore(loading.state);
  report = (text) => warn(store, text);
  for (const text of [...troubles, ...opened.troubles]) report(text);
  const other = opened.otherSender();
  if (other !== null && !isBrief) store.setState(readerNotice(other));
  return { opened, cache, loading, store, cachedAt: isListCached(cache, loading) ? writtenAt : null };
}

/** Where the records cannot be read there is no session to close, and nobody else could send while the role is held. */
function loadLocal({ outbox, close }: OutboxWithRole, records: AccountToOpen['records']): Local {
  try {
    if (records !== undefined) outbox.saveRecords(records);
    return outbox.load();
  } catch (error) {
    close();
    throw error;
  }
}

/** Only `--insecure-http` lets it come to this (R-TLS). */
function isUnencrypted(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** The engine replaces it when the role comes here. */
function readerNotice(other: OtherSender): Transition {
  const text = `${senderName(other)} sends for this profile; what is written here is sent by it.`;
  const at = Date.now();
  const noticed = addNotice({ tone: 'info', text, at, until: at + 10_000, about: noticeNames.sender });
  return (state) => noticed(setOtherSender(other)(state));
}

function warn(store: AppStore, text: string): void {
  store.setState(addNotice({ tone: 'warning', text, at: Date.now(), until: null, about: filesName(text) }));
}

/** The HTTP client is loaded when the first call is made, which is after the first frame. */
function createClients(account: AccountToOpen, notices: ServerNotices & Pick<Recorder, 'onRequest'>) {
  const open = new Set<Client>();
  const trustsOwner = trustedOwner(account.dataDirectory);
  const make = (token: string | LateToken): Client => {
    const client = createLazyClient(token, async (text) => {
      const { createClient } = await import('./api/client.ts');
      const { server, insecureHttp, proxy } = account;
      const settings = { baseUrl: server, token: text, insecureHttp, trustsOwner, ...notices };
      return createClient({ ...settings, ...(proxy === undefined ? {} : { proxy }) });
    });
    open.add(client);
    return client;
  };
  return {
    first: make(account.token),
    renew: make,
    close: async () => void (await Promise.all([...open].map((client) => client.close()))),
  };
}
