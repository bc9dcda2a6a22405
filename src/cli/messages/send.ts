/** `msg-tui send`: a message into a conversation, by the same outbox as from the screen. */
import type { AttachmentFields, Conversation, ConversationId } from '../../protocol/types.ts';
import { isLongMessage } from '../../state/composer/long-text.ts';
import { quoteAbove } from '../../state/composer/quote.ts';
import { readAttachment } from '../../state/composer/read-attachment.ts';
import { publicName } from '../../state/select/quoted.ts';
import { safe } from '../../text/safe-text.ts';
import { type Account, withAccount } from '../headless/account.ts';
import type { AccountOptions, TimeoutOptions } from '../headless/account-options.ts';
import { orNothingQueued, type WriteOptions, write } from '../headless/write.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { type Output, processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { lookUpMessage } from './look-up-message.ts';
import { readText } from './text-input.ts';
import { printWritten, type WrittenOptions } from './written.ts';

export interface SendOptions extends AccountOptions, TimeoutOptions, WrittenOptions {
  readonly file?: string;
  readonly attach?: readonly string[];
  readonly reply?: string;
  readonly wait?: boolean;
}

/** Rejects with ExitError. */
export async function send(typed: string, text: string | undefined, options: SendOptions): Promise<void> {
  const content = await contentOf(text, options);
  await orNothingQueued(() =>
    withAccount(options, (account) => sendContent(account, typed, content, options, processOutput())),
  );
}

export interface Content {
  readonly text: string;
  readonly attachments: readonly AttachmentFields[];
}

/** Everything that needs no account is checked first. Rejects with ExitError 2. */
export async function contentOf(
  typed: string | undefined,
  { file, attach = [] }: Pick<SendOptions, 'file' | 'attach'>,
  command = 'send',
): Promise<Content> {
  const attachments = attach.map(attachmentOf);
  const text = (await readText({ text: typed, file }, command)) ?? '';
  if (text.trim() !== '') return { text, attachments };
  if (attachments.length > 0) return { text: '', attachments };
  const isGiven = typed !== undefined || file !== undefined;
  const advice = `give it as an argument, ${command === 'send' ? 'by --file FILE, ' : ''}or by - for stdin`;
  throw new ExitError(exitCodes.usage, `${command}: ${isGiven ? 'the text is empty' : 'there is no text'}; ${advice}`);
}

/** @throws ExitError 2 */
function attachmentOf(typed: string): AttachmentFields {
  const read = readAttachment(typed);
  if ('problem' in read) throw new ExitError(exitCodes.usage, `send: --attach: ${read.problem}`);
  return read.fields;
}

/** Rejects with ExitError. */
export async function sendContent(
  account: Account,
  typed: string,
  content: Content,
  { reply, ...options }: Pick<SendOptions, 'reply' | 'wait' | 'json'>,
  output: Output,
): Promise<void> {
  const conversation = await lookUpConversation(account, typed);
  const text = reply === undefined ? content.text : await quoting(account, conversation.id, reply, content.text);
  await sendTo(account, conversation, { ...content, text }, options, output);
}

/** Rejects with ExitError. */
export async function sendTo(
  account: Account,
  { id }: Pick<Conversation, 'id'>,
  { text, attachments }: Content,
  options: WriteOptions & WrittenOptions,
  output: Output,
): Promise<void> {
  remarkOnLength(text, options, output);
  const files = attachments.length === 0 ? {} : { attachments };
  const written = await write(account, { kind: 'message.send', conversationId: id, text, ...files }, options);
  printWritten(output, written, { conversation_id: id, message_id: null }, options);
}

/** With --json, stderr has nothing but the document of an error. */
export function remarkOnLength(text: string, { json }: WrittenOptions, output: Output): void {
  if (json !== true && isLongMessage(text))
    output.remark(safe`a long message (${text.length} characters): the server may refuse it`);
}

async function quoting(account: Account, id: ConversationId, reply: string, text: string): Promise<string> {
  const message = await lookUpMessage(account, id, reply, 'others');
  return quoteAbove(publicName(account.store.getState(), message), message.text, text);
}
