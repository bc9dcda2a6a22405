/** Runs the commands that change something on the account that their options name. */

import { type Account, withAccount } from '../headless/account.ts';
import type { AccountOptions, TimeoutOptions } from '../headless/account-options.ts';
import { orNothingQueued } from '../headless/write.ts';
import { type Output, processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import {
  archive,
  type MuteOptions,
  mute,
  pin,
  removeConversation,
  type SwitchOptions,
  untilOf,
} from './change-conversation.ts';
import {
  type DeleteOptions,
  edit,
  type Named,
  type ReactOptions,
  react,
  readReactionName,
  remove,
} from './change-message.ts';
import { clearDraft, listDrafts, setDraft, showDraft } from './drafts.ts';
import { type NewOptions, startConversation } from './new.ts';
import { discardOp, editOp, listOutbox, retryOp } from './outbox.ts';
import { contentOf } from './send.ts';
import { readText } from './text-input.ts';
import type { WrittenOptions } from './written.ts';

type Common = AccountOptions & Partial<TimeoutOptions> & WrittenOptions;

const run = (options: Common, act: (account: Account, output: Output) => Promise<void> | void): Promise<void> =>
  orNothingQueued(() => withAccount(options, async (account) => act(account, processOutput())));

/** Rejects with ExitError 2 for an empty text. */
async function textOf(command: string, text: string | undefined, file?: string): Promise<string> {
  const read = await readText({ text, file }, command);
  if (read !== null && read.trim() !== '') return read;
  const problem = read === null ? 'there is no text' : 'the text is empty';
  throw new ExitError(exitCodes.usage, `${command}: ${problem}; give it as an argument, or by - for stdin`);
}

export async function runEdit(named: Named, typed: string, options: Common): Promise<void> {
  const text = await textOf('edit', typed);
  await run(options, (account, output) => edit(account, named, text, options, output));
}

export async function runReact(named: Named, emoji: string, options: Common & ReactOptions): Promise<void> {
  // A word that is not a reaction is wrong usage, whatever becomes of the account.
  readReactionName(emoji);
  await run(options, (account, output) => react(account, named, emoji, options, output));
}

/** Rejects with ExitError 2 where it is not clear whether a message or the conversation is meant. */
export async function runDelete(
  conversation: string,
  message: string | undefined,
  options: Common & DeleteOptions & { readonly conversation?: boolean },
): Promise<void> {
  const isWhole = options.conversation === true;
  if (isWhole === (message !== undefined))
    throw new ExitError(
      exitCodes.usage,
      'delete: name one message, or give --conversation for all of the conversation',
    );
  await run(options, (account, output) =>
    message === undefined
      ? removeConversation(account, conversation, options, output)
      : remove(account, { conversation, message }, options, output),
  );
}

export async function runNew(partner: string, typed: string | undefined, options: Common & NewOptions): Promise<void> {
  const content = typed === undefined ? null : await contentOf(typed, {}, 'new');
  await run(options, (account, output) => startConversation(account, partner, content, options, output));
}

export const runPin = (typed: string, options: Common & SwitchOptions): Promise<void> =>
  run(options, (account, output) => pin(account, typed, options, output));

export async function runMute(typed: string, options: Common & MuteOptions): Promise<void> {
  const until = untilOf(options);
  await run(options, (account, output) => mute(account, typed, options, output, until));
}

export const runArchive = (typed: string, options: Common & SwitchOptions): Promise<void> =>
  run(options, (account, output) => archive(account, typed, options, output));

export const runDraftList = (options: Common): Promise<void> =>
  run(options, (account, output) => listDrafts(account, options, output));

export const runDraftShow = (typed: string, options: Common): Promise<void> =>
  run(options, (account, output) => showDraft(account, typed, options, output));

export async function runDraftSet(
  typed: string,
  text: string | undefined,
  options: Common & { readonly file?: string },
): Promise<void> {
  const words = await textOf('drafts set', text, options.file);
  await run(options, (account) => setDraft(account, typed, words));
}

export const runDraftClear = (typed: string, options: Common): Promise<void> =>
  run(options, (account, output) => clearDraft(account, typed, output));

export const runOutboxList = (options: Common): Promise<void> =>
  run(options, (account, output) => listOutbox(account, options, output));

export const runOutboxRetry = (op: string | undefined, options: Common): Promise<void> =>
  run(options, (account, output) => retryOp(account, op, options, output));

export const runOutboxDiscard = (op: string, options: Common): Promise<void> =>
  run(options, (account, output) => discardOp(account, op, options, output));

export async function runOutboxEdit(op: string, typed: string, options: Common): Promise<void> {
  const text = await textOf('outbox edit', typed);
  await run(options, (account, output) => editOp(account, op, text, options, output));
}
