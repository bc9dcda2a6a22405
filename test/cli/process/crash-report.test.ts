import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCrashReporter } from '../../../src/cli/process/crash-report.ts';

let folder: string;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'msg-tui-crash-'));
  now = Date.UTC(2026, 10, 21, 12);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const reporter = (directory = join(folder, 'state')) => createCrashReporter(directory, () => now);
const reports = (directory = join(folder, 'state')) => readdirSync(directory).map((name) => join(directory, name));

test('the line is short and names the file, which has the stack and is private', () => {
  const line = reporter().report(new Error('something broke'));
  const [file = ''] = reports();
  expect(line).toBe(`msg-tui: internal error: something broke; the details are in ${file}`);
  expect(readFileSync(file, 'utf8')).toMatch(
    /^msg-tui .*, Node v[\s\S]*Error: something broke\n\s+at .*crash-report\.test/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
});

test('no token and no control character is in the line or the file, also not from a cause', () => {
  const { report, hide } = reporter();
  hide('first-token');
  hide('second-token');
  const cause = new Error('second-token \x1b]52;c;eA==\x07');
  const line = report(new Error('first-token\r\n\x1b[2J Bearer third-token', { cause }));
  for (const text of [line, readFileSync(reports()[0]!, 'utf8')]) {
    expect(text).not.toMatch(/first-token|second-token|third-token/);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
  expect(line).not.toContain('\n');
});

test('a token is also removed where the report shows it escaped, as bytes or in Base64', () => {
  const { report, hide } = reporter();
  const token = `sesame\\n"'\`${'q7Wz'.repeat(12)}`;
  hide(token);
  const sent = Buffer.from(`Bearer ${token}`);
  const error = Object.assign(new Error('refused'), { token, sent, header: sent.toString('base64'), list: [token] });
  report(error);
  const text = readFileSync(reports()[0]!, 'utf8');
  const forms = [
    'q7Wzq7Wz',
    'same',
    '71 37 57 7a',
    ...[0, 1, 2].map((at) => sent.subarray(20 + at, 44).toString('base64')),
  ];
  expect(forms.filter((form) => text.includes(form.slice(0, 16))).length).toBe(0);
  expect(text).toContain('[token]');
});

test('the last five reports are kept', () => {
  const { report } = reporter();
  for (let n = 0; n < 7; n++) {
    now += 1000;
    report(new Error(`number ${n}`));
  }
  expect(reports().map((file) => /number \d/.exec(readFileSync(file, 'utf8'))?.[0])).toEqual(
    [2, 3, 4, 5, 6].map((n) => `number ${n}`),
  );
});

test.each([
  ['a file in the place of the directory', (path: string) => writeFileSync(path, '')],
  ['a link', (path: string) => symlinkSync(tmpdir(), path)],
])('%s: the error is reported nevertheless', (_, put) => {
  mkdirSync(folder, { recursive: true });
  put(join(folder, 'state'));
  expect(reporter().report('a text that was thrown')).toBe('msg-tui: internal error: a text that was thrown');
});

const fail = (): never => {
  throw new Error('worse');
};
const thrower = (trap: keyof ProxyHandler<object>): object => new Proxy({}, { [trap]: fail });

test.each<readonly [string, unknown, string]>([
  ['undefined', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a symbol', Symbol('x'), 'Symbol(x)'],
  ['a text of its own', { toString: fail }, 'something was thrown that has no text'],
  ['no text at all', Object.create(null), 'something was thrown that has no text'],
  ['a look of its own', { toString: () => 'odd', [inspect.custom]: fail }, 'odd'],
  [
    'a message of its own',
    Object.defineProperty(new Error('x'), 'message', { get: fail }),
    'something was thrown that has no text',
  ],
  ['a message that is no text', Object.assign(new Error('x'), { message: { toString: () => 'odd' } }), 'odd'],
  ['a prototype of its own', thrower('getPrototypeOf'), 'something was thrown that has no text'],
  ['a stack of its own', Object.defineProperty(new Error('odd'), 'stack', { get: fail }), 'odd'],
  ['values that cannot be got', thrower('get'), 'something was thrown that has no text'],
])('any thrown value is reported: %s', (_, thrown, text) => {
  expect(reporter().report(thrown)).toContain(`msg-tui: internal error: ${text}; the details are in`);
  expect(reports()).toHaveLength(1);
});
