/** Changes an op on disk, as another process may have left it there, and then in the state. */
import { opByUuid, replaceOp } from '../../state/local/outbox.ts';
import type { Op } from '../../state/model/app-state.ts';
import { accepts, type OpEvent, transition } from '../../state/model/op-state.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/** Returns null when the op on disk is no longer what the change was meant for; then nothing is written. */
export type OpChange = (held: Op) => Op | null;

/** The changed op; null when the disk refused, or `change` returned null. `consequence` begins the notice. */
export function updateOp(context: Services, uuid: string, consequence: string, change: OpChange): Op | null {
  let changed: Op | null = null;
  writeToDisk(context, uuid, consequence, () => {
    changed = changeOpOnDisk(context, uuid, change);
  });
  const now: Op | null = changed;
  if (now !== null) update(context, replaceOp(now));
  return now;
}

/** As `updateOp`, and in the state also where the disk refused: what this process has done is true, on disk or not. */
export function updateOpBestEffort(context: Services, op: Op, consequence: string, change: (held: Op) => Op): void {
  if (updateOp(context, op.uuid, consequence, change) === null) update(context, replaceOp(change(op)));
}

/** Applies the event to the op with `updateOp`; null when the event cannot happen to the op that is on disk. */
export const applyEvent = (context: Services, uuid: string, consequence: string, event: OpEvent): Op | null =>
  updateOp(context, uuid, consequence, (held) => (accepts(held, event.kind) ? transition(held, event) : null));

/**
 * As `applyEvent`, and in the state also where the disk refused: what this process has done is true, on disk or not.
 * Throws `ImpossibleOpEvent` where it cannot happen to `op`, the op as this process knows it.
 */
export function applyEventBestEffort(context: Services, op: Op, consequence: string, event: OpEvent): void {
  transition(op, event);
  if (applyEvent(context, op.uuid, consequence, event) !== null) return;
  const held = opByUuid(stateOf(context), op.uuid);
  const changed = held !== undefined && accepts(held, event.kind) ? transition(held, event) : null;
  if (changed !== null) update(context, replaceOp(changed));
}

/** Changes the op on disk alone. Throws `StorageError`, whose kind is `gone` where `change` answered null. */
export const changeOpOnDisk = (context: Services, uuid: string, change: OpChange): Op =>
  context.outbox.changeOp(uuid, (held) => change(freshest(context, held)));

/** The op as the sender knows it, where its disk says `sending`: the disk may have refused to record the outcome. */
export function freshest(context: Services, held: Op): Op {
  if (held.state !== 'sending' || !context.isSender()) return held;
  return opByUuid(stateOf(context), held.uuid) ?? held;
}
