/** Tells the user that a change without a text of theirs was refused: in the process that sent it, and in every other chat. */
import { conversationOf } from '../../state/cache/conversations.ts';
import type { AppState, Op } from '../../state/model/app-state.ts';
import { noticeNames, refusalName } from '../../state/model/screen-state.ts';
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { patchView } from '../../state/view/view.ts';
import { notice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/** Shows why the change was refused. Of a creation, nothing is being started any more. */
export function refused(context: Services, op: Op, reason: string): Transition {
  const isCreate = op.action.kind === 'conversation.create';
  const text = isCreate ? `The conversation could not be started: ${reason}` : reason;
  const said = notice(context, 'error', refusalName(conversationOf(op)), text);
  if (!isCreate) return said;
  return (state) => patchView(dropNotice(noticeNames.create)(said(state)), { starting: null });
}

/** Shows the refusals that another process has met: the user may have asked for the change here. */
export function showRefusalsElsewhere(context: Services, before: AppState): void {
  const { local } = stateOf(context);
  const left = new Set(local.outbox.map(({ uuid }) => uuid));
  for (const op of before.local.outbox) {
    const refusal = left.has(op.uuid) ? undefined : local.refusals.get(op.uuid);
    if (refusal !== undefined) update(context, refused(context, op, refusal.reason));
  }
}
