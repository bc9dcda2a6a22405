/** Ends the chat: saves and prints what is needed when the user quits or a signal comes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from '../../session.ts';
import { countLostOnQuit, lostOnQuitText } from '../../state/local/unsent-text.ts';
import type { AppState } from '../../state/model/app-state.ts';
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

/** Saves everything when a signal comes, which leaves no time for a question. Returns the saver of new tokens. */
export function saveOnLeave(terminal: TerminalSession, { store, flush }: Session, account: ChatAccount): TokenSaver {
  const saver = new TokenSaver(store, account.tokens);
  terminal.onLeave(flush);
  terminal.onLeave(() => sayAtTheEnd(saver.leaveNow()));
  terminal.onLeave(() => sayAtTheEnd(unsentAtTheEnd(store.getState(), account)));
  return saver;
}

/** The line about what was not sent: that it is lost, or when it is sent. Null where there is nothing to say. */
function unsentAtTheEnd(state: AppState, account: ChatAccount): string | null {
  if (countLostOnQuit(state) > 0) return `${lostOnQuitText(state)}: it is lost.`;
  if (account.isTemporary === true || state.view.isVolatile === true) return null;
  const waiting = waitingText(state, '', 'the next time msg-tui is open');
  return waiting === null ? null : `${waiting}.`;
}

/**
 * What waits to be sent; null where nothing does, or where another msg-tui is open, which sends it. What is on its way or
 * unsure is not among it, as it may have arrived.
 *
 * @param where such as ` in work`
 * @param when such as `when it is opened again`
 */
export function waitingText({ local, view }: AppState, where: string, when: string): string | null {
  const { otherSender = null } = view;
  if (otherSender !== null && otherSender.isBrief !== true) return null;
  const count = local.outbox.filter(({ state }) => state === 'queued').length;
  if (count === 0) return null;
  const [what, verb] = count === 1 ? ['One change waits', 'is'] : [`${count} changes wait`, 'are'];
  return `${what}${where} and ${verb} sent ${when}`;
}

export async function quit(
  terminal: TerminalSession,
  session: Session,
  account: ChatAccount,
  saver: TokenSaver,
): Promise<void> {
  session.flush();
  terminal.restore.restore();
  sayAtTheEnd(await closeAccount(session, saver));
  sayAtTheEnd(unsentAtTheEnd(session.store.getState(), account));
  process.exit(exitCodes.ok);
}

/** Saves everything, waits a moment for answers to writes, and closes the account. @returns a text to print at the end */
export async function closeAccount(session: Session, saver: TokenSaver): Promise<string | null> {
  session.flush();
  const deadline = wait(longestCloseMs);
  const [report] = await Promise.all([saver.leave(deadline), Promise.race([underWay(session.store), deadline])]);
  await session.close();
  return report;
}

/** Waits for answers under way, which spare the next start a search in the history. */
function underWay(store: AppStore): Promise<void> {
  return until(store, (state) => !state.local.outbox.some((op) => op.state === 'sending'));
}
