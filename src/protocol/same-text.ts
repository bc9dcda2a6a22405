/** Compares text and files of an answer with what was sent, allowing for the changes that servers make to texts. */
import type { Attachment, AttachmentFields, JsonValue, Message } from './types.ts';

/** Normalises a text for comparing: NFC, trimmed, line ends as LF (R-MATCH). */
export function normaliseText(text: string): string {
  return normalForm(text, 'NFC').replace(/\r\n?/g, '\n').trim();
}

/** How a server changed a text. `other`: it cannot be recognised as the same text. */
export function compareText(sent: string, got: string): 'same' | 'trimmed' | 'escaped' | 'changed' | 'other' {
  if (sent === got) return 'same';
  const forms = formsOf(sent);
  if (forms.normal === normaliseText(got)) return 'trimmed';
  const unescaped = unescapeText(got);
  if (unescaped !== got && forms.normal === normaliseText(unescaped)) return 'escaped';
  forms.letters ??= lettersOf(sent);
  return forms.letters === lettersOf(got) ? 'changed' : 'other';
}

interface Forms {
  readonly text: string;
  readonly normal: string;
  letters: string | null;
}

let lastForms: Forms | null = null;

/** What a text is compared by, remembered for one text: a message is compared with up to 200 others before it is sent. */
function formsOf(text: string): Forms {
  if (lastForms?.text !== text) lastForms = { text, normal: normaliseText(text), letters: null };
  return lastForms;
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
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** What the user sends; no attachments where they are left out. */
export interface SentContent {
  readonly text: string;
  readonly attachments?: readonly AttachmentFields[];
}

/** As `compareText`; `changed` where the text is the same and the files are not. */
export function compareContent(
  sent: SentContent,
  got: Pick<Message, 'text' | 'attachments'>,
): ReturnType<typeof compareText> {
  const change = compareText(sent.text, got.text);
  return change === 'other' || hasSameFiles(sent, got.attachments) ? change : 'changed';
}

/** Whether exactly the attached files are there, perhaps with more fields. */
export function hasSameFiles({ attachments: sent = [] }: SentContent, got: readonly Attachment[]): boolean {
  const left = [...got];
  for (const fields of sent) {
    const at = left.findIndex((file) =>
      Object.entries(fields).every(([name, value]) => isSameValue(value, file.fields[name])),
    );
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

/** A form has texts only, so that a number or a boolean may come back as one. */
const isSameValue = (sent: JsonValue, got: JsonValue | undefined): boolean => formText(sent) === formText(got);

const formText = (value: JsonValue | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Combining marks, and the two halfwidth letters that become one under NFKC and NFKD. */
const longRun = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/u;
const allLongRuns = new RegExp(longRun, 'gu');

/**
 * As `String.prototype.normalize`. Putting a run of combining marks in order takes the square of its length, half a
 * minute for 100,000 of them, so a run of more than 30 is divided by U+034F, as the Stream-Safe Text Format does (UAX
 * #15, section 13).
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (longRun.test(text) ? text.replace(allLongRuns, '$&\u034f') : text).normalize(form);
}
