/** `msg-tui pin`, `mute` and `archive`: settings of one conversation; and `msg-tui delete --conversation`. */

import { enqueueMute } from '../../commands/enqueue-change.ts';
import { duration } from '../../commands/mute.ts';
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { shownConversation } from '../../state/local/optimistic-values.ts';
import { forgetSent } from '../../state/local/sent-texts.ts';
import { countUnsent } from '../../state/local/unsent-text.ts';
import { conversationName } from '../../state/select/names.ts';
import type { Account } from '../headless/account.ts';
import { carryOut, queue, type WriteResult, write } from '../headless/write.ts';
import { confirm } from '../input/confirm.ts';
import { lookUpConversation } from '../names/look-up.ts';
import type { Output } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { DeleteOptions } from './change-message.ts';
import { lookUpMessage } from './look-up-message.ts';
import { printWritten, type WrittenOptions } from './written.ts';

export interface SwitchOptions extends WrittenOptions {
  readonly off?: boolean;
}

/** With `message`, that message is pinned in the conversation. Rejects with ExitError. */
export async function pin(
  account: Account,
  typed: string,
  options: SwitchOptions & { readonly message?: string },
  output: Output,
): Promise<void> {
  const { id: conversationId } = await lookUpConversation(account, typed);
  const isOn = options.off !== true;
  if (options.message === undefined) {
    const written = await write(account, { kind: 'conversation.pin', conversationId, value: isOn });
    printWritten(output, written, { conversation_id: conversationId }, options);
    return;
  }
  const { id } = await lookUpMessage(account, conversationId, options.message, 'all');
  const written = isOn
    ? await write(account, { kind: 'conversation.pinMessage', conversationId, messageId: id })
    : await unpinMessage(account, conversationId, id);
  printWritten(output, written, { conversation_id: conversationId }, options);
}

/** A conversation has one pinned message at most, so another one that was pinned since would be taken for this one. */
async function unpinMessage(account: Account, conversationId: ConversationId, id: MessageId): Promise<WriteResult> {
  await account.fetch((read) => read.list());
  const { cache, local } = account.store.getState();
  const conversation = cache.conversations.get(conversationId);
  const shown = conversation === undefined ? null : shownConversation(conversation, local.outbox);
  const pinned = shown?.pinnedMessageId ?? null;
  if (pinned === id) return write(account, { kind: 'conversation.pinMessage', conversationId, messageId: null });
  const why = pinned === null ? 'no message is pinned' : `another message is pinned (${pinned})`;
  return { op: null, state: 'sent', messageId: null, sender: null, warnings: [`nothing was changed: ${why}`] };
}

/** Rejects with ExitError. */
export async function archive(account: Account, typed: string, options: SwitchOptions, output: Output): Promise<void> {
  const { id: conversationId } = await lookUpConversation(account, typed);
  const at = options.off === true ? null : Date.now();
  const written = await write(account, { kind: 'conversation.archive', conversationId, at });
  printWritten(output, written, { conversation_id: conversationId }, options);
}

/** Asks first where somebody can answer. Rejects with ExitError. */
export async function removeConversation(
  account: Account,
  typed: string,
  options: DeleteOptions,
  output: Output,
): Promise<void> {
  const conversation = await lookUpConversation(account, typed);
  const { id: conversationId } = conversation;
  if (options.yes !== true) {
    const name = conversationName(account.store.getState(), conversation);
    await confirm(`Delete the conversation "${name}" and all its messages? It cannot be brought back.`);
  }
  const written = await write(account, { kind: 'conversation.delete', conversationId });
  account.store.setState(forgetSent(conversationId));
  // An open chat sends first what is queued, and says by itself what is left.
  const left = written.state === 'queued' ? 0 : countUnsent(account.store.getState(), conversationId);
  const warnings = left === 0 ? written.warnings : [...written.warnings, unsentLeft(left)];
  printWritten(output, { ...written, warnings }, { conversation_id: conversationId }, options);
}

function unsentLeft(count: number): string {
  const [texts, them] = count === 1 ? ['One unsent text is', 'it'] : [`${count} unsent texts are`, 'them'];
  return `${texts} left of the conversation; msg-tui drafts and msg-tui outbox list ${them}`;
}

export interface MuteOptions extends SwitchOptions {
  /** `8h`; the conversation is unmuted by a msg-tui that runs then, or the next one. */
  readonly for?: string;
}

/** Rejects with ExitError. */
export async function mute(
  account: Account,
  typed: string,
  options: MuteOptions,
  output: Output,
  until = untilOf(options),
): Promise<void> {
  const { id: conversationId } = await lookUpConversation(account, typed);
  const { store, session } = account;
  const context = { get: store.getState, update: store.setState, enqueue: session.engine.enqueue };
  const action = { kind: 'conversation.mute', conversationId, value: options.off !== true } as const;
  const op = queue(account, () => enqueueMute(context, action, until));
  printWritten(output, await carryOut(account, op), { conversation_id: conversationId }, options);
}

/** Returns when the mute ends; null where it lasts until it is undone. @throws ExitError 2 */
export function untilOf({ for: length, off }: MuteOptions): number | null {
  if (length === undefined) return null;
  if (off === true) throw new ExitError(exitCodes.usage, 'mute: --for and --off exclude each other');
  const ms = duration.parse(length);
  if (ms === undefined || ms === null)
    throw new ExitError(exitCodes.usage, `mute: --for: "${length}" is not a length of time; write ${duration.expects}`);
  return Number.isFinite(ms) ? Date.now() + ms : null;
}
