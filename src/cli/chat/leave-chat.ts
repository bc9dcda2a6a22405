/** Ends the chat: saves and prints what is needed when the user quits or a signal comes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from '../../session.ts';
import { countLostOnQuit, lostOnQuitText } from '../../state/local/unsent-text.ts';
import type { AppState, Op } from '../../state/model/app-state.ts';
import { type AppStore, until } from '../../state/store.ts';
import { exitCodes } from '../process/exit.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import { sayAtTheEnd, TokenSaver } from './new-token.ts';

/** How long quitting waits for the answer to a write, and for a new token to be saved. */
const longestCloseMs = 1_500;

export function leave(terminal: TerminalSession): never {
  terminal.restore.restore();
  process.exit(exitCodes.ok);
}

/** Saves everything when a signal ends or stops the chat, which leaves no time for a question. Returns the saver of new tokens. */
export function saveOnLeave(terminal: TerminalSession, { store, flush }: Session, account: ChatAccount): TokenSaver {
  const saver = new TokenSaver(store, account.tokens);
  terminal.onLeave(flush);
  terminal.onStop(flush);
  terminal.onLeave(() => sayAtTheEnd(saver.leaveNow()));
  terminal.onLeave(() => sayWhatIsUnsent(store.getState(), account, uuidsUnderWay(store.getState())));
  return saver;
}

const nextTime = 'the next time msg-tui is open';

/** Prints that what was not sent is lost, or when it is sent, and which messages may have arrived. */
function sayWhatIsUnsent(state: AppState, account: ChatAccount, underWay: readonly string[]): void {
  const isOutboxKept = account.isTemporary !== true && state.view.isVolatile !== true;
  const waiting = isOutboxKept ? waitingText(state, '', nextTime) : null;
  const unsent = countLostOnQuit(state) > 0 ? `${lostOnQuitText(state)}: it is lost` : waiting;
  const unknown = isOutboxKept ? unknownText(state, underWay, '', nextTime) : null;
  for (const said of [unsent, unknown]) sayAtTheEnd(said === null ? null : `${said}.`);
}

/**
 * What waits to be sent; null where nothing does, or where another msg-tui is open, which sends it. A message that is being
 * sent or unsure is not among it, as it may have arrived.
 *
 * @param where such as ` in work`
 * @param when such as `when it is opened again`
 */
export function waitingText({ local, view }: AppState, where: string, when: string): string | null {
  const { otherSender = null } = view;
  if (otherSender !== null && otherSender.isBrief !== true) return null;
  const count = local.outbox.filter(
    (op) => op.state === 'queued' || (op.state === 'sending' && !isUnderWay(op)),
  ).length;
  if (count === 0) return null;
  const [what, verb] = count === 1 ? ['One change waits', 'is'] : [`${count} changes wait`, 'are'];
  return `${what}${where} and ${verb} sent ${when}`;
}

/** A message that is being sent: without its answer, nobody knows whether it has arrived. */
const isUnderWay = ({ state, action }: Op): boolean => state === 'sending' && action.kind === 'message.send';

/** The messages that this program is sending; where another one sends, it goes on. */
export const uuidsUnderWay = ({ local, view }: AppState): readonly string[] =>
  (view.otherSender ?? null) === null ? local.outbox.filter(isUnderWay).map(({ uuid }) => uuid) : [];

/**
 * Names the messages whose answer did not come before the end; null where all of them were answered.
 *
 * @param uuids of the messages that were being sent when it began
 * @param where such as ` in work`
 * @param when such as `when it is opened again`
 */
export function unknownText({ local }: AppState, uuids: readonly string[], where: string, when: string): string | null {
  const isUnknown = (op: Op): boolean => uuids.includes(op.uuid) && (op.state === 'unsure' || isUnderWay(op));
  const count = local.outbox.filter(isUnknown).length;
  if (count === 0) return null;
  const [messages, are] = count === 1 ? ['one message', 'it is'] : [`${count} messages`, 'they are'];
  return `It is not known whether ${messages}${where} arrived; ${are} looked for ${when}`;
}

export async function quit(
  terminal: TerminalSession,
  session: Session,
  account: ChatAccount,
  saver: TokenSaver,
): Promise<void> {
  session.flush();
  terminal.restore.restore();
  const underWay = uuidsUnderWay(session.store.getState());
  sayAtTheEnd(await closeAccount(session, saver));
  sayWhatIsUnsent(session.store.getState(), account, underWay);
  process.exit(exitCodes.ok);
}

/** Saves everything, waits a moment for answers to writes, and closes the account. @returns a text to print at the end */
export async function closeAccount(session: Session, saver: TokenSaver): Promise<string | null> {
  session.flush();
  const deadline = wait(longestCloseMs);
  const [report] = await Promise.all([saver.leave(deadline), Promise.race([answers(session.store), deadline])]);
  await session.close();
  return report;
}

/** Waits for answers under way, which spare the next start a search in the history. */
function answers(store: AppStore): Promise<void> {
  return until(store, (state) => !state.local.outbox.some((op) => op.state === 'sending'));
}
