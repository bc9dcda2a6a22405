/** An attachment of a message as rows: its chip, what becomes of its picture, and the picture. */
import type { Attachment, MessageId } from '../protocol/types.ts';
import { type PictureFacts, pictureAddress } from '../state/pictures/policy.ts';
import { type Row, type Span, span } from '../text/layout/row.ts';
import { wrapStyled } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { type SafeText, safe } from '../text/safe-text.ts';
import { attachmentChip } from './attachment-chip.ts';
import type { Look } from './frame.ts';
import type { KeyOf } from './message-state.ts';
import { pictureRows } from './picture.ts';

interface Place {
  readonly messageId: MessageId;
  readonly columns: number;
  /** Null in a message without pictures. */
  readonly pictures: PictureFacts | null;
}

export function attachmentRows(
  attachment: Attachment,
  { messageId, columns, pictures }: Place,
  look: Look,
  keyOf: KeyOf,
): readonly Row[] {
  const chip = attachmentChip(attachment, columns, look, messageId);
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
