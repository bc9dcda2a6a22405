import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanInput, sanitizeBody, sanitizeLine, sanitizeName } from '../../../src/text/safe/sanitize.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { processorTime } from '../../support/system/processor-time.ts';
import { anyText } from '../arbitraries.ts';

const plainMarkup = ['%s %n {0} ', '{x} <b> [link=x] :emoji: \\x1b'].join('$');

/** What no cleaned text may hold anywhere (joiners are looked at in place). */
const forbidden =
  /(?!\n)[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff\u00ad\u3164]/u;

describe('the threat table', () => {
  const shown: readonly (readonly [string, string, string])[] = [
    ['T1', '\x1b]52;c;cm0gLXJmIH4=\x07', '␛]52;c;cm0gLXJmIH4=␇'],
    ['T1 ST', '\x1b]52;c;AA\x1b\\', '␛]52;c;AA␛\\'],
    ['T1 C1', '\x9d52;c;AA\x9c', '\ufffd52;c;AA\ufffd'],
    ['T2', '\x1b]10;?\x07', '␛]10;?␇'],
    ['T3', '\x1bkPWN\x1b\\\x1b[21t', '␛kPWN␛\\␛[21t'],
    ['T4', '\x1b]8;;https://evil\x07x', '␛]8;;https://evil␇x'],
    ['T5', '\x1b]777;notify;t;b\x07', '␛]777;notify;t;b␇'],
    ['T6', '\x1bP$qm\x1b\\\x1b[6n\x05', '␛P$qm␛\\␛[6n␅'],
    ['T7', '\x1b_Gf=24;AAAA\x1b\\', '␛_Gf=24;AAAA␛\\'],
    ['T8', '\x1b[2J\x1bc\x0e', '␛[2J␛c␎'],
    ['T9', 'a\rb\x08\x7f\x0bc\x0cd\x85e\u2028f', 'a\nb␈␡\nc\nd\ne\nf'],
    ['T10', '\x1b[8mhidden', '␛[8mhidden'],
    ['T11', '\x1b\n[2J', '␛\n[2J'],
    ['T13', 'exe.\u202egpj\u2066', 'exe.⟦RLO⟧gpj⟦LRI⟧'],
    ['T14 marks', `Z${'\u0300'.repeat(10_000)}`, `Z${'\u0300'.repeat(8)}`],
    ['T14 selectors', '\ufe0f'.repeat(1000), ''],
    ['T14 fillers', 'a\u3164\u00ad\u{e0001}\u200bb', 'ab'],
    ['T17', plainMarkup, plainMarkup],
    ['T18', '\ud800a\udc00\ufeff\ufffe', '\ufffda\ufffd\ufffd'],
    ['tab', 'a\tb\t\t日\tc\n\td', 'a   b       日  c\n    d'],
  ];
  test.each(shown)('%s', (_id, raw, expected) => {
    expect(sanitizeBody(raw)).toBe(expected);
  });

  test('T15: names are left without invisible characters', () => {
    expect(sanitizeName('Alice\u200b  ')).toBe('Alice');
    expect(sanitizeName('\u202eevil\u202c')).toBe('evil');
  });

  test('T16: one line stays one line', () => {
    expect(sanitizeLine('a\n[12:00] Alice: b')).toBe('a [12:00] Alice: b');
    expect(sanitizeName('a\r\n\tb')).toBe('a b');
  });
});

describe('what people write', () => {
  test.each([
    'plain ASCII\nwith a second line',
    '👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🏴‍☠️ ❤️‍🔥',
    '👍🏽 ☝🏿 🇩🇪🇫🇷 1️⃣ #️⃣ ❤️ ☎️',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'می‌خواهم العربية שלום',
    'क्षत्रिय श्री‍मान् ක්‍ෂ',
    'ภาษาไทย ที่นี่',
    'Zürich, naïve, e\u0301, 漢字かな交じり文、한국어',
    '─│┌┐ ✓ ✗ → € © ™ ½ ∞',
  ])('%s', (text) => {
    expect(sanitizeBody(text)).toBe(text);
  });

  test('is the same string if it is printable ASCII', () => {
    expect(sanitizeBody('just ASCII')).toBe('just ASCII');
  });
});

describe('clusters whose width terminals disagree on are replaced', () => {
  test.each([
    ['a pair that is no flag', '🇦🇧🇩🇪', 'AB🇩🇪'],
    ['half a flag', '🇩x', 'Dx'],
    ['a mark with no letter', '\u0301a\n\u0301b', '◌\u0301a\n◌\u0301b'],
    ['a loose skin tone', 'a🏽', 'a\ufffd'],
    ['a selector inside a tone', '☝\ufe0f🏽', '☝🏽'],
    ['a joiner between letters', 'a\u200db\u200cc', 'abc'],
    ['a trailing joiner', '👩\u200d', '👩'],
    ['a narrow picture of a wide emoji', '👍\ufe0e', '👍'],
    ['a mark on a flag or an emoji', '🇩🇪\u0301❤️\u0301', '🇩🇪❤️'],
    ['a keycap without its selector', '1\u20e3', '1️⃣'],
    ['a joined emoji without its selector', '❤\u200d🔥', '❤️\u200d🔥'],
    ['loose syllable parts', 'ᅡᆨ', '\ufffd\ufffd'],
    ['a whole syllable', '각', '각'],
    ['Thai sara am', 'ทำ', 'ทํา'],
  ])('%s', (_what, raw, expected) => {
    expect(sanitizeBody(raw)).toBe(expected);
  });

  test('a chain of joined emoji is cut into clusters of eight', () => {
    const text = sanitizeBody(`👩${'\u200d👩'.repeat(1000)}`);
    expect(text.match(/\u200d/g)?.length).toBeGreaterThan(800);
    expect(Math.max(...text.split(/(?<!\u200d)(?=👩)/u).map((cluster) => cluster.length))).toBeLessThanOrEqual(64);
  });

  test('a chain of conjuncts is limited', () => {
    expect(sanitizeBody('क्'.repeat(1000)).length).toBeLessThanOrEqual(64);
  });
});

