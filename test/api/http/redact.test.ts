/** In which forms the token is found in a text, and that other words are left alone. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createRedact } from '../../../src/api/http/redact.ts';
import { fastest } from '../../support/clocks/fastest.ts';

const odd = `a\\b"c'd\`e/f+g=${'h1J'.repeat(40)}`;
const bytes = Buffer.from(odd);
const htmlNames = new Map(
  Object.entries({ '\\': 'bsol', '"': 'quot', "'": 'apos', '`': 'grave', '/': 'sol', '+': 'plus', '=': 'equals' }),
);

test.each<readonly [string, string]>([
  ['as it is', `the token ${odd} is wrong`],
  ['in an address', `https://x.example/?token=${encodeURIComponent(odd)}`],
  ['in JSON', JSON.stringify({ message: odd })],
  ['in JSON within JSON', JSON.stringify({ body: JSON.stringify({ message: odd }) })],
  ['in quotes, as inspect puts them', inspect({ headers: [odd] })],
  ['in an error within an error', inspect(new Error('x', { cause: new Error(odd) }))],
  ['with escaped codes', [...odd].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['in HTML', odd.replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('+', '&#43;')],
  ['in HTML, as hexadecimal codes', odd.replaceAll(/[^\w\\]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`)],
  ['in HTML, as PHP writes it', odd.replaceAll('"', '&quot;').replaceAll("'", '&#039;')],
  ['in HTML, by the names of the characters', odd.replaceAll(/[^\w]/g, (one) => `&${htmlNames.get(one)};`)],
  ['broken over lines', odd.replaceAll(/.{9}/g, '$&\r\n  ')],
  ['in Base64 broken over lines', bytes.toString('base64').replaceAll(/.{19}/g, '$&\n')],
  ['as a Buffer', inspect({ sent: Buffer.concat([Buffer.from('Bearer '), bytes]) })],
  ['as bytes', inspect(new Uint8Array(bytes))],
  ['in hexadecimal', bytes.toString('hex')],
  ['in Base64', bytes.toString('base64')],
  ['in Base64 after one byte', Buffer.from(`x${odd}yz`).toString('base64')],
  ['in Base64 after two bytes', Buffer.from(`xx${odd}y`).toString('base64url')],
  ['cut off', `the token ${odd.slice(0, 14)}`],
])('a token is taken out of a text that has it %s', (_, text) => {
  const redacted = createRedact(odd)(text);
  expect(redacted).toContain('[token]');
  const forms = [odd.slice(2, 14), 'h1Jh1J', bytes.toString('hex', 20, 40), '104, 49', '68 31 4a'];
  const base64 = [0, 1, 2].map((at) =>
    bytes
      .subarray(30 + at, 60 + at)
      .toString('base64')
      .slice(0, 20),
  );
  const left = [...forms, ...base64].filter((form) => redacted.includes(form));
  expect(left.length).toBe(0);
});

test('the first twelve characters of a token are taken out, a shorter beginning is not', () => {
  const redact = createRedact('eyJhbGciOiJIUzI1NiJ9.abc');
  expect(redact('eyJhbGciOiJI, and eyJhbGciOiJ')).toBe('[token], and eyJhbGciOiJ');
  expect(redact('eyJhbGciOiJIUzI1NiJ9.ab')).toBe('[token]');
});

test('a token of eight characters is found as a whole', () => {
  expect(createRedact('sesame-8')('sesame-8 and sesame')).toBe('[token] and sesame');
});

test('a text without the token is left as it is', () => {
  const text = 'the server answered 400: no such message \\ "quoted" 115, 101 <Buffer 73 65>';
  expect(createRedact('sesame-0123456789')(text)).toBe(text);
  expect(createRedact('')(text)).toBe(text);
});

test.each(['\\'.repeat(300), `${'\\'.repeat(11)}x${'\\'.repeat(300)}`, 's'.repeat(300)])(
  'a text that was made to be slow is redacted in time (token %#)',
  (token) => {
    const redact = createRedact(token);
    const texts = [
      '\\'.repeat(200_000),
      's'.repeat(200_000),
      '115,  '.repeat(30_000),
      's\n'.repeat(100_000),
      `s\n${' '.repeat(60)}`.repeat(3_000),
    ];
    expect(fastest(2_000, () => texts.map(redact))).toBeLessThan(2_000);
  },
);
