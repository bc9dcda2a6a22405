/** Reads a line of text with SGR sequences, as Ink makes it, into a row. */
import type { Row, Span, Style } from '../text/layout/row.ts';
import { emptyRow, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';

/** SGR sequences; any other control sequence, which is dropped; a run of text. */
const tokens =
  // biome-ignore lint/complexity/useRegexLiterals: the class of controls reads better escaped once
  new RegExp(
    '\\x1b\\[([0-9:;]*)m|\\x1b\\[[0-?]*[ -/]*[@-~]?|\\x1b[\\]PX^_][^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c)?|\\x1b[ -/]*[0-~]?|[\\x00-\\x1f\\x7f-\\x9f]|[^\\x00-\\x1f\\x7f-\\x9f]+',
    'g',
  );

/** Of the attributes of a group only the last one counts; the "off" code of the group removes it. */
type Group =
  | 'weight'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'blink'
  | 'inverse'
  | 'hidden'
  | 'strike'
  | 'overline'
  | 'foreground'
  | 'background';
type Attributes = Map<Group, string>;

const setters: Readonly<Record<number, Group>> = {
  1: 'weight',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  5: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'strike',
  21: 'underline',
  53: 'overline',
};
const resetters: Readonly<Record<number, readonly Group[]>> = {
  22: ['weight', 'dim'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['strike'],
  39: ['foreground'],
  49: ['background'],
  55: ['overline'],
};

/** Text is cleaned once more on the way: whatever a component let through, only SGR reaches the terminal from here. */
export function rowOfAnsi(line: string): Row {
  if (line === '') return emptyRow;
  const out: Span[] = [];
  const attributes: Attributes = new Map();
  let style: Style = '';
  let text = '';
  const flush = (): void => {
    if (text !== '') out.push(span(sanitizeLine(text), style));
    text = '';
  };
  for (const match of line.matchAll(tokens)) {
    const [token, parameters] = match;
    if (parameters !== undefined) {
      applySgr(attributes, parameters);
      const next = [...attributes.values()].join(';');
      if (next !== style) flush();
      style = next;
    } else if (token.charCodeAt(0) !== 0x1b && !isControl(token)) text += token;
  }
  flush();
  return out;
}

function isControl(token: string): boolean {
  const code = token.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function applySgr(attributes: Attributes, parameters: string): void {
  const codes = parameters.split(';');
  for (let i = 0; i < codes.length; i++) {
    const code = Number.parseInt(codes[i] || '0', 10);
    const set = setters[code];
    if (code === 0) attributes.clear();
    else if (set !== undefined) attributes.set(set, codes[i] ?? '');
    else if (resetters[code] !== undefined) for (const group of resetters[code] ?? []) attributes.delete(group);
    else if (code === 38 || code === 48) i += extendedColour(attributes, code, codes, i);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) attributes.set('foreground', String(code));
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) attributes.set('background', String(code));
  }
}

/** `38;5;n`, `38;2;r;g;b` or the colon forms. @returns how many further codes it took */
function extendedColour(attributes: Attributes, code: number, codes: readonly string[], at: number): number {
  const group = code === 38 ? 'foreground' : 'background';
  const own = codes[at] ?? '';
  if (own.includes(':')) {
    attributes.set(group, own);
    return 0;
  }
  const length = codes[at + 1] === '5' ? 2 : codes[at + 1] === '2' ? 4 : 0;
  if (length === 0 || at + length >= codes.length) return codes.length - at;
  attributes.set(group, codes.slice(at, at + length + 1).join(';'));
  return length;
}
