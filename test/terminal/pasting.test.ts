/** A paste never sends: whatever is in it, however it is cut, and wherever the line stops. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decoder } from '../../src/terminal/decoder.ts';
import type { InputEvent } from '../../src/terminal/events.ts';
import { createIdleTimer } from '../../src/terminal/idle-timer.ts';
import { cleanPaste } from '../../src/terminal/paste.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { fakeTimers } from '../support/clocks/fake-timers.ts';

const startMark = '\x1b[200~';
const endMark = '\x1b[201~';

interface Piece {
  readonly bytes: string | Buffer;
  /** Milliseconds of silence before it. */
  readonly after: number;
}

function decode(pieces: readonly Piece[]): InputEvent[] {
  const events: InputEvent[] = [];
  const clock = fakeTimers();
  const decoder = new Decoder({ onEvent: (event) => events.push(event), timers: clock });
  for (const { bytes, after } of pieces) {
    clock.advance(after);
    decoder.push(Buffer.from(bytes as string));
  }
  clock.advance(20_000);
  return events;
}

/** Pasted text as it is, keys in angle brackets. */
const shown = (events: readonly InputEvent[]): string =>
  events.map((event) => (event.type === 'paste' ? event.text : event.type === 'key' ? `<${event.key}>` : '')).join('');
const pasted = (events: readonly InputEvent[]): string =>
  events.map((event) => (event.type === 'paste' ? event.text : '')).join('');

/** A paste that stopped after "one", and what came then. */
const stalled = (rest: readonly (string | Buffer)[], pauseMs: number): InputEvent[] =>
  decode([
    { bytes: `${startMark}one`, after: 0 },
    ...rest.map((bytes, i) => ({ bytes, after: i === 0 ? 6000 : pauseMs })),
  ]);

describe('a paste that goes on after a long pause', () => {
  test.each([0, 30, 1500, 6000])('is still a paste (%i ms between the pieces)', (pauseMs) => {
    expect(shown(stalled(['\r', 'two\r', 'three', endMark], pauseMs))).toBe('one\ntwo\nthree');
    expect(shown(stalled([' two\rthree\x1b[20', '1~'], pauseMs))).toBe('one two\nthree');
    expect(shown(stalled([Buffer.of(0xc3), Buffer.of(0xa9), '\r', endMark], pauseMs))).toBe('oneé\n');
    expect(shown(stalled(['\r', '\ntwo\r', endMark], pauseMs))).toBe('one\ntwo\n');
  });

  test.each([
    ['\r', '\n'],
    ['\n', '\n'],
    ['\x1b', ''],
    ['\x1b\r', '\n'],
    ['\x1b[A', '[A'],
    ['\x1b[13u', '[13u'],
    ['\x1b[27;5;13~', '[27;5;13~'],
    ['\x1bOM', 'OM'],
    ['\x1b[A\r', '[A\n'],
    ['\x7f', ''],
    ['\x11', ''],
    ['\x03k', 'k'],
  ])('contains %j as text, and what follows it', (bytes, text) => {
    const events = stalled([bytes, '\r', '\x1b[13u', 'k'], 6000);
    expect(shown(events)).toBe(`one${text}\n[13uk`);
    expect(events.filter(({ type }) => type === 'paste-open')).toHaveLength(4);
  });

  test.each(['\x03', '\x1b[99;5u', '\x1b[99;133u', '\x1b[27;5;99~'])(
    'ends with Ctrl-C (%j) that has silence around it',
    (key) => {
      expect(shown(stalled([key, 'k\r'], 1000))).toBe('one<k><enter>');
      expect(shown(stalled([key, key + key, key, 'k', '\r'], 1000))).toBe(`one<ctrl+c><ctrl+c><ctrl+c><k><enter>`);
      expect(shown(stalled([' two', key, 'k', '\r'], 1000))).toBe('one two<k><enter>');
    },
  );

  test('counts Ctrl-C in quick succession once', () => {
    const events = decode([
      { bytes: `${startMark}one`, after: 0 },
      { bytes: '\x03', after: 6000 },
      { bytes: '\x03', after: 200 },
      { bytes: '\x03\x03', after: 900 },
      { bytes: 'k\r', after: 1000 },
    ]);
    expect(shown(events)).toBe('one<k><enter>');
  });

  const notAlone: readonly [string, ...(readonly [string, number])[]][] = [
    ['too soon after a piece', [' two', 999], ['\x03', 999], ['\r', 5000]],
    ['too soon before a piece', [' two', 6000], ['\x03', 6000], ['\r', 999]],
    ['with something else', [' two', 6000], ['\x03\r', 6000], ['\r', 6000]],
  ];
  test.each(notAlone)('does not end with Ctrl-C %s', (_name, ...rest) => {
    const pieces = rest.map(([bytes, after]) => ({ bytes, after }));
    const events = decode([{ bytes: `${startMark}one`, after: 0 }, { bytes: '', after: 6000 }, ...pieces]);
    expect(shown(events)).not.toContain('<');
  });

  test('ends with another paste, too', () => {
    expect(shown(stalled([`${startMark}two${endMark}`, 'k', '\r'], 100))).toBe('onetwo<k><enter>');
  });

  test('is marked as unfinished only when more has come after its text was shown', () => {
    const events = stalled([endMark], 100);
    expect(events).toEqual([{ type: 'paste', text: 'one' }]);
  });
});

