import { expect, test } from 'vitest';
import { linksIn } from '../../../src/state/select/links.ts';

const attachment = (label: string, url: string | null) => ({ label, url, size: null, mediaType: null, fields: {} });
const hrefs = (text: string, ...attachments: ReturnType<typeof attachment>[]) =>
  linksIn(text, attachments).addresses.map(({ href }) => href);

test('the addresses of the text come first, then those of the attachments, each once', () => {
  const { addresses, refused } = linksIn('see https://a.example/x, (http://b.example/y) and https://a.example/x', [
    attachment('plan.pdf', 'https://files.example/1'),
    attachment('no address', null),
  ]);
  expect(addresses.map(({ shown }) => shown)).toEqual([
    'https://a.example/x',
    'http://b.example/y',
    'plan.pdf: https://files.example/1',
  ]);
  expect(refused).toBe(0);
});

test('a host in other letters is shown as it is requested', () => {
  expect(hrefs('https://аррӏе.com/login')).toEqual(['https://xn--80ak6aa92e.com/login']);
});

test.each([
  ['a password', 'https://bank.example@evil.example/'],
  ['a user and a password', 'https://u:p@evil.example/'],
])('%s in an address of the text is left out and counted', (_, address) => {
  expect(linksIn(`${address} https://a.example`, [])).toMatchObject({
    addresses: [{ href: 'https://a.example/' }],
    refused: 1,
  });
});

test.each([
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['another program', 'mailto:a@b.example'],
  ['a host of Windows', '\\\\host\\share'],
  ['an option', '--help'],
  ['a path', '/etc/passwd'],
  ['something very long', `https://a.example/${'x'.repeat(5000)}`],
  ['a password', 'https://u:p@evil.example/'],
])('%s in an attachment is left out and counted', (_, address) => {
  expect(linksIn('', [attachment('file', address)])).toEqual({ addresses: [], refused: 1 });
});

test('no address has a character that controls a terminal or ends an argument', () => {
  const urls = [
    'https://a.example/\x1b]52;c;eA==\x07',
    'https://a.example/a b"\'`$(id)\n-x',
    'https://a.example/\u202e\u0000',
  ];
  for (const href of hrefs('', ...urls.map((url) => attachment('file', url))))
    expect(href).toMatch(/^https:[\x21-\x7e]+$/);
  expect(hrefs('', ...urls.map((url) => attachment('file', url)))).toHaveLength(3);
});

test('no more than fifty are offered', () => {
  const text = Array.from({ length: 60 }, (_, n) => `https://a.example/${n}`).join(' ');
  expect(hrefs(text)).toHaveLength(50);
});
