/** The failure of a thread whose newest messages cannot be reached on this server; it stands until they come. */
import type { ConversationId } from '../../../protocol/types.ts';
import type { AppState } from '../../../state/model/app-state.ts';

export const cutOff =
  'This server lists the oldest messages first and gives no way to the rest: the newest ones cannot be shown.';

/** True while the failure stands. Reading older messages does not end it, as it does not bring the newest ones. */
export const isCutOff = (state: AppState, id: ConversationId): boolean =>
  state.view.connection.failures.get(id) === cutOff;
