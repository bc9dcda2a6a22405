/** A second program on the outbox of a model: it sends nothing, and decides by a picture that may be out of date. */
import { canResend } from '../../../src/state/local/resend-rule.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { createEngine } from '../../../src/sync/engine/engine.ts';
import type { FakeClock } from '../clocks/fake-clock.ts';
import { fakeService } from '../servers/fake-service.ts';
import { type MemoryOutbox, memoryCache } from './memory-disks.ts';

/** What the user wants of a message without an answer; `attempts`: how many it had then. */
export interface Decision {
  readonly uuid: string;
  readonly choice: 'resend' | 'discard' | 'pass';
  readonly attempts: number;
}

export interface OtherProgram {
  /** Its picture is that of the disk. */
  look(): void;
  /** The first message for which its picture offers the choice. */
  openTo(choice: Decision['choice']): string | null;
  decide(decision: Pick<Decision, 'uuid' | 'choice'>): void;
}

export function otherProgram(outbox: MemoryOutbox, clock: FakeClock): OtherProgram {
  const service = fakeService(clock);
  const store = createAppStore(initialState({ settings: { revealReading: false } }));
  const engine = createEngine({
    client: service.client,
    paging: service.paging,
    store,
    outbox,
    cache: memoryCache(),
    clock,
    random: () => 0.5,
    newUuid: () => 'none of this program',
    beginsAsSender: false,
  });
  const look = (): void => store.setState((state) => ({ ...state, local: { ...state.local, outbox: outbox.ops() } }));
  const isOpen = (choice: Decision['choice'], op: Op): boolean => {
    if (choice === 'resend') return canResend(op, clock.now());
    return op.state === 'unsure' && (choice === 'discard' || op.skippedInOrder !== true);
  };
  look();
  return {
    look,
    openTo: (choice) => store.getState().local.outbox.find((op) => isOpen(choice, op))?.uuid ?? null,
    decide: ({ uuid, choice }) => {
      if (choice === 'resend') engine.retry(uuid);
      else if (choice === 'discard') engine.discard(uuid);
      else engine.letPass(uuid);
    },
  };
}

/** Decisions that somebody has written over: each holds until the next attempt begins. */
export function* lostDecisions(decisions: readonly Decision[], ops: readonly Op[]): Generator<string> {
  for (const { uuid, choice, attempts } of decisions) {
    const op = ops.find((held) => held.uuid === uuid);
    if (op === undefined) continue;
    if (choice === 'discard') yield `${uuid} was discarded and is back`;
    if (op.state !== 'unsure' || op.attempts.length !== attempts) continue;
    if (choice === 'resend') yield `that ${uuid} is sent again was written over`;
    if (choice === 'pass' && op.skippedInOrder !== true) yield `that others may go before ${uuid} was written over`;
  }
}

/** `changeOp unsure`, `settle` … */
export function siteOf(outbox: MemoryOutbox, key: string, args: readonly unknown[]): string {
  return key === 'changeOp' ? `${key} ${changed(outbox, args)?.state ?? 'nothing'}` : key;
}

/** A change that another program has made pointless writes nothing. */
export const isRefused = (outbox: MemoryOutbox, key: string, args: readonly unknown[]): boolean =>
  key === 'changeOp' && changed(outbox, args) === null;

function changed(outbox: MemoryOutbox, [uuid, change]: readonly unknown[]): Op | null {
  const held = outbox.ops().find((op) => op.uuid === uuid);
  return held === undefined ? null : (change as (op: Op) => Op | null)(held);
}
