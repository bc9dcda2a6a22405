/** Checks whether an identifier of the server may be kept, put into a path, or sent (R-ID). */

const maxAddressable = 256;
/** A row with a longer id counts as a row without an id. */
const maxKept = 8192;

/** Matches text without control characters and lone surrogates. */
const plain = /^[^\u0000-\u001f\u007f-\u009f\p{Surrogate}]*$/u;

/** Whether an id can be part of a path: 1–256 characters, not `.` or `..`, no control character, no lone surrogate. */
export function isAddressable(id: string): boolean {
  return id.length >= 1 && id.length <= maxAddressable && id !== '.' && id !== '..' && plain.test(id);
}

/** Reads an id: a string or a safe integer (larger ones come as strings from `parseJson`); else null. */
export function parseId(value: unknown): string | null {
  if (typeof value === 'string') return value.length >= 1 && value.length <= maxKept ? value : null;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return null;
}

/** Whether a reaction name may be sent: brackets and control characters would break the bracket notation. */
export function isSendableReactionName(name: string): boolean {
  return name.length >= 1 && name.length <= maxAddressable && plain.test(name) && !/[[\]]/.test(name);
}