test('each further part of a paste is marked as such, and the start of another paste is not', () => {
  const parts = (events: readonly InputEvent[]) =>
    events.flatMap((event) => (event.type === 'paste' ? [[event.text, event.isMore === true]] : []));
  expect(parts(stalled(['two', endMark], 6000))).toEqual([
    ['one', false],
    ['two', true],
  ]);
  const withMarks = `${startMark}one${endMark}two${endMark}${startMark}three${endMark}`;
  const events = decode([
    { bytes: withMarks, after: 0 },
    { bytes: `${startMark}four${endMark}`, after: 100 },
  ]);
  expect(parts(events)).toEqual([
    ['one', false],
    ['two', true],
    ['three', true],
    ['four', false],
  ]);
});

test.each([1, 2, 3, 4, 5])('a start mark that stops for long after %i bytes begins a paste', (at) => {
  const events = decode([
    { bytes: startMark.slice(0, at), after: 0 },
    { bytes: `${startMark.slice(at)}one\r`, after: 6000 },
    { bytes: `two\r${endMark}`, after: 6000 },
  ]);
  expect(pasted(events)).toBe('one\ntwo\n');
  expect(shown(events)).not.toContain('<enter>');
});

test('a report of the mouse does not swallow a start mark', () => {
  expect(shown(decode([{ bytes: `\x1b[M !${startMark}one\r${endMark}`, after: 0 }]))).toBe('one\n');
});

test('input that waits is read before a pause counts', () => {
  const due: (() => void)[] = [];
  const idleTimer = createIdleTimer({
    setTimeout: (callback) => due.push(callback),
    clearTimeout: () => due.splice(0),
  });
  let isOver = false;
  idleTimer.wait(5000, () => {
    isOver = true;
  });
  // The program was stopped: its timer is due, and then the loop reads.
  due.shift()?.();
  expect(isOver).toBe(false);
  idleTimer.wait(5000, () => undefined);
  expect(due).toHaveLength(1);
});

describe('for all pastes, pieces and pauses', () => {
  const texts = fc
    .array(
      fc.constantFrom(
        'word ',
        '日本語',
        '👍',
        'é',
        '\r',
        '\n',
        '\r\n',
        '\t',
        '\x1b',
        '\x1b\r',
        '\x1b[A',
        '\x1b[13u',
        '\x1b[13;5u',
        '\x1b[27;5;13~',
        '\x1bOM',
        '\x1b[31m',
        '\x1b[<0;3;5M',
        '\x1b[M',
        '\x1b]0;t\x07',
        '\x11',
        '\x04',
        '\x7f',
        '\x9b13u',
        '\x1b[20',
        startMark,
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
  /** Bytes of a piece, and the silence before it. */
  const cuts = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 0, 20, 60, 1100, 5100, 12_000)), {
    minLength: 1,
    maxLength: 60,
  });
  const cutUp = (text: string, sizes: readonly (readonly [number, number])[]): Piece[] => {
    const bytes = Buffer.from(text);
    const pieces: Piece[] = [];
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const [size, after] = sizes[i % sizes.length] ?? [1, 0];
      pieces.push({ bytes: bytes.subarray(at, at + size), after });
      at += size;
    }
    return pieces;
  };
  /** Of a start mark that stopped in the middle, a few characters are typed; what follows them is pasted. */
  const ofTheMark = ['escape', 'alt+[', '[', '2', '0'];

  test('nothing is sent, nothing is read as a key, and the text is there', () => {
    fc.assert(
      fc.property(texts, cuts, (text, sizes) => {
        fc.pre(!text.includes(endMark));
        const events = decode(cutUp(startMark + text + endMark, sizes));
        for (const event of events) if (event.type === 'key') expect(ofTheMark).toContain(event.key);
        // A mark that parts CR from LF makes two line ends of them where the line stopped there.
        const compared = (found: string): string => (text.includes(startMark) ? found.replaceAll('\n', '') : found);
        expect(compared(pasted(events))).toBe(compared(cleanPaste(Buffer.from(text))));
      }),
      { numRuns: campaignSize(300, 3000) },
    );
  });

  test('a paste without an end does the same, and a paste after it ends it', () => {
    fc.assert(
      fc.property(texts, cuts, (text, sizes) => {
        fc.pre(!text.includes(endMark));
        const pieces = cutUp(startMark + text, sizes);
        const events = decode([
          ...pieces,
          { bytes: `${startMark}again${endMark}`, after: 5100 },
          { bytes: '\r', after: 100 },
        ]);
        const keys = events.flatMap((event) => (event.type === 'key' && !ofTheMark.includes(event.key) ? [event] : []));
        expect(keys).toEqual([{ type: 'key', key: 'enter', text: '' }]);
        expect(events.at(-1)).toEqual(keys[0]);
        expect(pasted(events).endsWith('again')).toBe(true);
      }),
      { numRuns: campaignSize(150, 1500) },
    );
  });
});
