/** Writes a message in one line, as the list, the pinned line and the questions about it show it. */
import type { Message } from '../protocol/types.ts';
import { ownWords } from '../state/composer/quote.ts';
import { mayHaveMarkup } from '../text/markdown/blocks.ts';
import type { FormattedText } from '../text/markdown/formatted-page.ts';
import { plainLine } from '../text/markdown/plain-line.ts';
import { sanitizeBody, sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import type { Look } from './frame.ts';
import { userTextIn } from './glyph-set.ts';

type LineLook = Pick<Look, 'signs' | 'markdown'>;

/** The UTF-16 units to which a text is cut; no line is as long. */
const most = 300;

/** The message's text without quote and markers, or its first attachment where it has no text. */
export function messageLine({ text, attachments }: Pick<Message, 'text' | 'attachments'>, look: LineLook): SafeText {
  const [first] = attachments;
  const words = wordsLine(ownWords(text).trimStart(), look);
  // A text may be of nothing but invisible characters, which `words` has no more.
  const isEmpty = words.trim() === '';
  if (first === undefined) return isEmpty ? literal('(empty message)') : words;
  const shown = isEmpty ? userTextIn(sanitizeLine(first.label.slice(0, most)), look.signs) : words;
  return safe`${look.signs.attachment} ${shown}`;
}

/** @param raw the text as it was typed */
function wordsLine(raw: string, look: LineLook): SafeText {
  const cut = raw.slice(0, most);
  const formatted = formattedLine(cut, look);
  // A text that is only a line between two paragraphs has no plain line.
  if (formatted !== null) return sanitizeLine(plainLine(formatted.blocks, look.signs) || formatted.source);
  return userTextIn(sanitizeLine(cut), look.signs);
}

/** The formatted text of a message in the list; null where it has no markup. */
export const formattedPreview = ({ text }: Pick<Message, 'text'>, look: LineLook): FormattedText | null =>
  formattedLine(ownWords(text).slice(0, most), look);

function formattedLine(cut: string, { signs, markdown }: LineLook): FormattedText | null {
  if (!mayHaveMarkup(cut)) return null;
  const source = userTextIn(sanitizeBody(cut), signs);
  const blocks = markdown.parse(source, signs.picture);
  return blocks === null ? null : { source, blocks };
}
