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
export function saveOnLeave(terminal: TerminalSession, { store, flush }: Session, { tokens }: ChatAccount): TokenSaver {
  const saver = new TokenSaver(store, tokens);
  terminal.onLeave(flush);
  terminal.onLeave(() => sayAtTheEnd(saver.leaveNow()));
  terminal.onLeave(() => sayAtTheEnd(lossAtTheEnd(store.getState())));
  return saver;
}

/** The line about what is lost; null when nothing is. */
function lossAtTheEnd(state: AppState): string | null {
  return countLostOnQuit(state) === 0 ? null : `${lostOnQuitText(state)}: it is lost.`;
}

export async function quit(terminal: TerminalSession, session: Session, saver: TokenSaver): Promise<void> {
  session.flush();
  terminal.restore.restore();
  sayAtTheEnd(await closeAccount(session, saver));
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
