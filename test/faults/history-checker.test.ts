/** The checker itself: each broken promise is seen, and a run that keeps them all is not accused. */
import { describe, expect, test } from 'vitest';
import { checkHistory, type HistoryEvent } from '../support/campaigns/history-checker.ts';

type Untimed = HistoryEvent extends infer One ? (One extends HistoryEvent ? Omit<One, 'at'> : never) : never;

const timed = (events: readonly Untimed[], stepMs = 1): readonly HistoryEvent[] =>
  events.map((event, index) => ({ at: index * stepMs, ...event }) as HistoryEvent);
const enter = (uuid: string, text = uuid, conversationId = 'c1'): Untimed => ({
  kind: 'enter',
  uuid,
  conversationId,
  text,
  composer: '',
});
const post = (uuid: string): Untimed => ({ kind: 'post', uuid });
const commit = (uuid: string, text = uuid, messageId = `m-${uuid}`): Untimed => ({
  kind: 'commit',
  uuid,
  messageId,
  conversationId: 'c1',
  text,
});
const sent = (uuid: string, messageId = `m-${uuid}`): Untimed => ({ kind: 'sent', uuid, messageId });
const disk = (ops: Readonly<Record<string, string>>, isStart = false): Untimed => ({
  kind: 'disk',
  isStart,
  ops: new Map(Object.entries(ops)),
});

test('a run that keeps its promises is not reported', () => {
  const events = [
    enter('a'),
    enter('b'),
    post('a'),
    { kind: 'not-applied', uuid: 'a' } as const,
    post('a'),
    commit('a'),
    disk({ a: 'unsure', b: 'queued' }, true),
    sent('a'),
    post('b'),
    disk({ b: 'unsure' }, true),
    { kind: 'choice', uuid: 'b', choice: 'resend' } as const,
    post('b'),
    commit('b'),
    commit('b', 'b', 'm-b2'),
    sent('b'),
    { kind: 'enter', uuid: null, conversationId: 'c1', text: 'kept', composer: 'kept' } as const,
    disk({}),
  ];
  expect(checkHistory(timed(events))).toEqual([]);
});

test('a message that the user let others pass holds them back again once it is sent again', () => {
  const chosen = (choice: 'pass' | 'resend'): Untimed => ({ kind: 'choice', uuid: 'a', choice });
  const upTo = [enter('a'), enter('b'), post('a'), chosen('pass')];
  const end = [post('b'), commit('b'), disk({ a: 'unsure' })];
  expect(checkHistory(timed([...upTo, ...end]))).toEqual([]);
  const found = checkHistory(timed([...upTo, chosen('resend'), post('a'), ...end]));
  expect(found).toEqual(['I4: b was posted though a holds it back']);
});

test('discarded text that arrived nevertheless counts as the same text entered again', () => {
  const events = [
    enter('a', 'ok'),
    post('a'),
    { kind: 'choice', uuid: 'a', choice: 'discard' } as const,
    enter('b', 'ok'),
    enter('c'),
    post('b'),
    commit('a', 'ok'),
    sent('b', 'm-a'),
    post('c'),
    commit('c'),
    commit('b', 'ok'),
    sent('c'),
    disk({}),
  ];
  expect(checkHistory(timed(events))).toEqual([]);
});

const broken: readonly (readonly [string, readonly Untimed[]])[] = [
  ['I1', [enter('a'), disk({})]],
  ['I1', [enter('a'), post('a'), disk({}, true)]],
  ['I2', [enter('a'), post('a'), post('a'), disk({ a: 'unsure' })]],
  ['I2', [enter('a'), post('a'), commit('a'), commit('a', 'a', 'm2'), disk({})]],
  ['I3', [enter('a', 'ok'), enter('b', 'ok'), commit('a', 'ok'), sent('a', 'm-a'), sent('b', 'm-a')]],
  ['I4', [enter('a'), enter('b'), commit('b'), commit('a')]],
  ['I5', [enter('a'), sent('a'), disk({})]],
  ['I5', [enter('a'), commit('a', 'other words'), sent('a')]],
  ['I6', [enter('a'), disk({ a: 'sending' }, true)]],
  ['I6', [enter('a'), post('a'), disk({ a: 'queued' }, true)]],
  ['I6', [enter('a'), commit('a'), sent('a'), disk({ a: 'queued' })]],
  ['I6', [post('a')]],
  ['I8', [{ kind: 'enter', uuid: null, conversationId: 'c1', text: 'words', composer: '' }]],
  ['I8', [{ ...(enter('a') as Extract<Untimed, { kind: 'enter' }>), composer: 'a' }, disk({ a: 'queued' })]],
];

test('the user may give up the order', () => {
  const events = [
    enter('a'),
    enter('b'),
    post('a'),
    { kind: 'choice', uuid: 'a', choice: 'pass' } as const,
    post('b'),
    commit('b'),
    commit('a'),
    sent('a'),
    sent('b'),
  ];
  expect(checkHistory(timed(events))).toEqual([]);
});

describe('a broken promise', () => {
  test.each(broken)('%s: %j', (invariant, events) => {
    const found = checkHistory(timed(events)).map((violation) => violation.slice(0, 2));
    expect(new Set(found)).toEqual(new Set([invariant]));
  });

  test('I7 reports the thirteenth request of a minute without answers', () => {
    const requests = (count: number): readonly Untimed[] => [
      { kind: 'outage', isOn: true },
      ...Array.from({ length: count }, () => ({ kind: 'request' }) as const),
    ];
    expect(checkHistory(timed(requests(12), 4_000))).toEqual([]);
    expect(checkHistory(timed(requests(13), 4_000))).toHaveLength(1);
    expect(checkHistory(timed(requests(40), 6_000))).toEqual([]);
  });
});
