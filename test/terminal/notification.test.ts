/** The bytes of notifications and of the window's title, whatever the texts hold. */
import { describe, expect, test } from 'vitest';
import { initialCapabilities, learnFromReply, queriesFor } from '../../src/terminal/capabilities.ts';
import { bell, closeSequence, notificationSequence, titleSequence } from '../../src/terminal/notification.ts';
import { chooseMethod, terminalMethods } from '../../src/terminal/notification-method.ts';
import { meaningOfOsc } from '../../src/terminal/sequence.ts';
import { sanitizeLine } from '../../src/text/safe/sanitize.ts';
import type { SafeText } from '../../src/text/safe-text.ts';
import { facts } from './fixtures/facts.ts';

const direct = { isTmux: false, isUtf8: true };
const note = (title: string, body: string) => ({ id: 'm-1', title: sanitizeLine(title), body: sanitizeLine(body) });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the bytes', () => {
  test.each([
    [
      'osc99',
      `\x1b]99;i=m-1:d=0:e=1:a=focus,report;${base64('Ann; B')}\x1b\\\x1b]99;i=m-1:d=1:e=1:p=body;${base64('Hé;y')}\x1b\\`,
    ],
    ['osc777', '\x1b]777;notify;Ann, B;Hé;y\x1b\\'],
    ['osc9', '\x1b]9;Ann; B: Hé;y\x1b\\'],
    ['bell', '\x07'],
  ] as const)('of %s', (method, bytes) => {
    expect(notificationSequence(method, note('Ann; B', 'Hé;y'), direct)).toBe(bytes);
  });

  test('have every ESC doubled through tmux, and the bell is added', () => {
    const inTmux = { isTmux: true, isUtf8: true };
    expect(notificationSequence('osc777', note('Ann', 'Hi'), inTmux)).toBe(
      '\x1bPtmux;\x1b\x1b]777;notify;Ann;Hi\x1b\x1b\\\x1b\\\x07',
    );
    expect(notificationSequence('bell', note('Ann', 'Hi'), inTmux)).toBe(bell);
    expect(closeSequence('m-1', inTmux)).toBe('\x1bPtmux;\x1b\x1b]99;i=m-1:p=close;\x1b\x1b\\\x1b\\');
  });

  test('are right for an empty body, a text like a command of ConEmu, and a terminal with ASCII only', () => {
    expect(notificationSequence('osc99', note('Ann', ''), direct)).toBe(
      `\x1b]99;i=m-1:d=1:e=1:a=focus,report;${base64('Ann')}\x1b\\`,
    );
    expect(notificationSequence('osc9', note('4;3;50', ''), direct)).toBe('\x1b]9;msg-tui: 4;3;50\x1b\\');
    expect(notificationSequence('osc777', note('Ünal', '漢'), { ...direct, isUtf8: false })).toBe(
      '\x1b]777;notify;?nal;??\x1b\\',
    );
    expect(titleSequence(sanitizeLine('(3) Ünal'), { isUtf8: true })).toBe('\x1b]2;(3) Ünal\x1b\\');
  });

  const hostile = [
    '\x1b]0;x\x07',
    'a\x1b\\b',
    'a\x07b',
    'a\nb\r\n',
    '\x9d9;x\x9c',
    '\u202ertl',
    '\x00',
    'é'.repeat(5_000),
    '🏴'.repeat(900),
  ];

  test.each(hostile)('contain no control character of a text: %j', (text) => {
    for (const raw of [text as SafeText, sanitizeLine(text)])
      for (const method of terminalMethods) {
        const bytes = notificationSequence(method, { id: 'm-1', title: raw, body: raw }, direct);
        const inside = bytes.replace(/^\x07$/, '').replaceAll(/\x1b\]99;|\x1b\]777;|\x1b\]9;|\x1b\\/g, '');
        expect(inside).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        expect(inside).not.toContain('\ufffd'.repeat(2));
        expect(Buffer.byteLength(bytes)).toBeLessThan(4_000);
      }
    expect(titleSequence(text as SafeText, direct).slice(4, -2)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });
});

describe('the method', () => {
  test.each([
    [{}, 'bell'],
    [{ term: 'xterm-kitty' }, 'osc99'],
    [{ term: 'tmux-256color', termProgram: 'tmux', host: 'kitty', isTmux: true }, 'osc99'],
    [{ termProgram: 'ghostty' }, 'osc777'],
    [{ termProgram: 'WezTerm' }, 'osc777'],
    [{ term: 'foot' }, 'osc777'],
    [{ term: 'rxvt-unicode-256color' }, 'osc777'],
    [{ termProgram: 'iTerm.app' }, 'osc9'],
    [{ isSsh: true, host: 'iterm2' }, 'osc9'],
    [{ isWindowsTerminal: true }, 'bell'],
    [{ term: 'screen', host: 'kitty', isScreen: true }, 'bell'],
  ] as const)('of %j is %s', (patch, method) => {
    const all = { ...facts, ...patch };
    expect(chooseMethod(all, initialCapabilities(all), null).method).toBe(method);
  });

  test('is the answer of the terminal, and before that the answer of the user', () => {
    const answer = meaningOfOsc('99;i=msg-tui:p=?;a=focus,report:p=title,body,close');
    expect(answer).toEqual({ type: 'reply', reply: 'notifications' });
    const known = learnFromReply(initialCapabilities(facts), { type: 'reply', reply: 'notifications' });
    expect(chooseMethod(facts, known, null).method).toBe('osc99');
    expect(chooseMethod(facts, known, 'osc9').method).toBe('osc9');
    expect(queriesFor(facts)).toContain('\x1b]99;i=msg-tui:p=?;\x1b\\');
    expect(queriesFor({ ...facts, term: 'linux' })).not.toContain(']99');
  });

  test('is OSC 99 if a click names its notification; no other reply is one', () => {
    expect(meaningOfOsc('99;i=msg-tui-12-3;')).toEqual({
      type: 'reply',
      reply: 'notification-click',
      id: 'msg-tui-12-3',
    });
    for (const other of ['99;i=m-1:p=close;', '99;;', '99;i=;', '99;i=m-1;2', '99;i=a b;', '99'])
      expect(meaningOfOsc(other), other).toBe(null);
  });
});
