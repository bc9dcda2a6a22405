/** Answers within 8 MB that are made to cost a lot: of each no more is read or kept than its bound, in time that grows with its length. */
import { expect, test } from 'vitest';
import { JsonProblem, parseJson, TooManyValues } from '../../src/protocol/json.ts';
import { parsePage } from '../../src/protocol/page.ts';
import { parseConversation, parseMessage } from '../../src/protocol/parse.ts';
import { areAllNamed, countOf } from '../../src/protocol/reactions.ts';
import { compareText, normalForm } from '../../src/protocol/same-text.ts';
import { fold } from '../../src/text/search/find.ts';

/** Milliseconds of processor time, the better of two; what takes the square of its length takes many times as long. */
function cost(work: () => void): number {
  const once = (): number => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  return Math.min(once(), once());
}

const busyMs = 400;
const list = (length: number, item: (index: number) => string): string =>
  Array.from({ length }, (_, index) => item(index)).join();

test.each([
  ['empty objects', `{"data":[${'{},'.repeat(2_700_000)}{}]}`],
  ['numbers', `[${'1,'.repeat(4_000_000)}1]`],
  ['one field again and again', `{${'"k":1,'.repeat(1_000_000)}"id":"m"}`],
  ['reactions', `{"id":"m","reactions":[${list(350_000, (at) => `{"r${at}":["a"]}`)}]}`],
  ['fields of an attachment', `{"id":"m","attachments":[{${list(200_000, (at) => `"f${at}":1`)}}]}`],
])('more than 200,000 values are not turned into objects: %s', (_, text) => {
  expect(() => parseJson(text)).toThrow(TooManyValues);
  expect(cost(() => expect(() => parseJson(text)).toThrow(JsonProblem))).toBeLessThan(busyMs / 4);
});

