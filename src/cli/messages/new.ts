/** `msg-tui new`: starts a conversation with a contact or a group, and finds the one that is there already. */
import type { Conversation } from '../../protocol/types.ts';
import { idOfKey, textKey } from '../../state/local/own-names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import { write } from '../headless/write.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { foldedName, isPrefixOf } from '../names/match.ts';
import { requirePerson } from '../names/one-or-error.ts';
import { matchPerson } from '../names/people.ts';
import { jsonDocument, type Output } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Content, remarkOnLength, sendTo } from './send.ts';
import { printWritten, type WrittenOptions } from './written.ts';

export interface NewOptions extends WrittenOptions {
  /** Whether the word is the id of a group. */
  readonly group?: boolean;
}

interface Partner {
  readonly contactId: string | null;
  readonly groupId: string | null;
}

/** @param content the first message; null for none. Rejects with ExitError. */
export async function startConversation(
  account: Account,
  typed: string,
  content: Content | null,
  options: NewOptions,
  output: Output,
): Promise<void> {
  const there = await existing(account, typed, options);
  const partner = there ?? partnerOf(account, typed, options);
  if (content !== null) return sendFirst(account, there, partner, content, options, output);
  if (there === null) {
    const written = await write(account, { kind: 'conversation.create', ...partner }).catch(withAdvice(partner));
    if (heldWith(account, partner) === null && written.state === 'sent') await account.fetch((read) => read.list());
  }
  const id = (there ?? heldWith(account, partner))?.id ?? null;
  if (options.json === true) {
    const state = id === null ? 'queued' : there === null ? 'created' : 'existing';
    output.json(jsonDocument({ state, conversation_id: id }));
  } else if (id === null) output.remark(literal('queued; the msg-tui that is open starts the conversation'));
  else output.text(`${sanitizeLine(id)}\n`);
}

/** The text is stored with the creation: it needs the id of the conversation, which the server may give it much later. */
async function sendFirst(
  account: Account,
  there: Conversation | null,
  { contactId, groupId }: Partner,
  { text, attachments }: Content,
  options: NewOptions,
  output: Output,
): Promise<void> {
  const held = there ?? heldWith(account, { contactId, groupId });
  if (held !== null) return sendTo(account, held, { text, attachments }, options, output);
  remarkOnLength(text, options, output);
  const first = { text, ...(attachments.length === 0 ? {} : { attachments }) };
  const action = { kind: 'conversation.create', contactId, groupId, first } as const;
  const written = await write(account, action).catch(withAdvice({ contactId, groupId }));
  const id = heldWith(account, { contactId, groupId })?.id ?? null;
  printWritten(output, written, { conversation_id: id, message_id: null }, options);
}

/** The conversation that has this name; null where there is none, or the server could not be asked. */
async function existing(account: Account, typed: string, { group }: NewOptions): Promise<Conversation | null> {
  try {
    if (group === true) return await withGroup(account, typed);
    const found = await lookUpConversation(account, typed);
    // Where only the beginning of an id was found, the typed text may be the whole id of a contact without a conversation.
    return isAbbreviated(typed, found.id) || isAbbreviated(typed, found.groupId ?? '') ? null : found;
  } catch (error) {
    const mayBeNew =
      error instanceof ExitError && (error.code === exitCodes.notFound || error.code === exitCodes.notReached);
    if (!mayBeNew) throw error;
    return null;
  }
}

const isAbbreviated = (typed: string, id: string): boolean => typed !== id && isPrefixOf(typed, id);

/** The beginning of an id is not enough here: it may be the whole id of another group. */
async function withGroup(account: Account, typed: string): Promise<Conversation | null> {
  const partner = { contactId: null, groupId: groupIdOf(account, typed) };
  const held = heldWith(account, partner);
  if (held !== null) return held;
  await account.fetch((read) => read.list());
  return heldWith(account, partner);
}

/**
 * The partner that a word names: a group with `#` or `--group`, else somebody who is known, else the contact with this id.
 * @throws ExitError
 */
function partnerOf(account: Account, typed: string, { group }: NewOptions): Partner {
  const state = account.store.getState();
  if (group === true || typed.startsWith('#')) return { contactId: null, groupId: groupIdOf(account, typed) };
  const person = matchPerson(state, typed);
  if (person.kind === 'one') return { contactId: person.item.id, groupId: null };
  // An ambiguous name lists what it may mean.
  if (person.kind === 'several') requirePerson(state, typed);
  // An unknown @username cannot be an id.
  if (typed.startsWith('@'))
    throw new ExitError(exitCodes.notFound, `nobody named "${typed}" has written here; ${advice}`);
  return { contactId: typed, groupId: null };
}

const advice = 'a first conversation needs the id of the contact, or the id of the group and --group';

/** Adds to the error about a contact, which asks for an id already, that the id may be that of a group. */
const withAdvice =
  ({ groupId }: Partner) =>
  (error: unknown): never => {
    if (!(error instanceof ExitError) || error.code !== exitCodes.notFound || groupId !== null) throw error;
    throw new ExitError(error.code, `${error.message}; for a group, give its id and --group`, error.details);
  };

/** @param typed the user's own name for a group, or its id. A contact may have the same name. @throws ExitError 2 */
function groupIdOf({ store }: Account, typed: string): string {
  const word = typed.replace(/^#/, '');
  if (word === '') throw new ExitError(exitCodes.usage, 'new: give the id of the group');
  const named = [...store.getState().local.names].find(
    ([key, name]) => key !== textKey('contact', idOfKey(key)) && foldedName(name) === foldedName(word),
  );
  return named === undefined ? word : idOfKey(named[0]);
}

const heldWith = ({ store }: Account, { contactId, groupId }: Partner): Conversation | null =>
  [...store.getState().cache.conversations.values()].find((one) =>
    contactId === null ? one.groupId !== null && one.groupId === groupId : one.contactId === contactId,
  ) ?? null;
