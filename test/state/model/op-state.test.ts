/** Every event in every state of an op. */
import { describe, expect, test } from 'vitest';
import type { Op, OpAction } from '../../../src/state/model/op.ts';
import {
  accepts,
  createOp,
  ImpossibleOpEvent,
  mayHaveArrived,
  type OpEvent,
  type OpEventKind,
  type OpState,
  transition,
} from '../../../src/state/model/op-state.ts';
import * as eg from '../../support/builders/eg.ts';

const send: OpAction = { kind: 'message.send', conversationId: 'c1', text: 'Hello' };
const edit: OpAction = { kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'Hello', text: 'Hi' };
const pin: OpAction = { kind: 'conversation.pin', conversationId: 'c1', value: true };

const end = { at: 50, reason: 'because', evidence: '418' };
const events: Readonly<Record<OpEventKind, OpEvent>> = {
  start: { kind: 'start', at: 40 },
  postponed: { kind: 'postponed', ...end },
  'not-applied': { kind: 'not-applied', ...end },
  rejected: { kind: 'rejected', ...end },
  ambiguous: { kind: 'ambiguous', ...end },
  interrupted: { kind: 'interrupted', at: 50 },
  'held-back': { kind: 'held-back', reason: 'because' },
  retried: { kind: 'retried' },
  'send-again': { kind: 'send-again' },
  created: { kind: 'created', conversationId: 'c1' },
  settled: { kind: 'settled' },
  discarded: { kind: 'discarded' },
};

type Row = readonly [event: OpEventKind, send: string, edit: string, pin: string];
const never = ['impossible', 'impossible', 'impossible'] as const;

/** What becomes of a sent message, an edit and a pin. */
const table: Readonly<Record<OpState, readonly Row[]>> = {
  queued: [
    ['start', 'sending', 'sending', 'sending'],
    ['postponed', 'queued', 'queued', 'queued'],
    ['not-applied', ...never],
    ['rejected', 'failed', 'failed', 'left'],
    ['ambiguous', ...never],
    ['interrupted', ...never],
    ['held-back', 'failed', 'failed', 'left'],
    ['retried', 'queued', 'queued', 'queued'],
    ['send-again', ...never],
    ['created', ...never],
    ['settled', ...never],
    ['discarded', 'left', 'left', 'left'],
  ],
  sending: [
    ['start', ...never],
    ['postponed', ...never],
    ['not-applied', 'queued', 'queued', 'queued'],
    ['rejected', 'failed', 'failed', 'left'],
    ['ambiguous', 'unsure', 'queued', 'queued'],
    ['interrupted', 'unsure', 'queued', 'queued'],
    ['held-back', ...never],
    ['retried', ...never],
    ['send-again', ...never],
    ['created', ...never],
    ['settled', 'left', 'left', 'left'],
    ['discarded', ...never],
  ],
  unsure: [
    ['start', ...never],
    ['postponed', ...never],
    ['not-applied', ...never],
    ['rejected', ...never],
    ['ambiguous', ...never],
    ['interrupted', 'unsure', 'queued', 'queued'],
    ['held-back', 'failed', 'failed', 'left'],
    ['retried', ...never],
    ['send-again', 'queued', 'queued', 'queued'],
    ['created', ...never],
    ['settled', 'left', 'left', 'left'],
    ['discarded', 'left', 'left', 'left'],
  ],
  failed: [
    ['start', ...never],
    ['postponed', ...never],
    ['not-applied', ...never],
    ['rejected', ...never],
    ['ambiguous', ...never],
    ['interrupted', ...never],
    ['held-back', 'failed', 'failed', 'left'],
    ['retried', 'queued', 'queued', 'queued'],
    ['send-again', ...never],
    ['created', ...never],
    ['settled', 'left', 'left', 'left'],
    ['discarded', 'left', 'left', 'left'],
  ],
};

const states = Object.keys(table) as OpState[];

function after(op: Op, event: OpEvent): string {
  try {
    return transition(op, event)?.state ?? 'left';
  } catch (error) {
    expect(error).toBeInstanceOf(ImpossibleOpEvent);
    expect((error as Error).message).toContain(`"${event.kind}"`);
    expect((error as Error).message).toContain(op.state);
    return 'impossible';
  }
}

test('the table has every event in every state once', () => {
  const kinds = Object.keys(events).sort();
  for (const state of states) expect(table[state].map(([kind]) => kind).sort(), state).toEqual(kinds);
});

for (const state of states)
  describe(`an op that is ${state}`, () => {
    test.each(table[state])('on %s: a message is %s, an edit %s, a pin %s', (kind, ...expected) => {
      const ops = [send, edit, pin].map((action) => eg.op(action, { state }));
      expect(ops.map((op) => after(op, events[kind]))).toEqual(expected);
      expect(ops.map((op) => accepts(op, kind))).toEqual(expected.map((next) => next !== 'impossible'));
    });
  });

