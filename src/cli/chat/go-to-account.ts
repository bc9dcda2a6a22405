/**
 * Goes from one account to another in the same program and on the same screen. The one that the user leaves sends nothing
 * meanwhile, and a notice says so.
 */
import { notify } from '../../commands/notify.ts';
import type { AppStore } from '../../state/store.ts';
import { popOverlay, topOverlay } from '../../state/view/overlays.ts';
import { messageOf } from '../process/exit.ts';
import type { Teardown } from '../process/teardown.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import type { ChatContext } from './chat-context.ts';
import { aboutConfiguration, type Opened, openAccount, type Start, settingsNoticeMs } from './chat-start.ts';
import { unknownText, uuidsUnderWay, waitingText } from './leave-chat.ts';

/** What ends when the user goes to another account: `first` at once, `last` when the other chat draws. */
export interface ChatEnds {
  readonly first: Teardown;
  readonly last: Teardown;
}

export interface OpenChat extends ChatContext {
  readonly store: AppStore;
  readonly ends: ChatEnds;
  readonly painter: { paint(): void };
}

export interface LeftChat {
  /** Removes the panes of the chat that is left from the screen. */
  readonly clear: () => void;
  /** The notices about the account that is left, one line each. */
  readonly notices: readonly string[];
}

type Open = (start: Start, account: ChatAccount, opened: Opened, before: LeftChat) => Promise<void>;

/**
 * Opens the files of the other account first, so that this one stays open where they cannot be opened. The screen keeps its
 * last frame until the other chat draws. What the user types in between is dropped, as it may be meant for either.
 */
export async function goToAccount(start: Start, chat: OpenChat, name: string, open: Open): Promise<void> {
  const { context, store, ends, painter } = chat;
  let next: { readonly start: Start; readonly account: ChatAccount; readonly opened: Opened };
  try {
    if (start.accounts === null) return;
    const { account, environment } = await start.accounts.find(name);
    const { settings, view, screen } = store.getState();
    if (chat.isLeaving()) return;
    const shown = { ...(view.accounts ?? start.accounts.shown), current: name };
    const problem = screen.notices.find(({ about }) => about === aboutConfiguration)?.text ?? null;
    const chosen = { settings, problem };
    const nextStart = { ...start, environment, chosen, accounts: { ...start.accounts, shown } };
    next = { start: nextStart, account, opened: openAccount(nextStart, account) };
  } catch (error) {
    notify(context, messageOf(error), { tone: 'warning', about: 'account', forMs: settingsNoticeMs });
    return;
  }
  start.terminal.input.attach((event) => void (event.type === 'reply' && start.terminal.learn(event)));
  while (topOverlay(store.getState()) !== null) store.setState(popOverlay);
  notify(context, `Opening ${name} …`, { about: 'account' });
  painter.paint();
  ends.first.run();
  const notices = await close(chat);
  await open(next.start, next.account, next.opened, { clear: () => ends.last.run(), notices });
}

/** Returns what is to be said about the account that is left. */
async function close({ store, close }: OpenChat): Promise<readonly string[]> {
  const { serverLabel } = store.getState().view;
  const where = ` in ${serverLabel}`;
  const when = 'when it is opened again';
  const underWay = uuidsUnderWay(store.getState());
  const problem = await close();
  const left = store.getState();
  const said = [problem, waitingText(left, where, when), unknownText(left, underWay, where, when)];
  return said.filter((text) => text !== null);
}
