import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decoder } from '../../src/terminal/decoder.ts';
import type { InputEvent } from '../../src/terminal/events.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { fakeTimers } from '../support/clocks/fake-timers.ts';
import { processorTime } from '../support/system/processor-time.ts';

function decode(chunks: readonly (string | Buffer)[]): InputEvent[] {
  const events: InputEvent[] = [];
  const clock = fakeTimers();
  const decoder = new Decoder({ onEvent: (event) => events.push(event), timers: clock });
  for (const chunk of chunks) decoder.push(Buffer.from(chunk as string));
  clock.advance(10_000);
  return events;
}

const keys = (bytes: string): string[] =>
  decode([bytes]).map((event) =>
    event.type === 'key' ? event.key : event.type === 'paste' ? `paste:${event.text}` : JSON.stringify(event),
  );

describe('keys', () => {
  const table: readonly [bytes: string, ...keys: string[]][] = [
    ['a', 'a'],
    ['J?é界', 'J', '?', 'é', '界'],
    ['👍', '👍'],
    [' ', 'space'],
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\x7f\x7f\x7f', 'backspace', 'backspace', 'backspace'],
    ['\x08', 'backspace'],
    ['\x00\x01\x0b\x1a', 'ctrl+space', 'ctrl+a', 'ctrl+k', 'ctrl+z'],
    ['\x1c\x1d\x1e\x1f', 'ctrl+\\', 'ctrl+]', 'ctrl+^', 'ctrl+_'],
    ['\x1b', 'escape'],
    ['\x1b\x1b', 'escape', 'escape'],
    ['\x1b\x1b\x1b', 'escape', 'escape', 'escape'],
    ['\x1ba\x1bA\x1b/\x1b1', 'alt+a', 'alt+A', 'alt+/', 'alt+1'],
    ['\x1bé', 'alt+é'],
    ['\x1b\r\x1b\n\x1b\x7f\x1b ', 'alt+enter', 'ctrl+alt+j', 'alt+backspace', 'alt+space'],
    ['\x1b[', 'alt+['],
    ['\x1bO', 'alt+O'],
    ['\x1b]', 'alt+]'],
    ['\x1bP', 'alt+P'],
    // Alt-_ held, Alt-_ and Escape, Alt-[ and Enter
    ['\x1b_\x1b_\x1b_', 'alt+_', 'alt+_', 'alt+_'],
    ['\x1b_\x1b', 'alt+_', 'escape'],
    ['\x1b[\r', 'alt+[', 'enter'],
    // xterm, application cursor keys, rxvt, linux
    ['\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F', 'up', 'down', 'right', 'left', 'home', 'end'],
    ['\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF', 'up', 'down', 'right', 'left', 'home', 'end'],
    [
      '\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~\x1b[7~\x1b[8~',
      'home',
      'insert',
      'delete',
      'end',
      'pageup',
      'pagedown',
      'home',
      'end',
    ],
    ['\x1bOP\x1bOQ\x1bOR\x1bOS\x1b[15~\x1b[24~', 'f1', 'f2', 'f3', 'f4', 'f5', 'f12'],
    ['\x1b[[A\x1b[[E', 'f1', 'f5'],
    ['\x1b[11~\x1b[14~', 'f1', 'f4'],
    ['\x1b[Z', 'shift+tab'],
    [
      '\x1b[1;5A\x1b[1;2B\x1b[1;3C\x1b[1;6D\x1b[1;4B',
      'ctrl+up',
      'shift+down',
      'alt+right',
      'ctrl+shift+left',
      'alt+shift+down',
    ],
    ['\x1b[1;9A', 'alt+up'],
    ['\x1b[3;5~\x1b[5;3~\x1b[1;2P\x1b[1;2R', 'ctrl+delete', 'alt+pageup', 'shift+f1', 'shift+f3'],
    ['\x1b[a\x1bOa\x1b[3^\x1b[3$\x1b[3@', 'shift+up', 'ctrl+up', 'ctrl+delete', 'shift+delete', 'ctrl+shift+delete'],
    ['\x1b\x1b[A\x1b\x1bOB\x1b\x1b[5~', 'alt+up', 'alt+down', 'alt+pageup'],
    ['\x1bOM\x1bOj\x1bOp', 'enter', '*', '0'],
    // kitty, modifyOtherKeys
    ['\x1b[27u\x1b[13;2u\x1b[13;5u\x1b[9;2u', 'escape', 'shift+enter', 'ctrl+enter', 'shift+tab'],
    ['\x1b[97;5u\x1b[97;3u\x1b[97;7u\x1b[97;6u\x1b[97:65;2u', 'ctrl+a', 'alt+a', 'ctrl+alt+a', 'ctrl+A', 'A'],
    ['\x1b[104;5u\x1b[105;5u\x1b[109;5u\x1b[106;5u\x1b[91;5u', 'backspace', 'tab', 'enter', 'ctrl+j', 'escape'],
    [
      '\x1b[127u\x1b[127;2u\x1b[127;5u\x1b[32;2u\x1b[32;5u',
      'backspace',
      'backspace',
      'ctrl+backspace',
      'space',
      'ctrl+space',
    ],
    ['\x1b[47;5u\x1b[45;6u', 'ctrl+_', 'ctrl+_'],
    // Alt-<, Alt-! and Alt-_ of a US keyboard, Ctrl-/ of a German one
    ['\x1b[44:60;4u\x1b[49:33;4u\x1b[45:95;4u\x1b[55:47;6u', 'alt+<', 'alt+!', 'alt+_', 'ctrl+_'],
    // the keys of Ctrl-K, Alt-A and Ctrl-H on a Russian keyboard; a German ü is not the bracket of a US keyboard
    ['\x1b[1083::107;5u\x1b[1092:1060:97;4u\x1b[1088::104;5u\x1b[252::91;5u', 'ctrl+k', 'alt+A', 'backspace', 'ctrl+ü'],
    ['\x1b[1083::107u', 'л'],
    ['\x1b[57400u\x1b[57414u\x1b[57419;5u', '1', 'enter', 'ctrl+up'],
    ['\x1b[97;65u', 'a'],
    ['\x1b[97;1:3u\x1b[1;1:3A\x1b[97;9u\x1b[57358u\x1b[1114112u\x1b[55296u'],
    ['\x1b[1;1:2A', 'up'],
    ['\x1b[27;5;13~\x1b[27;2;13~\x1b[27;5;97~', 'ctrl+enter', 'shift+enter', 'ctrl+a'],
  ];

  test.each(table)('%j', (bytes, ...expected) => {
    expect(keys(bytes)).toEqual(expected);
  });

  test('text arrives as the text to be inserted', () => {
    expect(decode(['a ', '\x1ba\r'])).toEqual([
      { type: 'key', key: 'a', text: 'a' },
      { type: 'key', key: 'space', text: ' ' },
      { type: 'key', key: 'alt+a', text: '', afterEscape: { type: 'key', key: 'a', text: 'a' } },
      { type: 'key', key: 'enter', text: '' },
    ]);
  });

  test('Alt with a character may be Escape and that character; Alt with a key that has a name is Alt', () => {
    const behind = (bytes: string) => decode([bytes]).map((event) => (event.type === 'key' ? event.afterEscape : null));
    expect(behind('\x1b\x11')).toEqual([{ type: 'key', key: 'ctrl+q', text: '' }]);
    expect(behind('\x1b\u00e9')).toEqual([{ type: 'key', key: '\u00e9', text: '\u00e9' }]);
    expect(behind('\x1b[')).toEqual([{ type: 'key', key: '[', text: '[' }]);
    expect(behind('\x1b\r\x1b\t\x1b\x7f\x1b[97;3u\x1b[1;3A')).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('an Escape waits 50 ms for the rest of a sequence', () => {
    const events: InputEvent[] = [];
    const clock = fakeTimers();
    const decoder = new Decoder({ onEvent: (event) => events.push(event), timers: clock });
    decoder.push(Buffer.from('\x1b'));
    clock.advance(49);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual([{ type: 'key', key: 'escape', text: '' }]);
    decoder.push(Buffer.from('\x1b'));
    clock.advance(40);
    decoder.push(Buffer.from('[1'));
    clock.advance(400);
    decoder.push(Buffer.from(';5A'));
    expect(events.at(-1)).toEqual({ type: 'key', key: 'ctrl+up', text: '' });
    expect(clock.pending()).toBe(0);
  });

  test('a sequence that comes whole sets no timer, and one that is cut sets one', () => {
    const clock = fakeTimers();
    let set = 0;
    const setTimeout = (callback: () => void, ms: number): unknown => {
      set++;
      return clock.setTimeout(callback, ms);
    };
    const decoder = new Decoder({ onEvent: () => undefined, timers: { ...clock, setTimeout } });
    decoder.push(Buffer.from('\x1b[5~\x1bOP\x1b[<0;3;5M\x1b]52;c;aGk=\x07'));
    expect(set).toBe(0);
    decoder.push(Buffer.from('\x1b[5~\x1b[6'));
    expect(set).toBe(1);
    decoder.push(Buffer.from('~'));
    expect([set, clock.pending()]).toEqual([1, 0]);
  });
});

describe('bytes that are not a key', () => {
  test('reports of the mouse become clicks, drags and turns of the wheel', () => {
    expect(
      decode([
        '\x1b[<0;3;5M\x1b[<0;3;5m\x1b[<32;4;5M\x1b[<35;1;1M\x1b[<64;1;1M\x1b[<81;2;2M\x1b[<66;1;1M\x1b[<128;1;1M',
      ]),
    ).toMatchObject([
      { type: 'mouse', action: 'press', button: 'left', x: 2, y: 4 },
      { action: 'release', button: 'left' },
      { action: 'drag', button: 'left', x: 3 },
      { action: 'move', button: 'none', x: 0, y: 0 },
      { action: 'wheel-up', button: 'none', ctrl: false },
      { action: 'wheel-down', ctrl: true },
    ]);
  });

  test('reports of the focus and replies of the terminal are recognised', () => {
    expect(
      decode([
        '\x1b[I\x1b[O\x1b[?62;22c\x1b[?1u\x1b[?2026;2$y\x1b[?997;1n\x1b[?997;2n\x1b]11;rgb:ffff/8080/0000\x07\x1b]11;rgb:1e/1e/2e\x1b\\\x1bP>|foot(1.2)\x1b\\\x1b[?62;4c\x1b[4;480;800t\x1b[6;20;10t',
      ]),
    ).toEqual([
      { type: 'focus', focused: true },
      { type: 'focus', focused: false },
      { type: 'reply', reply: 'device-attributes', attributes: [22] },
      { type: 'reply', reply: 'kitty-keyboard', flags: 1 },
      { type: 'reply', reply: 'colour-scheme', isLight: false },
      { type: 'reply', reply: 'colour-scheme', isLight: true },
      { type: 'reply', reply: 'background', rgb: [255, 128, 0] },
      { type: 'reply', reply: 'background', rgb: [30, 30, 46] },
      { type: 'reply', reply: 'version', text: 'foot(1.2)' },
      { type: 'reply', reply: 'device-attributes', attributes: [4] },
      { type: 'reply', reply: 'text-area', width: 800, height: 480 },
      { type: 'reply', reply: 'cell-size', width: 10, height: 20 },
    ]);
  });

  test.each([
    '\x1b[12;40R',
    '\x1b[>1;2;3c',
    '\x1b[8;24;80t',
    '\x1b[0n',
    '\x1b[M !!',
    '\x1b[97;1;1M',
    '\x1b]52;c;Zm9v\x07',
    '\x1b]0;title\x1b\\',
    '\x1bP1$r0m\x1b\\',
    '\x1b_Gi=1;OK\x1b\\',
    '\x1b^pm\x1b\\',
    '\x1b[99~',
    '\x1b[200;300;400X',
    '\x1b[201~',
    '\x1b[E',
  ])('%j is ignored as a whole', (bytes) => {
    expect(keys(`${bytes}x`)).toEqual(['x']);
  });

  test('Escape and then the wheel are read as these two', () => {
    expect(keys('\x1b\x1b[<64;1;1M')[0]).toBe('escape');
    expect(keys('\x1b\x1b[<64;1;1M')).toHaveLength(2);
  });

  test('broken sequences end at the next control character and delay nothing', () => {
    expect(keys('\x1b[1;5\rx')).toEqual(['enter', 'x']);
    expect(keys('\x1b[1;5\x1b[A')).toEqual(['up']);
    expect(keys(`\x1b[${'1;'.repeat(100_000)}mx`)).toEqual(['x']);
    expect(keys(`\x1b]0;${'y'.repeat(100_000)}\x07x`)).toEqual(['x']);
    expect(keys('\x1b]unfinished')).toEqual([]);
  });

  test('bytes that are not UTF-8 insert nothing', () => {
    expect(
      decode([Buffer.from([0x61, 0xff, 0xc3, 0x0d, 0xc2, 0x9b, 0x62])]).map(
        (event) => event.type === 'key' && event.key,
      ),
    ).toEqual(['a', 'enter', 'b']);
  });
});

describe('paste', () => {
  const wrap = (text: string): string => `\x1b[200~${text}\x1b[201~`;

  test('is one event, with newlines as LF and without control characters', () => {
    expect(keys(wrap('a\r\nb\rc\nd\x07\x1b[31m\x7f'))).toEqual(['paste:a\nb\nc\nd[31m']);
    expect(keys(`${wrap('x')}y`)).toEqual(['paste:x', 'y']);
    expect(keys(wrap(''))).toEqual([]);
  });

  test('an end mark in the clipboard neither ends the paste nor sends', () => {
    const events = keys(wrap('x\x1b[201~\ry'));
    expect(events.join('')).toBe('paste:xpaste:\ny');
    expect(keys(wrap('x\x1b[201~\r\x1b[200~y')).every((key) => key.startsWith('paste:'))).toBe(true);
    expect(keys(wrap('a\x1b[20\x1b[200~0~b'))).toEqual(['paste:ab']);
    expect(keys(wrap('a\x1b[20\x1b[201~1~b')).every((key) => key.startsWith('paste:') && !key.includes('\x1b'))).toBe(
      true,
    );
  });

  test('ends before a key that is typed after it, once the burst is over', () => {
    const events: InputEvent[] = [];
    const clock = fakeTimers();
    const decoder = new Decoder({ onEvent: (event) => events.push(event), timers: clock });
    decoder.push(Buffer.from(wrap('x')));
    expect(events).toEqual([{ type: 'paste', text: 'x' }]);
    clock.advance(25);
    decoder.push(Buffer.from('\r'));
    expect(events.at(-1)).toEqual({ type: 'key', key: 'enter', text: '' });
  });

  test('without an end arrives after five idle seconds', () => {
    const events: InputEvent[] = [];
    const clock = fakeTimers();
    const decoder = new Decoder({ onEvent: (event) => events.push(event), timers: clock });
    decoder.push(Buffer.from('\x1b[200~half'));
    clock.advance(4999);
    decoder.push(Buffer.from(' more'));
    clock.advance(4999);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual([{ type: 'paste', text: 'half more' }]);
  });

  test('five megabytes in small chunks take linear time', () => {
    const size = 5 << 20;
    const all = Buffer.from(wrap('0123456789abcde\r'.repeat(size / 16)));
    const chunks = Array.from({ length: Math.ceil(all.length / 4096) }, (_, i) =>
      all.subarray(i * 4096, (i + 1) * 4096),
    );
    const spent = processorTime();
    const [event] = decode(chunks);
    expect(event).toMatchObject({ type: 'paste' });
    expect(event?.type === 'paste' && event.text.length).toBe(size);
    expect(spent()).toBeLessThan(2000);
  });
});

test('any chunking of the same bytes gives the same events', () => {
  const pieces = fc.constantFrom(
    'a',
    'é',
    '界',
    '👍',
    '\r',
    '\x7f',
    '\x1b',
    '\x1b[A',
    '\x1b[1;5C',
    '\x1bOP',
    '\x1b[<0;1;1M',
    '\x1b[200~',
    '\x1b[201~',
    'text',
    '\x1b]11;rgb:0/0/0\x07',
    '\x1b]x\x1b\\',
    '\x1b[97;5u',
    '\x1b[M',
    '\x1b[I',
    '\x1b[3$',
    '\x1b[?1u',
    '\x1b[[A',
    '\x1bP',
    '[',
    'O',
    '\n',
    '~',
  );
  const stream = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(stream, fc.array(fc.nat(60), { maxLength: 8 }), (bytes, cuts) => {
      const whole = decode([bytes]);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      expect(decode(places.slice(1).map((to, i) => bytes.subarray(places[i], to)))).toEqual(whole);
      expect(decode(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
    }),
    { numRuns: campaignSize(125, 1000) },
  );
});

test('no byte stream makes an event that holds a control character', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e, 0x4f, 0x5d, 0x07, 0x9b, 0xc2, 0x61, 0x3b, 0x75, 0x00, 0x0d),
        { maxLength: 60 },
      ),
      (bytes) => {
        for (const event of decode([Buffer.from(bytes)])) {
          if (event.type === 'key' || event.type === 'paste')
            expect(event.text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        }
      },
    ),
    { numRuns: campaignSize(125, 1000) },
  );
});
