/** `msg-tui edit`, `react` and `delete`: changes of one message. */
import { mayTakeFromOthers } from '../../commands/react.ts';
import { isSendableReactionName } from '../../protocol/fields.ts';
import { areAllNamed } from '../../protocol/reactions.ts';
import type { ConversationId, Message } from '../../protocol/types.ts';
import { conversationOf } from '../../state/cache/conversations.ts';
import { ownership, ownReactionIds } from '../../state/local/identity.ts';
import { forgetSent } from '../../state/local/sent-texts.ts';
import { sameReaction } from '../../state/search/picker-choices.ts';
import { cutMessageText, reactionChips, unnamedReactorsText } from '../../state/select/reactions.ts';
import { glyphOf, nameOfGlyph } from '../../text/emoji/emoji.ts';
import type { Account } from '../headless/account.ts';
import { write } from '../headless/write.ts';
import { confirmDeletion } from '../input/confirm.ts';
import { lookUpConversation } from '../names/look-up.ts';
import type { Whose } from '../names/messages.ts';
import type { Output } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { lookUpMessage } from './look-up-message.ts';
import { printWritten, type WrittenOptions } from './written.ts';

/** The words of the command line that name a message. */
export interface Named {
  readonly conversation: string;
  readonly message: string;
}

interface Chosen {
  readonly conversationId: string;
  readonly message: Message;
}

/** As `lookUpMessage`. A deletion has to be sure which message is the last one. */
async function choose(
  account: Account,
  { conversation, message }: Named,
  whose: Whose,
  options: { readonly isCacheEnough: boolean },
): Promise<Chosen> {
  const { id } = await lookUpConversation(account, conversation);
  if (message === 'last' && whose === 'own') requireAllSent(account, id);
  return { conversationId: id, message: await lookUpMessage(account, id, message, whose, options) };
}

/**
 * The last own message is not known while one is on its way: "last" would mean the one before.
 * @throws ExitError 1
 */
function requireAllSent({ store }: Account, id: ConversationId): void {
  const { outbox } = store.getState().local;
  const waiting = outbox.findLast(
    (op) => op.action.kind === 'message.send' && conversationOf(op) === id && op.state !== 'failed',
  );
  if (waiting === undefined) return;
  const uuid = waiting.uuid.slice(0, 8);
  const remedy = waiting.state === 'queued' ? `; msg-tui outbox edit ${uuid} and outbox discard ${uuid} change it` : '';
  const text = `"last" is not clear: a newer message of yours is not known to have arrived yet (${uuid} in msg-tui outbox)`;
  throw new ExitError(exitCodes.failure, `${text}${remedy}`);
}

const about = ({ conversationId, message }: Chosen) => ({ conversation_id: conversationId, message_id: message.id });

/** Rejects with ExitError. */
export async function edit(
  account: Account,
  named: Named,
  text: string,
  options: WrittenOptions,
  output: Output,
): Promise<void> {
  const chosen = await choose(account, named, 'own', { isCacheEnough: true });
  const { conversationId, message } = chosen;
  requireOwn(account, message, 'edited');
  if (message.isTruncated) throw new ExitError(exitCodes.failure, 'the message is too long to be kept whole here');
  // An edit to the cached text is sent as well: the message may have another text on the server.
  const base = message.text;
  const written = await write(account, { kind: 'message.edit', conversationId, messageId: message.id, base, text });
  printWritten(output, written, about(chosen), options);
}

export interface DeleteOptions extends WrittenOptions {
  /** Deletes without a question. */
  readonly yes?: boolean;
}

/** Asks first where somebody can answer. Rejects with ExitError. */
export async function remove(account: Account, named: Named, options: DeleteOptions, output: Output): Promise<void> {
  const chosen = await choose(account, named, 'own', { isCacheEnough: false });
  const { conversationId, message } = chosen;
  requireOwn(account, message, 'deleted');
  if (options.yes !== true) await confirmDeletion(message.text);
  const written = await write(account, { kind: 'message.delete', conversationId, messageId: message.id });
  account.store.setState(forgetSent(conversationId, message.text));
  printWritten(output, written, about(chosen), options);
}

/** @throws ExitError 6 */
function requireOwn({ store }: Account, message: Message, done: string): void {
  if (ownership(message, store.getState()) === 'other')
    throw new ExitError(exitCodes.forbidden, `only your own messages can be ${done}`);
}

export interface ReactOptions extends WrittenOptions {
  readonly remove?: boolean;
  /** The user agrees that reactions or files of others may be lost. */
  readonly yes?: boolean;
}

/** Rejects with ExitError. */
export async function react(
  account: Account,
  named: Named,
  typed: string,
  options: ReactOptions,
  output: Output,
): Promise<void> {
  const wanted = readReactionName(typed);
  const chosen = await choose(account, named, 'others', { isCacheEnough: true });
  const { conversationId, message } = chosen;
  const state = account.store.getState();
  const chips = reactionChips(message, ownReactionIds(state, conversationId));
  const chip = chips.find(({ name }) => sameReaction(name, wanted));
  if (message.isCut === true) throw new ExitError(exitCodes.failure, cutMessageText);
  if (!areAllNamed(message.reactions)) throw new ExitError(exitCodes.failure, unnamedReactorsText);
  const item = { reactions: chips, isOwn: ownership(message, state) === 'own', message };
  const confirmed = options.yes === true;
  if (!confirmed && mayTakeFromOthers(state, item)) throw new ExitError(exitCodes.failure, riskText);
  const name = chip?.name ?? wanted;
  const present = options.remove !== true;
  const action = { kind: 'message.react', conversationId, messageId: message.id, name, present, confirmed } as const;
  printWritten(output, await write(account, action), { ...about(chosen), reaction: name }, options);
}

const riskText =
  'it is not known yet whether this server keeps the texts, files and reactions of others; to react anyway, add --yes (what is lost is restored if the server allows it)';

/** `:heart:`, `heart` and the emoji itself are one reaction, which has a name. @throws ExitError 2 */
export function readReactionName(typed: string): string {
  const bare = typed.trim().replace(/^:(.+):$/, '$1');
  const name = glyphOf(bare) === null ? bare : (nameOfGlyph(bare) ?? bare);
  if (isSendableReactionName(name)) return name;
  throw new ExitError(exitCodes.usage, `react: "${typed}" is not a reaction; give an emoji or its name, such as heart`);
}
