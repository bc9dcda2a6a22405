/** Writes what becomes of the outbox and of the connection into the debug log. */
import type { AppState, Op } from '../../state/model/app-state.ts';
import type { AppStore } from '../../state/store.ts';
import { debug, isDebugging, loggableEvidence } from './debug-log.ts';

/** Does nothing unless the debug log is open. */
export function debugState({ getState, subscribe }: AppStore): void {
  if (!isDebugging()) return;
  let before = getState();
  for (const op of before.local.outbox) debug('op', { ...factsOf(op), found: true });
  subscribe((state) => {
    compare(before, state);
    before = state;
  });
}

function compare(before: AppState, { local, view }: AppState): void {
  const { status } = view.connection;
  if (status !== before.view.connection.status) debug('connection', { status });
  if (view.otherSender !== before.view.otherSender)
    debug('sender', { other: view.otherSender === null ? null : (view.otherSender?.pid ?? 'unknown') });
  if (local.outbox === before.local.outbox) return;
  const earlier = new Map(before.local.outbox.map((op) => [op.uuid, op]));
  for (const op of local.outbox) {
    const held = earlier.get(op.uuid);
    earlier.delete(op.uuid);
    if (held?.state !== op.state || held.attempts.length !== op.attempts.length || held.scans !== op.scans)
      debug('op', { ...factsOf(op), before: held?.state ?? null });
  }
  for (const { uuid, action, state } of earlier.values())
    debug('op', { uuid, kind: action.kind, state: 'gone', before: state });
}

function factsOf({ uuid, seq, action, state, attempts, scans }: Op) {
  const last = attempts.at(-1);
  const conversation = 'conversationId' in action ? { conversation_id: action.conversationId } : {};
  const message = 'messageId' in action ? { message_id: action.messageId } : {};
  const outcome = last === undefined ? {} : { outcome: last.outcome, evidence: loggableEvidence(last.evidence) };
  return {
    uuid,
    seq,
    kind: action.kind,
    ...conversation,
    ...message,
    state,
    attempts: attempts.length,
    scans,
    ...outcome,
  };
}
