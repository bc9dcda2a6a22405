/** `msg-tui wait`: ends when a message of somebody else arrives, and prints it. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/identity.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { lookUpConversation, lookUpPerson } from '../names/look-up.ts';
import { messageText } from '../output/message-text.ts';
import { jsonDocument, type Output, processOutput } from '../output/print.ts';
import { messageJson } from '../output/resources.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Following, following, watchConnection } from './follow.ts';
import { type Open, openWith } from './open.ts';

export interface WaitOptions extends AccountOptions {
  readonly from?: string;
  readonly in?: string;
  readonly match?: string;
  /** In seconds; absent: it waits until it is interrupted. */
  readonly timeout?: number;
  readonly json?: boolean;
}

/**
 * Rejects with ExitError: 1 when nothing has arrived by the timeout, 4 when the server is not reached then, 2 and 5 for
 * names, 3 when the token is refused.
 */
export function wait(
  options: WaitOptions,
  output: Output = processOutput(),
  open: Open = openWith(options),
): Promise<void> {
  const pattern = patternOf(options.match);
  const began = performance.now();
  let from: string | null = null;
  return following(
    open,
    async (account) => {
      from = options.from === undefined ? null : await otherPerson(account, options.from);
      if (options.in === undefined) return null;
      return new Set<ConversationId>([(await lookUpConversation(account, options.in)).id]);
    },
    async (follow) => {
      const isWanted = (message: Message): boolean =>
        !isOwn(message, follow.account.store.getState()) &&
        (from === null || message.contact?.id === from) &&
        (pattern === null || pattern.test(message.text));
      const leftMs = options.timeout === undefined ? null : options.timeout * 1000 - (performance.now() - began);
      print(follow.account, await arrival(follow, isWanted, leftMs), options.json === true, output);
    },
  );
}

/** Rejects with ExitError: 2 for the user, whose own messages end no wait. */
async function otherPerson(account: Account, typed: string): Promise<string> {
  const { id } = await lookUpPerson(account, typed);
  if (id === account.store.getState().local.me?.contactId)
    throw new ExitError(exitCodes.usage, `--from: "${typed}" is you, and your own messages end no wait`);
  return id;
}

/** @throws ExitError */
function patternOf(match: string | undefined): RegExp | null {
  try {
    return match === undefined ? null : new RegExp(match, 'u');
  } catch {
    throw new ExitError(exitCodes.usage, `--match: "${match}" is not a regular expression`);
  }
}

function arrival(
  { account, begin }: Following,
  isWanted: (message: Message) => boolean,
  leftMs: number | null,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      unwatch();
    };
    const fail = (error: ExitError): void => {
      end();
      reject(error);
    };
    const timer = leftMs === null ? undefined : setTimeout(() => fail(timeoutError(account)), Math.max(0, leftMs));
    const unwatch = watchConnection(account, () => undefined, fail);
    account.signal.addEventListener('abort', end);
    begin((followed) => {
      if (followed.type !== 'message' || !isWanted(followed.message)) return;
      end();
      resolve(followed.message);
    });
  });
}

function timeoutError({ store }: Account): ExitError {
  const { status, reason } = store.getState().view.connection;
  if (status === 'online') return new ExitError(exitCodes.failure, 'no message has arrived in this time');
  const why = reason === null ? '' : `: ${reason}`;
  return new ExitError(exitCodes.notReached, `no message has arrived, and the server is not reached${why}`);
}

function print({ store }: Account, message: Message, isJson: boolean, output: Output): void {
  const state = store.getState();
  if (isJson) {
    output.json(jsonDocument({ message: messageJson(state, message) }));
    return;
  }
  const { conversationId } = message;
  const name = conversationId === null ? safe`` : safe`${selectConversationName(state, conversationId)} / `;
  output.text(messageText(state, message, output.columns, name));
}
