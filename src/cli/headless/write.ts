/**
 * Carries out the writes of commands: puts the change into the outbox, as the chat does, and waits until it is sent or the
 * time is over.
 *
 *     queued on disk ── a chat is open ──────────────────────► the chat sends: done here (unless `wait`)
 *         │         └── another command has the role ────────► it sends, or this command does when it has ended
 *         └── nobody has the sender role: it is taken ───────► sent · refused · unsure · still queued (exit code 4)
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { isHeldBack, opByUuid } from '../../state/local/outbox.ts';
import { canResend } from '../../state/local/resend-rule.ts';
import type { AppState, Op, OpAction, OtherSender } from '../../state/model/app-state.ts';
import { lacksToken } from '../../state/model/connection.ts';
import { keepsUserText } from '../../state/model/op-state.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import { until } from '../../state/store.ts';
import { isAlive } from '../../storage/outbox/sender-lock.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Account } from './account.ts';
import { codeOfRefusal, withNewToken } from './api-exit.ts';
import { RaisedNotices } from './raised-notices.ts';
import { interruptReport, unsettledError } from './unsettled-write.ts';

/** The result of a write that was not refused. */
export interface WriteResult {
  /** The uuid of the op in the outbox, for `msg-tui outbox`; null where nothing had to be sent. */
  readonly op: string | null;
  /** `queued`: the change is on disk, and the other msg-tui sends it. */
  readonly state: 'sent' | 'queued';
  /** The message that a `message.send` became; null for every other write, and while it is queued. */
  readonly messageId: MessageId | null;
  /** The process that sends what is queued; null where it is sent. */
  readonly sender: OtherSender | null;
  /**
   * What else went wrong meanwhile, such as reactions of others that a change removed and that could not be restored; raw
   * texts.
   */
  readonly warnings: readonly string[];
}

type WithoutWarnings = Omit<WriteResult, 'warnings'>;

export interface WriteOptions {
  /** Waits for the answer also where an open chat sends the change. */
  readonly wait?: boolean;
  /** The conversation whose draft the text was taken from. */
  readonly draftOf?: ConversationId;
}

/** Rejects as `carryOut` does, and with ExitError 1 where the disk refuses the change: nothing is sent then. */
export function write(account: Account, action: OpAction, options: WriteOptions = {}): Promise<WriteResult> {
  return carryOut(
    account,
    queue(account, () => account.session.engine.enqueue(action, { draftOf: options.draftOf })),
    options,
  );
}

/** Adds to an error that came before the change was in the outbox that nothing is queued. */
export async function orNothingQueued(act: () => Promise<void> | void): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ExitError) || error.code !== exitCodes.notReached || error.details.queued !== undefined)
      throw error;
    throw new ExitError(error.code, `${error.message} (not done, and nothing is queued)`, {
      ...error.details,
      queued: false,
    });
  }
}

/**
 * Puts one change into the outbox; null where it takes back another one that had not left, so that nothing is to be sent.
 * @throws ExitError
 */
export function queue({ store }: Account, enqueue: () => boolean): string | null {
  const before = new Set(store.getState().local.outbox.map(({ uuid }) => uuid));
  if (!enqueue()) throw new ExitError(exitCodes.failure, noticeAbout(store.getState(), noticeNames.notSent));
  return store.getState().local.outbox.find(({ uuid }) => !before.has(uuid))?.uuid ?? null;
}

const noticeAbout = ({ screen }: AppState, about: string): string =>
  screen.notices.find((notice) => notice.about === about)?.text ?? 'The outbox could not be written: nothing was sent.';

const checkEveryMs = 100;

interface CarryOutOptions extends Pick<WriteOptions, 'wait'> {
  /** The op as it was in the outbox before, where another msg-tui may have carried it out meanwhile. */
  readonly known?: Op;
  /** Has an unsure message sent again, once, as soon as the history was read often and late enough without one like it. */
  readonly sendsAgain?: boolean;
}

/**
 * Waits for an op that is in the outbox, and sends it from here where nobody else does. Rejects with ExitError: 1, 3, 5
 * and 6 where it is refused, 1 where nobody knows whether it arrived, 4 when the time is over and it stays queued.
 *
 * @param uuid null: there is nothing to be sent
 */
export async function carryOut(
  account: Account,
  uuid: string | null,
  options: CarryOutOptions = {},
): Promise<WriteResult> {
  if (uuid === null) return { op: null, state: 'sent', messageId: null, sender: null, warnings: [] };
  const raised = new RaisedNotices(account.store);
  try {
    const written = await waitFor(account, uuid, options);
    return { ...written, warnings: raised.texts };
  } catch (error) {
    throw raised.addedTo(error);
  } finally {
    raised.stop();
  }
}

