/** Chooses the function that carries out an op, restores what its change removed, and names what the op writes to. */
import type { Op, OpAction } from '../../state/model/app-state.ts';
import { isAmbiguous, type Outcome, outcomeOfRepeatable, storedFailures, storedSearches } from '../op/outcome.ts';
import { aboutLoss, showNotice } from '../services/notices.ts';
import { apiError } from '../services/request.ts';
import type { Services } from '../services/services.ts';
import type { Resource } from '../services/write-tracker.ts';
import { changedMessage, opToRepair } from './safe-put/before-image.ts';
import { retrieveRepaired } from './safe-put/change-message.ts';
import { createConversation } from './send/create-conversation.ts';
import { beginAttempt, type ReadNewestPage, sendMessage } from './send/send-message.ts';
import { reactToMessage } from './update/toggle-reaction.ts';
import { deleteConversation, updateConversation } from './update/update-conversation.ts';
import { deleteMessage, editMessage, wasAsked } from './update/update-message.ts';

/**
 * Makes one attempt. Null: it could not begin, and is to be tried later. Never rejects with `ApiError`.
 *
 * @param failures how many attempts of the op have failed in this run
 */
export async function executeOp(
  context: Services,
  op: Op,
  readNewestPage: ReadNewestPage,
  failures: number,
): Promise<Outcome | null> {
  // It takes its baseline before the attempt begins, and changes no message that is there.
  if (op.action.kind === 'message.send') return dispatch(context, op, op.action, readNewestPage);
  if (beginAttempt(context, op) === null) return null;
  try {
    return await ensureRepaired(context, op, await dispatch(context, op, op.action, readNewestPage));
  } catch (error) {
    const failedBefore = Math.max(failures, storedFailures(op));
    return ensureRepaired(context, op, outcomeOfRepeatable(apiError(error), failedBefore));
  }
}

/** Restores what the change of an op may have removed from a message, before the op ends. */
async function ensureRepaired(context: Services, op: Op, outcome: Outcome | null): Promise<Outcome | null> {
  const changed = changedMessage(op);
  const isEnd = outcome?.kind === 'settled' || outcome?.kind === 'rejected';
  if (!isEnd || changed === null || opToRepair(context, changed.messageId) === null) return outcome;
  try {
    await retrieveRepaired(context, changed);
    return outcome;
  } catch (error) {
    const again = outcomeOfRepeatable(apiError(error), 0);
    if (again.kind !== 'rejected') return again;
    showNotice(
      context,
      'error',
      aboutLoss(changed.messageId),
      `What a change took from a message cannot be put back: ${again.reason}`,
    );
    return outcome;
  }
}

function dispatch(
  context: Services,
  op: Op,
  action: OpAction,
  readNewestPage: ReadNewestPage,
): Promise<Outcome | null> {
  switch (action.kind) {
    case 'message.send':
      return sendMessage(context, op.uuid, action, readNewestPage);
    case 'message.edit':
      return editMessage(context, action, wasAsked(op));
    case 'message.react':
      return reactToMessage(context, action);
    case 'message.delete':
      return deleteMessage(context, action, isAmbiguous(op.attempts));
    case 'conversation.delete':
      return deleteConversation(context, action, isAmbiguous(op.attempts));
    case 'conversation.create':
      return createConversation(context, op.uuid, action, isAmbiguous(op.attempts) ? storedSearches(op) : null);
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return updateConversation(context, action);
  }
}

/** What reads may show as it was before, while the op is under way. A new message changes nothing that is known. */
export function resourcesOf(action: OpAction): readonly Resource[] {
  switch (action.kind) {
    case 'message.send':
      return [];
    case 'message.edit':
    case 'message.react':
    case 'message.delete':
      return [`message ${action.messageId}`];
    case 'conversation.create':
      return ['list'];
    case 'conversation.delete':
      return ['list', `conversation ${action.conversationId}`];
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return [`conversation ${action.conversationId}`];
  }
}
