/** Events of an op that another process, or another task of this one, has changed meanwhile. */
import { expect, test, vi } from 'vitest';
import { addOp } from '../../../src/state/local/outbox.ts';
import type { Op } from '../../../src/state/model/op.ts';
import { ImpossibleOpEvent, transition } from '../../../src/state/model/op-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { memoryOutbox } from '../../../src/storage/outbox/memory.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { applyEvent, applyEventBestEffort, updateOp } from '../../../src/sync/op/update-op.ts';
import { type OutcomeRecorder, recordOutcome } from '../../../src/sync/outbox/record-outcome.ts';
import { RetryDelays } from '../../../src/sync/outbox/retry-delays.ts';
import type { OutboxDisk } from '../../../src/sync/services/ports.ts';
import type { Services } from '../../../src/sync/services/services.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import * as eg from '../../support/builders/eg.ts';

/** The op as this process knows it, and as it is on disk. */
function world(known: Op['state'], onDisk: Op['state'], outbox: OutboxDisk = memoryOutbox({ volatile: true })) {
  const send = { kind: 'message.send', conversationId: 'c1', text: 'Hello' } as const;
  const attempts = [{ started: 1, ended: null, outcome: null, evidence: '' }] as const;
  const disk = outbox.enqueue(eg.op(send, { uuid: 'u1', state: onDisk, attempts }), null);
  const op: Op = { ...disk, state: known };
  const store = createAppStore(addOp(op)(initialState()));
  const reload = vi.fn();
  const clock = { now: () => 50, monotonic: () => 50, after: () => () => undefined };
  const context = { store, outbox, reload, clock, isSender: () => true, random: () => 0.5 } as unknown as Services;
  const stored = () => outbox.load().outbox[0];
  return { context, op, reload, stored, shown: () => store.getState().local.outbox[0] };
}

const end = { at: 50, reason: 'because', evidence: '418' };

test('an event that is no longer possible changes nothing, and the state on the disk is taken over', () => {
  const { context, reload, stored } = world('queued', 'unsure');
  expect(applyEvent(context, 'u1', '', { kind: 'rejected', ...end })).toBeNull();
  expect(stored()).toMatchObject({ state: 'unsure', reason: null });
  expect(reload).toHaveBeenCalledOnce();
});

test('the end of an attempt of this process is recorded although the disk still has the op as sending', () => {
  const { context, op, stored, shown } = world('sending', 'sending');
  applyEventBestEffort(context, op, '', { kind: 'ambiguous', ...end });
  expect([stored()?.state, shown()?.state]).toEqual(['unsure', 'unsure']);
});

test('if the disk refuses the change, the state in memory has it', () => {
  const { context, op, stored, shown } = world('sending', 'queued');
  applyEventBestEffort(context, op, '', { kind: 'ambiguous', ...end });
  expect([stored()?.state, shown()?.state]).toEqual(['queued', 'unsure']);
});

test('an impossible event for the op as this process has it is an error, and nothing is written', () => {
  const { context, op, stored } = world('queued', 'queued');
  expect(() => applyEventBestEffort(context, op, '', { kind: 'ambiguous', ...end })).toThrow(ImpossibleOpEvent);
  expect(stored()?.state).toBe('queued');
});

test.each([
  ['in memory', () => memoryOutbox({ volatile: true })],
  ['on disk', () => openOutbox(temporaryDirectory())],
])('an error inside a change of the outbox %s is not reported as a refusal of the disk', (_, open) => {
  const { context, stored } = world('queued', 'queued', open());
  const change = (held: Op): Op => transition(held, { kind: 'not-applied', ...end });
  expect(() => updateOp(context, 'u1', '', change)).toThrow(ImpossibleOpEvent);
  expect(stored()?.state).toBe('queued');
  context.outbox.close();
});

test('what was held back during a read for an op stays held back, whatever the read returned', () => {
  const { context, shown, stored } = world('failed', 'failed');
  const watch = vi.fn();
  const recorder: OutcomeRecorder = { context, delays: new RetryDelays(context), watch };
  recordOutcome(recorder, 'u1', { kind: 'later', reason: 'no answer', evidence: 'timeout', countsAsFailure: true });
  recordOutcome(recorder, 'u1', { kind: 'rejected', reason: 'gone', evidence: '404' });
  expect([stored()?.state, shown()?.state, shown()?.reason]).toEqual(['failed', 'failed', null]);
});
