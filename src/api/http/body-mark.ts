/** Makes a validator from the text of a list, for servers that give none: it shows that the same text was answered again. */
import { createHash } from 'node:crypto';
import type { WireAnswer } from './transport.ts';

/** No entity tag of a server begins like this: those begin with a quotation mark or `W/`. */
const prefix = 'body:';
/** Larger answers are not hashed, because that takes too long. */
const mostCharacters = 1_000_000;

/** Returns null for an answer that is too large. The `Link` header counts, because it may name the next page. */
export function bodyMark({ text, headers }: WireAnswer): string | null {
  if (text.length > mostCharacters) return null;
  const hash = createHash('sha1')
    .update(text)
    .update(headers.get('link') ?? '');
  return prefix + hash.digest('base64');
}

/** Whether the validator is one of ours, which the server must not be sent. */
export const isBodyMark = (validator: string | undefined): boolean => validator?.startsWith(prefix) === true;