async function waitFor(
  account: Account,
  uuid: string,
  { wait: isWaiting = false, known, sendsAgain = false }: CarryOutOptions,
): Promise<WithoutWarnings> {
  const { session, deadline, signal } = account;
  const first = find(account, uuid) ?? known;
  let isSender = false;
  let other: OtherSender | null = null;
  let checks = 0;
  let isToRepeat = sendsAgain;
  account.onInterrupt = {
    beforeClose: () => (isSender ? answersUnderWay(account) : Promise.resolve()),
    report: () => interruptReport(account, find(account, uuid), other === null),
  };
  while (!signal.aborted) {
    session.engine.mergeOutbox();
    if (isToRepeat) isToRepeat = !sendAgain(account, uuid);
    const end = endOf(account, uuid, first, isSender);
    if (end !== null) {
      if (isSender) await drain(account);
      if (end instanceof ExitError) throw end;
      return { op: uuid, ...end };
    }
    other = isSender ? null : session.takeSenderRole();
    checks = other?.isBrief === true ? 0 : checks + 1;
    if (other !== null && !isWaiting && isChat(other, checks))
      return { op: uuid, state: 'queued', messageId: null, sender: other };
    if (deadline.isOver) throw unsettledError(account, find(account, uuid) ?? first, other === null);
    if (other === null && !isSender) {
      isSender = true;
      await session.start();
      session.engine.refreshOutbox();
      session.engine.pollNow();
    }
    await changeOrPause(account);
  }
  // The signal ends the command.
  return new Promise(() => undefined);
}

/**
 * After this number of checks in a row the holder counts as known: one that has just taken the role has not written its
 * id yet, and one that gives it back has removed it already.
 */
const checksUntilKnown = 5;

/**
 * Whether the process that has the role is a chat, and not a command that ends soon.
 *
 * @param checks since it was last known to be a command
 */
function isChat({ isBrief, pid }: OtherSender, checks: number): boolean {
  return isBrief !== true && ((pid !== null && isAlive(pid)) || checks >= checksUntilKnown);
}

/** Has an unsure message sent again where that is allowed by now. Where the history has one like it, the user decides. */
function sendAgain(account: Account, uuid: string): boolean {
  const op = find(account, uuid);
  if (op === undefined || op.hasPossibleCopy || !canResend(op, Date.now())) return false;
  account.session.engine.retry(uuid);
  return true;
}

const find = ({ store }: Account, uuid: string): Op | undefined => opByUuid(store.getState(), uuid);

/** Resolves when something has changed, after a moment, or when the time is over. */
async function changeOrPause({ store, deadline }: Account): Promise<void> {
  const { local, view } = store.getState();
  const over = new AbortController();
  const isChanged = (state: AppState): boolean =>
    state.local.outbox !== local.outbox || state.view.connection !== view.connection;
  const pause = wait(checkEveryMs, undefined, { signal: over.signal });
  const passed = deadline.passed.catch(() => undefined);
  await Promise.race([until(store, isChanged, over.signal), pause, passed]);
  pause.catch(() => undefined);
  over.abort();
}

type End = Omit<WithoutWarnings, 'op'> | ExitError;

/** The result of the op; null while it has none. */
function endOf(account: Account, uuid: string, first: Op | undefined, isSender: boolean): End | null {
  const { session, store } = account;
  const op = find(account, uuid);
  const answer = account.answers.get(uuid) ?? null;
  if (op === undefined) {
    const rejection = answer?.kind === 'rejected' ? answer : store.getState().local.refusals.get(uuid);
    if (rejection !== undefined) return refusal(rejection.reason, rejection.evidence, null);
    const messageId = session.sentAs(uuid);
    if (answer?.kind === 'settled' || messageId !== null) return { state: 'sent', messageId, sender: null };
    // Another process has carried it out. An edit that is refused stays in the outbox.
    const isDone = first !== undefined && (!keepsUserText(first) || first.action.kind === 'message.edit');
    return isDone ? { state: 'sent', messageId, sender: null } : new ExitError(exitCodes.failure, takenBackText);
  }
  if (op.state === 'failed') return refusal(op.reason, answer?.evidence ?? op.attempts.at(-1)?.evidence ?? null, op);
  const { connection } = store.getState().view;
  const { reason } = connection;
  if (!isSender || !lacksToken(connection) || op.state !== 'queued') return null;
  session.engine.giveUp(uuid, reason ?? 'The server refused the token.');
  return refusal(reason, '401', find(account, uuid) ?? null);
}

const takenBackText = 'another msg-tui has taken it out of the outbox; look at the conversation';

/** @param left the op that stays in the outbox as failed; null where it was removed */
function refusal(reason: string | null, evidence: string | null, left: Op | null): ExitError {
  const said = (reason ?? 'the server refused it').replace(/\.$/, '');
  const why = evidence === '401' ? withNewToken(said) : said;
  const kept =
    left === null
      ? 'not done, and nothing is queued'
      : `not sent; the text is kept as failed: "msg-tui outbox retry ${left.uuid.slice(0, 8)}" sends it again, "outbox discard" removes it`;
  return new ExitError(codeOfRefusal(evidence), `${why} (${kept})`);
}

/** Waits for answers to writes under way, which spares the next start a search in the history. */
const answersUnderWay = ({ store }: Account): Promise<void> => {
  const timeout = AbortSignal.timeout(longestCloseMs);
  return until(store, ({ local }) => !local.outbox.some((op) => op.state === 'sending'), timeout);
};

const longestCloseMs = 1_500;

/** Sends what other processes have queued while this one had the role, as far as it can be sent at once. */
async function drain(account: Account): Promise<void> {
  const { store, deadline, session } = account;
  const mayLeave = ({ local, view }: AppState): boolean =>
    view.connection.status === 'online' &&
    local.outbox.some((op) => op.state === 'queued' && op.reason === null && !isHeldBack(op, local.outbox));
  while (!deadline.isOver) {
    session.engine.mergeOutbox();
    if (!mayLeave(store.getState())) break;
    await changeOrPause(account);
  }
  await answersUnderWay(account);
}
