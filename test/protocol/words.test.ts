/** The small pieces: ids, routes, forms, base addresses, error texts, texts compared. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseBaseUrl } from '../../src/protocol/base-url.ts';
import { bodyRequestId, errorMessage, oneLine } from '../../src/protocol/error-body.ts';
import { isAddressable, isSendableReactionName } from '../../src/protocol/fields.ts';
import { encodeAttachments, encodeFields, encodeReactions } from '../../src/protocol/form.ts';
import { messagePath } from '../../src/protocol/routes.ts';
import { compareText } from '../../src/protocol/same-text.ts';
import { processorTime } from '../support/system/processor-time.ts';

test('an id that is accepted survives URL parsing as one segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (id) => {
      if (!isAddressable(id)) return;
      const expected = `https://x/base${messagePath(id)}`;
      expect(new URL(expected).href).toBe(expected);
      expect(decodeURIComponent(new URL(expected).pathname.split('/').at(-1) ?? '')).toBe(id);
    }),
  );
  expect(['x'.repeat(256), '%2e%2e', '...', '0'].every(isAddressable)).toBe(true);
  expect(['', '.', '..', 'x'.repeat(257), 'a\u0000', 'a\u009b', '\ud800'].some(isAddressable)).toBe(false);
});

test('reaction names that the bracket notation cannot express are refused', () => {
  expect(['+1', '👍', 'a b'].every(isSendableReactionName)).toBe(true);
  expect(['', 'a]', '[', 'a\n'].some(isSendableReactionName)).toBe(false);
});

test('forms are written in the notation of the document', () => {
  expect(encodeFields({ a: 'x y&=é\n', b: true, c: undefined, d: '' })).toBe('a=x%20y%26%3D%C3%A9%0A&b=true&d=');
  expect(encodeFields({ a: '\ud800' })).toBe('a=%EF%BF%BD');
  expect(encodeReactions([{ name: '👍', by: ['ann'] }])).toBe('reactions[%F0%9F%91%8D][]=ann');
  expect(encodeReactions([])).toBe('reactions=');
  expect(encodeAttachments([{ a: {} }, { b: [] }])).toBe('attachments[0][a]=&attachments[1][b]=');
});

describe('base address', () => {
  test.each([
    ['https://chat.example.com', 'https://chat.example.com'],
    [' https://Chat.Example.com:443/ ', 'https://chat.example.com'],
    ['https://x.example/api/v1/', 'https://x.example/api'],
    ['https://x.example/v1', 'https://x.example'],
    ['https://x.example/a//', 'https://x.example/a'],
    ['chat.example.com/a', 'https://chat.example.com/a'],
    ['localhost:8787', 'http://localhost:8787'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1'],
    ['http://[::1]:1/', 'http://[::1]:1'],
    ['http://2130706433', 'http://127.0.0.1'],
  ])('%s', (input, url) => {
    expect(normaliseBaseUrl(input)).toEqual({ url });
  });

  test.each([
    '',
    'http://x.example',
    'ftp://x.example',
    'https://u:hunter2@x.example',
    'https://hunter2@x',
    'https://x/?q',
    'https://x/#f',
    'https://',
    'a b',
    'https://x\\y',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
  ])('%s is refused without being quoted', (input) => {
    const result = normaliseBaseUrl(input);
    expect(result).toHaveProperty('problem');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('plain http to other machines is accepted only when asked for', () => {
    expect(normaliseBaseUrl('http://x.example', { insecureHttp: true })).toEqual({ url: 'http://x.example' });
  });
});

describe('the error text', () => {
  test.each([
    [{ message: 'a', error: 'b' }, 'a'],
    [{ error: { message: 'a' } }, 'a'],
    [{ error: 'a' }, 'a'],
    [{ errors: [{ message: 'a' }] }, 'a'],
    [{ errors: ['a'] }, 'a'],
    [{ detail: 'a', title: 'b' }, 'a'],
    [{ error_description: 'a' }, 'a'],
    [{ description: 'a' }, 'a'],
    [{ msg: 'a' }, 'a'],
    [{ title: 'a' }, 'a'],
    [{ reactions: ['This field is required.'] }, 'reactions: This field is required.'],
    [{ errors: { attachments: ["can't be blank"] } }, "attachments: can't be blank"],
    [{ errors: { attachments: [7], message: 'b' }, status: 'failed' }, 'not found'],
    [{ message: 7, error: null, errors: {} }, 'not found'],
    [null, 'not found'],
  ])('%j', (body, expected) => {
    expect(errorMessage(body, '', 404)).toBe(expected);
  });

  test('loses its tags and is shortened if it is not JSON', () => {
    expect(errorMessage(undefined, '<style>b{}</style><h1>Bad\n gateway</h1>', 502)).toBe('Bad gateway');
    expect(errorMessage(undefined, 'x'.repeat(500), 502)).toHaveLength(200);
    expect(errorMessage(undefined, '<br>', 599)).toBe('status 599');
    expect(oneLine(`${'a'.repeat(198)}😀😀`)).toBe(`${'a'.repeat(198)}…`);
    expect(bodyRequestId({ request_id: 'r' })).toBe('r');
    expect(bodyRequestId({ request_id: 7 })).toBeNull();
  });

  test('with millions of tags is read in time', () => {
    const spent = processorTime();
    errorMessage(undefined, '<'.repeat(1_000_000), 500);
    errorMessage(undefined, '<script'.repeat(150_000), 500);
    expect(spent()).toBeLessThan(500);
  });
});

test.each([
  ['Hi', 'Hi', 'same'],
  ['Hi \r\n', 'Hi', 'trimmed'],
  ['e\u0301', '\u00e9', 'trimmed'],
  ['a < b & "c"', 'a &lt; b &amp; &quot;c&quot;', 'escaped'],
  ['Hi 👍', 'Hi :thumbsup:', 'changed'],
  ['**Hi**', '<b>Hi</b>', 'changed'],
  ['Hi', 'Bye', 'other'],
  ['Hi', '', 'other'],
])('%j compared with the answer %j is: %s', (sent, got, expected) => {
  expect(compareText(sent, got)).toBe(expected);
});
