/** Encodes request bodies: form-urlencoded UTF-8 in bracket notation, with bare brackets as in the document. */
import type { JsonValue, Reaction } from './types.ts';

export interface FormFields {
  readonly [name: string]: string | boolean | number | undefined;
}

/** `a=1&b=true`; fields that are undefined are left out. */
export function encodeFields(fields: FormFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
}

/**
 * `reactions[name][]=value` for each string (API document §4.1); a name without strings is `reactions[name][]=`, no
 * reactions at all is `reactions=`. Names must be sendable (`isSendableReactionName`).
 */
export function encodeReactions(reactions: readonly Reaction[]): string {
  if (reactions.length === 0) return 'reactions=';
  return reactions
    .flatMap(({ name, by }) =>
      (by.length === 0 ? [''] : by).map((value) => `reactions[${encode(name)}][]=${encode(value)}`),
    )
    .join('&');
}

/** `attachments[0][file_url]=value`, nested values by further brackets; none at all is `attachments=`. */
export function encodeAttachments(attachments: readonly Readonly<Record<string, JsonValue>>[]): string {
  if (attachments.length === 0) return 'attachments=';
  return attachments.flatMap((fields, index) => pairs(`attachments[${index}]`, fields)).join('&');
}

/** Joins the encoded parts of one body, leaving out empty ones. */
export function joinForm(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('&');
}

function pairs(name: string, value: JsonValue): string[] {
  if (value === null) return [`${name}=`];
  if (typeof value !== 'object') return [`${name}=${encode(String(value))}`];
  const entries: readonly (readonly [string, JsonValue])[] = isList(value)
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value);
  if (entries.length === 0) return [`${name}=`];
  return entries.flatMap(([key, item]) => pairs(`${name}[${encode(key)}]`, item));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
