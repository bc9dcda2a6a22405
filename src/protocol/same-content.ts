/** Compares a message with what was sent: its text and the files attached to it. */
import { compareText } from './same-text.ts';
import type { Attachment, AttachmentFields, JsonValue, Message } from './types.ts';

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

/**
 * Whether every file that was attached is there and no other. The server may add fields, such as an id or an address.
 * Where nothing was attached the text alone counts.
 */
export function hasSameFiles({ attachments: sent = [] }: SentContent, got: readonly Attachment[]): boolean {
  if (sent.length === 0) return true;
  const left = [...got];
  for (const fields of sent) {
    const at = left.findIndex((file) =>
      Object.entries(fields).every(([name, value]) => isSame(value, file.fields[name])),
    );
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

/** A form has texts only, so that a number or a boolean may come back as one. */
const isSame = (sent: JsonValue, got: JsonValue | undefined): boolean => formText(sent) === formText(got);

const formText = (value: JsonValue | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
