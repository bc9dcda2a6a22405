/** Removes the token from every text that is shown or logged (R-TOK-2). */

export type Redact = (text: string) => string;

/** This many characters from the beginning of a token count as the token: a server may have cut the rest off. */
const shortestRun = 12;

/** Long words are broken over lines, as in mails and in Base64; the lines may be indented. */
const lineEnd = String.raw`(?:\r?\n[ \t]{0,64})?`;

/** One way to write a token down: the spellings of each of its parts, and what may come between two parts. */
interface Notation {
  readonly parts: readonly (readonly string[])[];
  /** The source of a regular expression. */
  readonly between: string;
  /** From this many parts on, counted from the first one, a text holds the token. */
  readonly least: number;
}

/**
 * Replaces the token and every beginning of it that has at least twelve characters, and whatever follows `Bearer`. The
 * token is found as it is, escaped (as in JSON, in addresses, in quotes and in HTML), and as `util.inspect` shows bytes (in
 * hexadecimal or decimal), and in Base64; also where it is broken over several lines.
 */
export function createRedact(token: string): Redact {
  let finders: readonly Redact[] | null = null;
  return (text) => {
    // Created with the first text, since most starts have none to redact before the first frame.
    finders ??= notationsOf(token).map(createFinder);
    return finders
      .reduce((done, replaceIn) => replaceIn(done), text)
      .replace(/Bearer\s+(?!\[token\])\S+/gi, 'Bearer [token]');
  };
}

function notationsOf(token: string): readonly Notation[] {
  const bytes = Buffer.from(token);
  const of = (parts: Notation['parts'], between: string): Notation => ({
    parts,
    between,
    least: Math.min(shortestRun, parts.length),
  });
  return [
    // Texts are escaped more than once: how many backslashes there are does not matter, also not those of the token.
    of(
      [...token.replaceAll('\\', '')].map(escapesOf),
      (token.includes('\\')
        ? String.raw`(?:\\|%5[cC]|u005[cC]|x5[cC]|&bsol;|&#0?92;|&#x5[cC];){0,64}`
        : String.raw`\\{0,64}`) + lineEnd,
    ),
    of(
      [...bytes].map((byte) => [hex(byte)]),
      `${lineEnd} ?`,
    ),
    of(
      [...bytes].map((byte) => [String(byte)]),
      String.raw`[,\s]{1,20}`,
    ),
    ...[0, 1, 2].map((offset) => base64Of(bytes, offset)),
  ].filter(({ parts }) => parts.length > 0);
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** The spellings of one character; the backslash of an escape is matched by `between`. */
function escapesOf(character: string): readonly string[] {
  const number = character.charCodeAt(0);
  const code = hex(number);
  const codes = [...new Set([code, code.toUpperCase()])];
  const inHtml = [...(htmlNames[character] ?? []), `#${number}`, `#0${number}`].map((name) => `&${name};`);
  return [
    ...codes.flatMap((digits) => [`u00${digits}`, `x${digits}`, `%${digits}`, `&#x${digits};`]),
    ...inHtml,
    character,
  ];
}

/** The names that HTML 5 has for the ASCII characters; a server may use one for each character that is no letter or digit. */
const htmlNames: Readonly<Record<string, readonly string[]>> = {
  '!': ['excl'],
  '"': ['quot', 'QUOT'],
  '#': ['num'],
  $: ['dollar'],
  '%': ['percnt'],
  '&': ['amp', 'AMP'],
  "'": ['apos'],
  '(': ['lpar'],
  ')': ['rpar'],
  '*': ['ast', 'midast'],
  '+': ['plus'],
  ',': ['comma'],
  '.': ['period'],
  '/': ['sol'],
  ':': ['colon'],
  ';': ['semi'],
  '<': ['lt', 'LT'],
  '=': ['equals'],
  '>': ['gt', 'GT'],
  '?': ['quest'],
  '@': ['commat'],
  '[': ['lbrack', 'lsqb'],
  ']': ['rbrack', 'rsqb'],
  '^': ['Hat'],
  _: ['lowbar', 'UnderBar'],
  '`': ['grave', 'DiacriticalGrave'],
  '{': ['lbrace', 'lcub'],
  '|': ['vert', 'verbar', 'VerticalLine'],
  '}': ['rbrace', 'rcub'],
};

/** The token in Base64 after `offset` other bytes (modulo 3), without the digits that its neighbours change. */
function base64Of(bytes: Buffer, offset: number): Notation {
  const digits = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const first = Math.ceil((offset * 8) / 6);
  const parts = [...digits.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))].map(
    (digit) => ({ '-': ['-', '+'], _: ['_', '/'] })[digit] ?? [digit],
  );
  return { parts, between: lineEnd, least: Math.min(Math.ceil((shortestRun * 8) / 6), parts.length) };
}

function createFinder({ parts, between, least }: Notation): Redact {
  const sources = parts.slice(0, least).map((spellings) => `(?:${spellings.map(quoted).join('|')})`);
  const beginning = new RegExp(sources.join(between), 'g');
  const gap = new RegExp(between, 'y');
  /** The index at which the text no longer continues as the token does. */
  const endOfRun = (text: string, from: number): number => {
    let end = from;
    for (const spellings of parts.slice(least)) {
      gap.lastIndex = end;
      const next = gap.test(text) ? gap.lastIndex : end;
      const found = spellings.find((spelling) => text.startsWith(spelling, next));
      if (found === undefined) break;
      end = next + found.length;
    }
    return end;
  };
  return (text) => {
    let done = '';
    let from = 0;
    beginning.lastIndex = 0;
    for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
      done += `${text.slice(from, match.index)}[token]`;
      from = endOfRun(text, beginning.lastIndex);
      beginning.lastIndex = from;
    }
    return done + text.slice(from);
  };
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
