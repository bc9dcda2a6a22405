/** A thread whose newest messages this server gives no way to: it stands as the thread's failure until they come. */
import type { ConversationId } from '../../../protocol/types.ts';
import type { AppState } from '../../../state/model/app-state.ts';

export const cutOff =
  'This server lists the oldest messages first and gives no way to the rest: the newest ones cannot be shown.';

/** Success with older messages does not bring the newest ones. */
export const isCutOff = (state: AppState, id: ConversationId): boolean =>
  state.view.connection.failures.get(id) === cutOff;
