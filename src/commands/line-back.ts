/** Brings the line of a slash command back whose value was refused, so that it can be corrected. */
import type { ConversationId } from '../protocol/types.ts';
import { holdsNothing, setText } from '../state/composer/draft.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import type { CommandContext } from './context.ts';

/** Does nothing where something else has been typed in the composer since. */
export const bringLineBack = (context: CommandContext, id: ConversationId, line: string): void =>
  context.update(updateDraft(id, (draft) => (holdsNothing(draft) ? setText(draft, line) : draft)));
