/** What the parts of the engine share: the ports, the gate to the server, and how errors become what the user sees. */
import { ApiError } from '../../api/errors.ts';
import type { Client, RequestOptions } from '../../api/operations.ts';
import { type CapabilityName, type CapabilityValues, observe } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId, Millis } from '../../protocol/types.ts';
import { setCapabilities } from '../../state/local/capabilities.ts';
import type { AppState, Notice, OtherSender } from '../../state/model/app-state.ts';
import { ImpossibleOpEvent } from '../../state/model/op-state.ts';
import type { AppStore, Transition } from '../../state/store.ts';
import { addNotice, endPause } from '../../state/view/connection.ts';
import type { Paging } from './paging.ts';
import type { CacheDisk, Clock, OutboxDisk } from './ports.ts';
import type { CircuitBreaker, Purpose } from './request-gate.ts';
import type { WriteTracker } from './write-tracker.ts';

export type ResendRule = 'ask' | 'auto-after-check';

export interface EngineSettings {
  /** Opening a conversation may retrieve it, which lets some servers mark its messages as read. */
  readonly revealReading: boolean;
  /** A message waits this long before it leaves, and can be taken back so long. Default 0. */
  readonly undoSendMs?: number;
  /** What becomes of a message after a 500 or 503 that the history does not show (R-SEND-1). Default `ask`. */
  readonly resend?: ResendRule;
  /** This process begins with the sender role (R-LOCK); without it nothing is sent. Default true. */
  readonly isSender?: boolean;
}

export interface EnginePorts {
  readonly client: Client;
  /** Default: `api/paging`. */
  readonly paging?: Paging;
  readonly store: AppStore;
  readonly outbox: OutboxDisk;
  readonly cache: CacheDisk;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newUuid: () => string;
  readonly settings: EngineSettings;
  /** Told of a conversation that an op of this run created or found. */
  readonly onCreated?: (id: ConversationId) => void;
  /** Asked at every poll without the sender role: true once this process holds it, and then the outbox judges anew. */
  readonly takeSenderRole?: () => boolean;
  /** Who has the role, as far as the last asking for it told; null: this process. */
  readonly otherSender?: () => OtherSender | null;
  /** Told of an error that is none of the API's: a bug, which is to end the program. Default: thrown as uncaught. */
  readonly onBug?: (error: unknown) => void;
}

export interface Services extends Omit<EnginePorts, 'client' | 'paging'> {
  readonly paging: Paging;
  /** The client of now: `replaceClient` changes it. */
  client(): Client;
  readonly signal: AbortSignal;
  readonly gate: CircuitBreaker;
  readonly writes: WriteTracker;
  /** Own messages that answers to sends have shown and no page yet, and when, on the monotonic clock. */
  readonly unlistedSends: Map<MessageId, Millis>;
  /** When conversations were created in this run, on the monotonic clock: lists may not show them yet. */
  readonly created: Map<ConversationId, Millis>;
  /** Messages of others that turned up before where reading stands (`merge/backdated-messages`). */
  readonly backdated: Map<ConversationId, ReadonlySet<MessageId>>;
  isSender(): boolean;
  /** Takes over what other processes have written to the outbox. */
  reload(): void;
  /** Something changed that may be worth acting upon. */
  wake(): void;
  /** New data or a user's act: poll fast for a while. */
  noteActivity(): void;
  /** Since the user did anything, in milliseconds. */
  quietForMs(): number;
}

export const requestOptions = (context: Services): RequestOptions => ({ signal: context.signal });

export const stateOf = ({ store }: Pick<Services, 'store'>): AppState => store.getState();

export const update = ({ store }: Pick<Services, 'store'>, transition: Transition): void => store.setState(transition);

const passingMs = 8_000;

export function notify(
  context: Pick<Services, 'store' | 'clock'>,
  tone: Notice['tone'],
  about: string,
  text: string,
): void {
  update(context, notice(context, tone, about, text));
}

/** Errors and what asks for a decision stay until resolved or dismissed; the rest goes by itself. */
export function notice(
  context: Pick<Services, 'clock'>,
  tone: Notice['tone'],
  about: string,
  text: string,
  { isLasting = tone === 'error' }: { readonly isLasting?: boolean } = {},
): Transition {
  const at = context.clock.now();
  return addNotice({ tone, about, text, at, until: isLasting ? null : at + passingMs });
}

/** Remembers what was observed of the server, in the state and on disk. */
export function learnCapability<K extends CapabilityName>(
  context: Services,
  name: K,
  value: CapabilityValues[K],
  from: string,
): void {
  const { capabilities } = stateOf(context).local;
  update(context, setCapabilities(observe(capabilities, name, value, context.clock.now(), from)));
}

/**
 * Runs one exchange through the gate's books. What was begun before a pause leaves nothing more in it. Rejects with
 * ApiError; anything else is a bug and passes through.
 */
export async function request<T>(context: Services, exchange: () => Promise<T>, purpose: Purpose = 'poll'): Promise<T> {
  const { gate } = context;
  const held = gate.blockedBy();
  if (held !== null) throw held;
  const books = gate.attempt(purpose);
  let answer: T;
  try {
    answer = await exchange();
  } catch (error) {
    books.fail(error instanceof ApiError ? error : aborted(error));
    throw error;
  }
  books.succeed();
  // What another account's token shows must not get among what is here. A write that was taken is settled all the same.
  const barred = purpose === 'poll' ? gate.barredBy() : null;
  if (barred !== null) throw barred;
  if (gate.pausedUntil() === null) update(context, endPause);
  return answer;
}

/** A bug closes the books like an abort does: the program is about to end with it. */
const aborted = (error: unknown): ApiError =>
  new ApiError({
    kind: 'aborted',
    status: 0,
    outcome: 'ambiguous',
    message: String(error),
    requestId: null,
    retryAfterMs: null,
    code: null,
  });

/** The error of a call; anything else is a bug and is thrown on. */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

const aboutOneThing: ReadonlySet<ApiError['kind']> = new Set([
  'forbidden',
  'invalid',
  'too-large',
  'server',
  'not-api',
]);

/** The server has answered, and would not show this one thing: nothing follows for any other. A bug is thrown on. */
export const isNotShown = (error: unknown): boolean => aboutOneThing.has(apiError(error).kind);

/**
 * True when the disk took it; else a notice says what follows from that. What another process has settled or taken back
 * meanwhile needs no notice: its state is taken over. `ImpossibleOpEvent` is a mistake of this program and is thrown on.
 */
export function writeToDisk(
  context: Pick<Services, 'store' | 'clock' | 'reload'>,
  about: string,
  consequence: string,
  write: () => void,
): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as { readonly kind?: unknown }).kind === 'gone') {
      context.reload();
      return false;
    }
    const mistake = error instanceof Error ? (error.cause ?? error) : error;
    if (mistake instanceof ImpossibleOpEvent) throw mistake;
    const cause = error instanceof Error ? error.message : String(error);
    notify(context, 'error', about, `${consequence} ${cause}`);
    return false;
  }
}

export const keyOf = (message: Message): { createdAt: number | null; rank: number; id: MessageId } => ({
  createdAt: message.createdAt,
  rank: message.rank,
  id: message.id,
});
