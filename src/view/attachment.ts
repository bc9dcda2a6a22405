/** An attachment of a message as rows: its chip, what becomes of its picture, and the picture. */
import type { Attachment } from '../protocol/types.ts';
import { type PictureFacts, pictureAddress } from '../state/pictures/policy.ts';
import { type Row, type Span, span } from '../text/layout/row.ts';
import { wrapStyled } from '../text/layout/wrap.ts';
import { sanitizeLine, sanitizeName } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { truncate, width } from '../text/unicode/width.ts';
import type { Look } from './frame.ts';
import type { KeyOf } from './message-state.ts';
import { pictureRows } from './picture.ts';

/** @param pictures null in a message without pictures */
export function attachmentRows(
  attachment: Attachment,
  columns: number,
  pictures: PictureFacts | null,
  look: Look,
  keyOf: KeyOf,
): readonly Row[] {
  const chip = attachmentChip(attachment, columns, look);
  const address = pictures === null || look.pictureColours === null ? null : pictureAddress(attachment);
  if (address === null || pictures === null || look.pictureColours === null) return [[chip]];
  const picture = pictures.pictureAt(address);
  const isGranted = pictures.permissionOf(address) === 'granted';
  const shown = isGranted ? pictureRows(picture, columns, pictures.mostRows, look.pictureColours) : [];
  const note = noteOf(attachment, pictures, look, keyOf);
  return [...withNote(chip, note, columns, look), ...shown];
}

/** What becomes of the picture, in words; null when there is nothing to say. */
function noteOf(attachment: Attachment, pictures: PictureFacts, { signs }: Look, keyOf: KeyOf): SafeText | null {
  const address = pictureAddress(attachment);
  if (address === null) return null;
  const key = keyOf('message.openLink');
  const permission = pictures.permissionOf(address);
  if (permission === 'ask') return key === '' ? null : safe`${signs.dot} ${sanitizeLine(key)} shows it`;
  const picture = pictures.pictureAt(address);
  if (permission === 'denied' || picture === undefined || picture.status === 'shown') return null;
  return picture.status === 'loading' ? signs.ellipsis : safe`${signs.dot} not shown: ${sanitizeLine(picture.reason)}`;
}

/** The note behind the chip where there is room, else below it. */
function withNote(chip: Span, note: SafeText | null, columns: number, { theme }: Look): readonly Row[] {
  if (note === null) return [[chip]];
  const behind = span(safe` ${note}`, theme.muted);
  return chip.width + behind.width <= columns ? [[chip, behind]] : [[chip], ...wrapStyled(note, columns, theme.muted)];
}

function attachmentChip({ label, size, mediaType }: Attachment, columns: number, { signs, theme }: Look): Span {
  const known = [size === null ? null : bytes(size), mediaType === null ? null : sanitizeName(mediaType)];
  const [first, second] = known.filter((fact) => fact !== null);
  const more = second === undefined ? literal('') : safe`, ${second}`;
  const facts = first === undefined ? literal('') : safe` (${first}${more})`;
  const room = Math.max(1, columns - width(signs.attachment) - 1 - width(facts));
  const text = safe`${signs.attachment} ${truncate(sanitizeName(label), room, signs.ellipsis)}${facts}`;
  return span(truncate(text, columns, signs.ellipsis), theme.chip);
}

function bytes(size: number): SafeText {
  if (size < 1000) return safe`${size} B`;
  if (size < 1_000_000) return safe`${Math.round(size / 1000)} kB`;
  return safe`${Math.round(size / 100_000) / 10} MB`;
}
