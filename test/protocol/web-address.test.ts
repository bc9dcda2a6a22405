import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseUrl, webAddress } from '../../src/protocol/web-address.ts';

const source = join(import.meta.dirname, '../../src');

test('letters beyond ASCII stay valid however often addresses are parsed', () => {
  const read = (address: string): boolean => webAddress(address) !== null;
  let refused = 0;
  for (let i = 0; i < 50_000; i++)
    if (!read(i % 2 === 0 ? 'https://bücher.example/straße' : `https://a.example/${i}`)) refused++;
  expect(refused).toBe(0);
});

test('nothing in src calls URL.canParse, which refuses such letters in Node 20 and 22 once it is compiled', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  expect(files.filter((name) => readFileSync(join(source, name), 'utf8').includes('canParse('))).toEqual([]);
});

test('an address that may be opened is http or https without a password', () => {
  expect(webAddress('https://a.example/x')?.href).toBe('https://a.example/x');
  for (const text of [
    '',
    'a.example',
    'ftp://a.example',
    'mailto:a@b',
    'https://me@a.example',
    'https://me:x@a.example',
  ])
    expect(webAddress(text)).toBeNull();
  expect(parseUrl('/b', 'https://a.example/x')?.href).toBe('https://a.example/b');
  expect(parseUrl('/b')).toBeNull();
});
