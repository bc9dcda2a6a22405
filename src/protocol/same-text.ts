/** Compares the text of an answer with the text that was sent, allowing for the changes that servers make. */
import { normalForm } from './normal-form.ts';

/** Normalises a text for comparing: NFC, trimmed, line ends as LF (R-MATCH). */
export function normaliseText(text: string): string {
  return normalForm(text, 'NFC').replace(/\r\n?/g, '\n').trim();
}

/** How a server changed a text. `other`: it cannot be recognised as the same text. */
export function compareText(sent: string, got: string): 'same' | 'trimmed' | 'escaped' | 'changed' | 'other' {
  if (sent === got) return 'same';
  if (normaliseText(sent) === normaliseText(got)) return 'trimmed';
  if (normaliseText(sent) === normaliseText(unescapeText(got))) return 'escaped';
  return lettersOf(sent) === lettersOf(got) ? 'changed' : 'other';
}

/** Whether the two can be recognised as the same text. */
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

/** Only letters and digits, without escaped entities, markup and emoji codes. */
function lettersOf(text: string): string {
  return normalForm(text, 'NFKC')
    .replace(/&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/gi, ' ')
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ')
    .replace(/:[a-z0-9_+-]{1,64}:/gi, ' ')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
