import { expect, test } from 'vitest';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { createServerNotices } from '../../../src/sync/services/server-notices.ts';

function world() {
  const store = createAppStore(initialState());
  const remarks = createServerNotices(store, () => 1_000);
  return { remarks, texts: () => store.getState().screen.notices.map(({ text }) => text) };
}

const facts = { method: 'GET', path: '/v1/messages/m1', serverDate: null } as const;

test('a deprecated operation is reported once, with its end date and without an id', () => {
  const { remarks, texts } = world();
  remarks.onResponse(facts);
  expect(texts()).toEqual([]);
  for (let i = 0; i < 3; i += 1)
    remarks.onResponse({ ...facts, deprecation: '@1688169599', sunset: 'Sun, 01 Aug 2027 00:00:00 GMT' });
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('GET /v1/messages deprecated, and ends it on Sun, 01 Aug 2027');
});

test('rows without an id are reported once', () => {
  const { remarks, texts } = world();
  remarks.onSkippedRows(3, '/v1/messages');
  remarks.onSkippedRows(2, '/v1/conversations');
  expect(texts()).toEqual(['3 entries of /v1/messages have no usable id and are not shown.']);
});