test('an object of more than 20,000 fields is not read, wherever it is', () => {
  const object = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`;
  expect(Object.keys(parseJson(object(20_000)) as object)).toHaveLength(20_000);
  expect(() => parseJson(object(20_001))).toThrow(/^an object of more than 20000 fields$/);
  expect(() => parseJson(`{"data":[{"attachments":[${object(20_001)}]}]}`)).toThrow(TooManyValues);
  // The fields of many objects together are bounded by the number of values alone.
  expect(parseJson(`[${Array.from({ length: 30_000 }, () => '{"a":1,"b":2}').join()}]`)).toHaveLength(30_000);
});

test('exactly 200,000 values are read', () => {
  const items = (length: number): string => `[${list(length, () => '1')}]`;
  expect(parseJson(items(199_999))).toHaveLength(199_999);
  expect(() => parseJson(items(200_000))).toThrow(/^more than 200000 values$/);
  expect(() => parseJson(`["${',[{'.repeat(200_000)}"]`)).not.toThrow();
});

test('the largest pages that are asked for pass, and a whole list of 15,000 conversations', () => {
  const contact = { id: 'k', username: 'ann', phone_number: '', avatar_url: '', last_active_at: 1, created_at: 1 };
  const times = { read_at: null, created_at: 1_790_000_000, updated_at: null };
  const message = (id: string) => ({
    ...{ id, conversation_id: 'c1', contact, message: 'words, more words' },
    ...{ reactions: [{ thumbsup: ['ann', 'bob'] }, { eyes: ['cyd'] }], attachments: [], ...times },
  });
  const conversation = (id: string) => ({
    ...{ id, contact_id: `k${id}`, group_id: null, pinned_message_id: null, is_pinned: false, is_muted: false },
    ...{ last_active_at: 1_790_000_000, last_opened_at: null, created_at: 1_790_000_000, archived_at: null },
  });
  const body = (length: number, row: (id: string) => unknown): unknown =>
    parseJson(`{"has_more":true,"data":[${list(length, (at) => JSON.stringify(row(`i${at}`)))}]}`);
  expect(parsePage(body(6_400, message), (row) => parseMessage(row))?.items).toHaveLength(6_400);
  expect(parsePage(body(15_000, conversation), (row) => parseConversation(row))).toMatchObject({ skipped: 5_000 });
});

test.each([
  ['in objects', Array.from({ length: 60_000 }, (_, at) => ({ [`r${at}`]: ['ann'] }))],
  ['in one object', Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`r${at}`, ['ann']]))],
])('of 60,000 reaction names %s a thousand are kept, and it is known that there are more', (_, reactions) => {
  const message = parseMessage({ id: 'm', reactions });
  expect(message?.isCut).toBe(true);
  expect(message?.reactions.filter(({ name }) => name !== '')).toHaveLength(1_000);
  expect(areAllNamed(message?.reactions ?? [])).toBe(false);
  expect(parseMessage({ id: 'm', reactions: [{ a: ['ann'] }] })).not.toHaveProperty('isCut');
});

test('of 60,000 people who reacted 10,000 are kept, and all are counted', () => {
  const message = parseMessage({ id: 'm', reactions: { a: Array.from({ length: 60_000 }, (_, at) => `k${at}`) } });
  const [reaction] = message?.reactions ?? [];
  expect(message?.isCut).toBe(true);
  expect(reaction?.by).toHaveLength(10_000);
  expect(reaction === undefined ? 0 : countOf(reaction)).toBe(60_000);
});

test('a hundred attachments are kept, and of one with very many fields only the known fields', () => {
  const files = Array.from({ length: 5_000 }, (_, at) => ({ id: `f${at}`, name: `n${at}` }));
  const many = parseMessage({ id: 'm', attachments: files });
  expect([many?.attachments.length, many?.isCut]).toEqual([100, true]);
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`x${at}`, 1]));
  const wide = parseMessage({ id: 'm', attachments: [{ ...fields, id: 'f', name: 'plan', file_size: 7, url: {} }] });
  expect(wide?.isCut).toBe(true);
  expect(wide?.attachments).toEqual([
    { label: 'plan', url: null, size: 7, mediaType: null, fields: { id: 'f', name: 'plan', file_size: 7 } },
  ]);
  const deep = parseMessage({ id: 'm', attachments: [{ id: 'f', more: { rows: Object.values(fields) } }] });
  expect([deep?.isCut, deep?.attachments[0]?.fields]).toEqual([true, { id: 'f' }]);
  const usual = { id: 'f', meta: { sizes: Array.from({ length: 100 }, () => 1) } };
  const kept = parseMessage({ id: 'm', attachments: [usual] });
  expect([kept?.attachments[0]?.fields, kept?.isCut]).toEqual([usual, undefined]);
});

test.each([
  ['blanks', `<x>; rel=${' '.repeat(15_800)}x`],
  ['parameters', `<x>${'; rel=x'.repeat(2_300)}`],
  ['links', `<x>; rel=x,`.repeat(1_400)],
  ['openings', '<x'.repeat(8_000)],
])('a Link header full of %s is read in time', (_, link) => {
  const page = () => expect(parsePage({ data: [] }, parseMessage, link)?.next).toBeNull();
  expect(cost(page)).toBeLessThan(busyMs / 4);
});

test.each([
  ['<https://x/2>; rel="next"', 'https://x/2'],
  ['<https://x/2>;rel=next', 'https://x/2'],
  ['<https://x/2>; title="a"; REL = "prev NEXT"', 'https://x/2'],
  ['<https://x/1>; rel="prev", <https://x/2>; rel="next", <https://x/9>; rel="last"', 'https://x/2'],
  ['<https://x/2>; rel="nextish"; title="rel=next"', null],
  ['<https://x/2>; rev="next"', null],
])('the next page in %s is found in time', (link, url) => {
  const next = parsePage({ data: [] }, parseMessage, link)?.next;
  expect(next).toEqual(url === null ? null : { kind: 'url', url });
});

test('marks of several kinds in turn, ten thousand on one letter, are read in time', () => {
  const marks = `a${'\u0301\u0316'.repeat(30_000)}`;
  expect(cost(() => compareText('a', marks))).toBeLessThan(busyMs);
  expect(cost(() => fold(marks))).toBeLessThan(busyMs);
  expect(cost(() => fold(`a${'\u0301\uff9e'.repeat(30_000)}`))).toBeLessThan(busyMs);
});

test('a text with fewer than thirty marks in a row gets its usual normal form', () => {
  for (const text of ['e\u0301', 'q\u0307\u0323', '한국어', `a${'\u0301\u0316'.repeat(15)}`, 'ｶﾞ', '\ud800'])
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const) expect(normalForm(text, form)).toBe(text.normalize(form));
});
