/** Asks whether `s/old/new/` may change the last own message of the conversation, and shows how it would. */
import type { ConversationId } from '../protocol/types.ts';
import { parseSubstitution, type Substitution, substitute } from '../state/composer/substitution.ts';
import { ownership } from '../state/local/identity.ts';
import type { AppState, Draft } from '../state/model/app-state.ts';
import { selectThreadItems, type ThreadItem } from '../state/select/selectors.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { ask } from './questions.ts';

const substitutionIn = ({ text, editing, attachments = [] }: Draft): Substitution | null =>
  editing !== null || attachments.length > 0 ? null : parseSubstitution(text);

/** Whether Enter would change the last own message and not send the text. */
export const isSubstitution = (draft: Draft): boolean => draft.text.startsWith('s/') && substitutionIn(draft) !== null;

/** Returns false for a text that is no substitution; it is a message then. */
export function askToSubstitute(context: CommandContext, conversationId: ConversationId, draft: Draft): boolean {
  const substitution = substitutionIn(draft);
  if (substitution === null) return false;
  const item = lastOwn(context.get(), conversationId);
  const reason = reasonAgainst(item, substitution.old);
  const changed = item?.kind === 'message' ? substitute(item.message.text, substitution) : null;
  if (reason !== null || item?.kind !== 'message') refuse(context, reason ?? '');
  else if (changed === null) refuse(context, `Your last message has no "${substitution.old}"`);
  else if (changed.trim() === '' && item.message.attachments.length === 0)
    refuse(context, 'Nothing would be left of your last message');
  else ask(context, 'message.substitute', { conversationId, messageId: item.id, textThen: item.message.text });
  return true;
}

const refuse = (context: CommandContext, reason: string): void =>
  notify(context, `${reason}. To send this as a message, put a space before it`, { tone: 'warning', isRefusal: true });

const lastOwn = (state: AppState, id: ConversationId): ThreadItem | undefined =>
  selectThreadItems(state, id).findLast((item) => item.kind === 'pending' || ownership(item.message, state) === 'own');

function reasonAgainst(item: ThreadItem | undefined, old: string): string | null {
  if (item === undefined) return `There is no message of yours here in which "${old}" could be changed`;
  if (item.kind !== 'message') return 'Your last message has not been sent yet: select it and edit it';
  return item.message.isTruncated === true ? 'Only the beginning of your last message is held' : null;
}
