/** Whether an answer shows the text that was sent, allowing for what servers are known to do to texts. */
import { normalForm } from './normal-form.ts';

/** NFC, trimmed, line ends as LF: how texts are compared (R-MATCH). */
export function normaliseText(text: string): string {
  return normalForm(text, 'NFC').replace(/\r\n?/g, '\n').trim();
}

/** What a server did to a text it was sent; `other`: it is not recognisable as the same text. */
export function compareText(sent: string, got: string): 'same' | 'trimmed' | 'escaped' | 'changed' | 'other' {
  if (sent === got) return 'same';
  if (normaliseText(sent) === normaliseText(got)) return 'trimmed';
  if (normaliseText(sent) === normaliseText(unescapeText(got))) return 'escaped';
  return lettersOf(sent) === lettersOf(got) ? 'changed' : 'other';
}

/** It is the same text, as far as one can tell. */
export const isSame = (change: ReturnType<typeof compareText>): boolean => change !== 'changed' && change !== 'other';

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  amp: '&',
};

/** The text that an HTML-escaping server was sent when it shows `text`. */
export function unescapeText(text: string): string {
  return text.replace(
    /&(lt|gt|quot|apos|#39|#x27|amp);/gi,
    (whole, name: string) => entities[name.toLowerCase()] ?? whole,
  );
}

/** Letters and digits alone: escaped entities, markup and emoji codes fall away. */
function lettersOf(text: string): string {
  return normalForm(text, 'NFKC')
    .replace(/&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/gi, ' ')
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
    .replace(/:[a-z0-9_+-]{1,64}:/gi, ' ')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