describe('what else changes', () => {
  const attempt = { started: 40, ended: null, outcome: null, evidence: '' } as const;
  const sending = eg.op(send, { state: 'sending', attempts: [attempt] });

  test('a new op is queued, and held as long as the user may take it back', () => {
    expect(createOp('u1', send, { now: 100, holdMs: 0 })).toMatchObject({
      state: 'queued',
      created: 100,
      notBefore: 0,
    });
    expect(createOp('u1', send, { now: 100, holdMs: 5 })).toMatchObject({ state: 'queued', notBefore: 105 });
  });

  test('a message that is to be sent again may be found before it is', () => {
    const lost = { ...attempt, ended: 50, outcome: 'ambiguous' } as const;
    expect(transition(eg.op(send, { attempts: [lost] }), events.settled)).toBeNull();
    const refused = { ...lost, outcome: 'not-applied' } as const;
    expect(accepts(eg.op(send, { attempts: [refused] }), 'settled')).toBe(false);
  });

  test('a start opens an attempt and forgets the checks of the one before; twenty attempts are kept', () => {
    const before = Array.from({ length: 25 }, (_, at) => ({ ...attempt, started: at, ended: at }));
    const op = eg.op(send, { reason: 'later', scans: 3, lastScan: 9, hasPossibleCopy: true, attempts: before });
    const started = transition(op, events.start as Extract<OpEvent, { kind: 'start' }>);
    expect(started).toMatchObject({ reason: null, scans: 0, lastScan: null, hasPossibleCopy: false });
    expect(started.attempts).toEqual([...before.slice(-19), attempt]);
  });

  test.each(['not-applied', 'rejected', 'ambiguous'] as const)('%s ends the attempt under way', (kind) => {
    const op = transition(sending, { kind, ...end, notBefore: 77 });
    expect(op).toMatchObject({ reason: 'because', notBefore: 77 });
    expect(op?.attempts).toEqual([{ started: 40, ended: 50, outcome: kind, evidence: '418' }]);
  });

  test('the message id of the answer is kept with the attempt', () => {
    const op = transition(sending, { kind: 'ambiguous', ...end, answeredId: 'm9' });
    expect(op.attempts.at(-1)).toMatchObject({ outcome: 'ambiguous', answeredId: 'm9' });
  });

  test('an attempt that may have arrived is kept when later ones certainly did not arrive', () => {
    const lost = { ...attempt, ended: 45, outcome: 'ambiguous', evidence: 'timeout' } as const;
    const limited = { ...attempt, ended: 46, outcome: 'not-applied', evidence: '429' } as const;
    let op = eg.op(send, { attempts: [lost] });
    for (let count = 0; count < 30; count += 1)
      op = transition(transition(op, { kind: 'start', at: 40 }), { kind: 'not-applied', ...end, evidence: '429' });
    expect(op.attempts).toEqual([lost, ...Array.from({ length: 19 }, () => ({ ...limited, ended: 50 }))]);
  });

  test('a read that fails before an attempt does not end one', () => {
    const ended = { ...attempt, ended: 45, outcome: 'not-applied' } as const;
    const op = transition(eg.op(send, { attempts: [ended] }), { kind: 'postponed', ...end });
    expect(op).toMatchObject({ reason: 'because', notBefore: 0, attempts: [ended] });
  });

  test('an interrupted attempt may have arrived', () => {
    const op = transition(sending, { kind: 'interrupted', at: 50 });
    expect(op.attempts).toEqual([{ started: 40, ended: 50, outcome: 'ambiguous', evidence: 'process ended' }]);
    const lost = transition(eg.op(send, { state: 'sending' }), { kind: 'interrupted', at: 50 });
    expect(lost.attempts.filter(mayHaveArrived)).toHaveLength(1);
  });

  test('an op that was unsure before keeps its checks', () => {
    const ended = { ...attempt, ended: 45, outcome: 'ambiguous', evidence: '500' } as const;
    const op = eg.op(send, { state: 'unsure', reason: 'not found', scans: 2, lastScan: 60, attempts: [ended] });
    expect(transition(op, { kind: 'interrupted', at: 99 })).toEqual(op);
  });

  test('sending again means that later messages no longer go before it', () => {
    const op = eg.op(send, { state: 'unsure', reason: 'not found', notBefore: 9, skippedInOrder: true });
    const again = transition(op, { kind: 'send-again' });
    expect(again).toMatchObject({ reason: null, notBefore: 0 });
    expect(again).not.toHaveProperty('skippedInOrder');
    expect(again).not.toHaveProperty('autoResent');
  });

  test('a message that the settings send again is marked, so that it happens once', () => {
    const op = eg.op(send, { state: 'unsure' });
    const again = transition(op, { kind: 'send-again', automatic: { reason: 'after 500' } });
    expect(again).toMatchObject({ autoResent: true, reason: 'after 500' });
  });
});

test('a creation with a first message becomes the sending of that message, and keeps its text until then', () => {
  const first = { text: 'Hello', attachments: [{ file_url: 'https://x/a' }] };
  const create: OpAction = { kind: 'conversation.create', contactId: 'bob', groupId: null, first };
  const sending = { ...createOp('u1', create, { now: 10, holdMs: 0 }), seq: 7, state: 'sending' } as const;
  expect(
    transition({ ...sending, attempts: [{ started: 1, ended: null, outcome: null, evidence: '' }] }, events.created),
  ).toEqual({
    ...createOp('u1', { kind: 'message.send', conversationId: 'c1', ...first }, { now: 10, holdMs: 0 }),
    seq: 7,
    recipient: { contactId: 'bob' },
  });
  expect(transition(sending, events.rejected)).toMatchObject({ state: 'failed', action: create });
  const { first: _, ...bare } = create;
  expect(after({ ...sending, action: bare }, events.created)).toBe('impossible');
});
