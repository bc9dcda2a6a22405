/** Writes changes into the outbox; a mute together with the time at which it ends. */
import type { Millis } from '../protocol/types.ts';
import { setMutedUntil } from '../state/local/muting.ts';
import type { OpAction } from '../state/model/app-state.ts';
import type { CommandContext } from './context.ts';

type Context = Pick<CommandContext, 'get' | 'update' | 'enqueue'>;

/**
 * Writes the time at which a mute ends to disk before the mute: a program that is killed in between has not muted for
 * good. Returns false when the disk refused.
 */
export function enqueueMute(
  context: Context,
  action: Extract<OpAction, { kind: 'conversation.mute' }>,
  until: Millis | null,
): boolean {
  const { conversationId } = action;
  const before = context.get().local.mutedUntil.get(conversationId) ?? null;
  if (until !== null) context.update(setMutedUntil(conversationId, until));
  const isDone = context.enqueue(action);
  context.update(setMutedUntil(conversationId, isDone ? until : before));
  return isDone;
}

/** @param mutedUntil when the mute ends, for a change of the mute; null: not by itself */
export const enqueueChange = (context: Context, action: OpAction, mutedUntil: Millis | null): boolean =>
  action.kind === 'conversation.mute' ? enqueueMute(context, action, mutedUntil) : context.enqueue(action);