describe('names', () => {
  test('are never empty', () => {
    expect(sanitizeName(' \u200b\u3164\u2800 ')).toBe('(no name)');
    expect(sanitizeName('')).toBe('(no name)');
  });

  test('have at most 64 clusters', () => {
    expect(sanitizeName('x'.repeat(64))).toBe('x'.repeat(64));
    expect(sanitizeName('x'.repeat(65))).toBe(`${'x'.repeat(63)}…`);
    expect(sanitizeName('👍🏽'.repeat(64))).toBe('👍🏽'.repeat(64));
    expect(sanitizeName('👍🏽'.repeat(65))).toBe(`${'👍🏽'.repeat(63)}…`);
  });
});

describe('properties', () => {
  test('the result has nothing forbidden or malformed, and is the same when cleaned again', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const body = sanitizeBody(raw);
        expect(body).not.toMatch(forbidden);
        expect(sanitizeBody(body)).toBe(body);
        const line = sanitizeLine(raw);
        expect(line).not.toContain('\n');
        expect(sanitizeLine(line)).toBe(line);
        const name = sanitizeName(raw);
        expect(name).toMatch(/\S/);
        expect(sanitizeName(name)).toBe(name);
      }),
      { numRuns: campaignSize(300, 3000) },
    );
  });

  test('a cluster takes at most 64 units', () => {
    const segmenter = new Intl.Segmenter('en');
    const floods = fc
      .tuple(
        fc.array(fc.constantFrom('क्', 'ᄀ', '\u0301', '👩\u200d', '\ufe0f', 'ｶ', 'ﾞ', '🏽', '🇩', '\u0d4e', '\u200c'), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 200 }),
      )
      .map(([parts, times]) => parts.join('').repeat(times));
    fc.assert(
      fc.property(floods, (raw) => {
        const longest = Math.max(...Array.from(segmenter.segment(sanitizeBody(raw)), ({ segment }) => segment.length));
        expect(longest).toBeLessThanOrEqual(64);
      }),
      { numRuns: 200 },
    );
  });

  test('every pair of control characters becomes characters of one column each', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((c) =>
      /\p{Cc}/u.test(c),
    );
    const lines = controls.flatMap((a) => controls.map((b) => sanitizeLine(a + b)));
    const others = lines.filter((line) => !/^[ \u2400-\u2421\ufffd]+$/.test(line) || width(line) !== line.length);
    expect(others).toEqual([]);
  });
});

describe('cleanInput', () => {
  test('keeps text, makes newlines LF, and removes control characters', () => {
    expect(cleanInput('a\r\nb\rc\td\x1b[201~\x07\x9be\u200d\ud800')).toBe('a\nb\nc\td[201~e\u200d\ufffd');
  });
});

describe('cleaning takes linear time for', () => {
  test.each([
    ['an unterminated sequence', `\x1b]${'x'.repeat(300_000)}`],
    ['marks', `Z${'\u0300'.repeat(300_000)}`],
    ['selectors', '\ufe0f'.repeat(300_000)],
    ['joined emoji', '👩\u200d'.repeat(100_000)],
    ['line ends', '\r\n'.repeat(150_000)],
    ['escapes', '\x1b'.repeat(300_000)],
    ['conjuncts', 'क्'.repeat(150_000)],
    ['letters that need no care', 'я'.repeat(300_000)],
  ])('300,000 units of %s', (_what, raw) => {
    const spent = processorTime();
    sanitizeBody(raw);
    // Far above what it takes (2 to 80 ms), far below anything quadratic.
    expect(spent()).toBeLessThan(1500);
  });
});

describe('a text that needs no check by the rules', () => {
  /** With a letter after it that does. */
  const thorough = (text: string): string => sanitizeBody(`${text}Ж`).slice(0, -1);

  test('is Latin letters and common emoji, each as the rules leave it', () => {
    for (let codePoint = 0x20; codePoint < 0x1fb00; codePoint += codePoint === 0x300 ? 0x1f300 - 0x300 : 1) {
      const character = String.fromCodePoint(codePoint);
      const texts = [character, `a${character}b`, `👩\u200d${character}`, `${character}\u200d👩`];
      expect(texts.map(sanitizeBody)).toEqual(texts.map(thorough));
    }
  });

  test('is joined emoji, as many as may be joined and more', () => {
    const pieces = ['a', 'é', '\n', '👩', '😀', '🦰', '🏽', '❤', '\u200d', '\u200d', '\u200d👩', '\u200d👩'.repeat(6)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        expect(sanitizeBody(text)).toBe(thorough(text));
      }),
      { numRuns: campaignSize(300, 3_000) },
    );
  });
});
