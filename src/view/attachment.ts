/** Draws an attachment of a message as rows: its chip, a note about its picture, and the picture. */
import type { Attachment, MessageId } from '../protocol/types.ts';
import { type PictureAddress, type PictureFacts, pictureAddress } from '../state/pictures/policy.ts';
import { asNote, type Row, type Span, span } from '../text/layout/row.ts';
import { wrapStyled } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { type SafeText, safe } from '../text/safe-text.ts';
import { attachmentChip, leastColumns } from './attachment-chip.ts';
import type { KeyOf, Look } from './frame.ts';
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
  const chip = (room: number): Span => attachmentChip(attachment, room, look, messageId);
  const address = pictures === null || look.pictureColours === null ? null : pictureAddress(attachment);
  if (address === null || pictures === null || look.pictureColours === null) return [[chip(columns)]];
  const picture = pictures.pictureAt(address);
  const isGranted = pictures.permissionOf(address) === 'granted';
  const shown = isGranted ? pictureRows(picture, columns, pictures.mostRows, look.pictureColours) : [];
  const note = noteOf(address, pictures, look, keyOf);
  const rows = note === null ? [[chip(columns)]] : withNote(chip, leastColumns(attachment, look), note, columns, look);
  return [...rows, ...shown];
}

/** Says why the picture is not shown, or which key shows it; null when there is nothing to say. */
function noteOf(address: PictureAddress, pictures: PictureFacts, { signs }: Look, keyOf: KeyOf): SafeText | null {
  const key = keyOf('message.openLink');
  const permission = pictures.permissionOf(address);
  if (permission === 'ask') return key === '' ? null : safe`${signs.dot} ${sanitizeLine(key)} shows it`;
  const picture = pictures.pictureAt(address);
  if (permission === 'denied' || picture === undefined || picture.status === 'shown') return null;
  return picture.status === 'loading' ? signs.ellipsis : safe`${signs.dot} not shown: ${sanitizeLine(picture.reason)}`;
}

/**
 * The note after the chip, whose type and host give way to it; below the chip where there is no room even so.
 * @param least the columns of the shortest chip
 */
function withNote(
  chip: (columns: number) => Span,
  least: number,
  note: SafeText,
  columns: number,
  { theme }: Look,
): readonly Row[] {
  const noteAfter = span(safe` ${note}`, theme.muted);
  const room = columns - noteAfter.width;
  if (room >= least) return [[chip(room), noteAfter]];
  return [[chip(columns)], ...wrapStyled(note, columns, theme.muted).map(asNote)];
}
