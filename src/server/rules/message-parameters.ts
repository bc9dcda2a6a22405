/** Reads the parameters of messages: text, reactions and attachments. */

import type { FormMap, FormValue } from '../../protocol/form-decode.ts';
import { parseUrl } from '../../protocol/web-address.ts';
import { text } from './parameters.ts';
import { badParameter } from './service-error.ts';

export const maximumTextLength = 10_000;
export const maximumAttachments = 10;
export const maximumReactionNames = 100;

/**
 * Reads the text; null when absent. Its limit counts code points, not UTF-16 units.
 * @param mayBeBlank the message has attachments, which say enough without a text
 */
export function messageText(form: FormMap, mayBeBlank: boolean): string | null {
  const value = text(form, 'message');
  if (value === null) return null;
  if (!mayBeBlank && isBlank(value))
    throw badParameter('message', 'must not be blank in a message without attachments');
  if (!isMessageText(value, mayBeBlank)) {
    throw badParameter('message', `must be at most ${maximumTextLength} characters`, 'message_too_long');
  }
  return value;
}

export function isMessageText(value: string, mayBeBlank: boolean): boolean {
  if (isBlank(value) && !mayBeBlank) return false;
  return value.length <= maximumTextLength || [...value].length <= maximumTextLength;
}

const isBlank = (value: string): boolean => value.trim() === '';

/**
 * `add`: usernames under a name, as sent. `removeOwn`: `reactions[name][]=`, or `reactions[name]=` as stripe-go writes an
 * empty list. `removeAllOwn`: `reactions=`.
 */
export type ReactionChange =
  | { readonly kind: 'removeAllOwn' }
  | { readonly kind: 'removeOwn'; readonly name: string }
  | { readonly kind: 'add'; readonly name: string; readonly usernames: readonly string[] };

export function reactionChanges(form: FormMap): readonly ReactionChange[] {
  const value = form.get('reactions');
  if (value === undefined) return [];
  if (value === '') return [{ kind: 'removeAllOwn' }];
  if (!(value instanceof Map)) throw badParameter('reactions', 'must be written as reactions[name][]=username');
  return [...value].flatMap(([name, of]) =>
    isListElement(name, of)
      ? [...of].map(([inner, usernames]) => reactionChange(inner, usernames))
      : [reactionChange(name, of)],
  );
}

/**
 * Reactions as the document shows them in answers, a list of objects: `reactions[0][name][]=username` (jQuery),
 * `reactions[0][name][0]=username` (PHP, Stripe's libraries and qs) or `reactions[][name][]=username` (Rails).
 */
function isListElement(name: string, value: FormValue): value is FormMap {
  return isNumber(name) && value instanceof Map && [...value.values()].some((inner) => typeof inner !== 'string');
}

const isNumber = (name: string): boolean => /^\d{1,4}$/.test(name);

/**
 * `reactions[name][]=a` (the document; Rails, jQuery), `reactions[name][0]=a` (PHP, Stripe's libraries and qs) or
 * `reactions[name]=a` (a single value, as Python's requests and URLSearchParams write it); null for anything else.
 */
function listOf(value: FormValue): readonly string[] | null {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value;
  if (!(value instanceof Map) || ![...value.keys()].every(isNumber)) return null;
  const items = [...value].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
  return items.every((item) => typeof item === 'string') ? items : null;
}

function reactionChange(name: string, value: FormValue): ReactionChange {
  // `reactions[0]=a` may be a list of anything: no name of a reaction is taken from it.
  const usernames = typeof value === 'string' && isNumber(name) ? null : listOf(value);
  const param = `reactions[${name}][]`;
  if (!isReactionName(name)) throw badParameter(param, 'must be named with letters, digits, _ + - or with one emoji');
  if (usernames === null) throw badParameter(param, 'must be written as reactions[name][]=username');
  if (!usernames.includes('')) return { kind: 'add', name, usernames };
  if (usernames.length > 1) throw badParameter(param, 'must be either one empty value or usernames');
  return { kind: 'removeOwn', name };
}

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function isReactionName(name: string): boolean {
  if (/^[A-Za-z0-9_+-]{1,64}$/.test(name)) return true;
  // The length is checked first, since segmenting is slow on long texts.
  return (
    name.length <= 64 &&
    /\p{Emoji}/u.test(name) &&
    !/[\p{L}\p{Cc}]/u.test(name) &&
    [...clusters.segment(name)].length === 1
  );
}

export interface AttachmentInput {
  /** How the request names it, such as `attachments[0]`. */
  readonly name: string;
  /** The id of an attachment that the caller sends back; null for a new one. */
  readonly id: string | null;
  readonly filename: string | null;
  readonly fileUrl: string | null;
  readonly fileType: string | null;
  readonly fileSize: number | null;
}

const attachmentNames = ['id', 'message_id', 'filename', 'file_url', 'file_type', 'file_size', 'created_at'];

/** Returns null when there is no such parameter, and `[]` for `attachments=`. */
export function attachmentInputs(form: FormMap): readonly AttachmentInput[] | null {
  const value = form.get('attachments');
  if (value === undefined) return null;
  if (value === '') return [];
  if (!(value instanceof Map))
    throw badParameter('attachments', 'must be written as attachments[0][file_url]=https://…');
  const indexed = [...value].map(([index, fields]) => {
    if (!isNumber(index) || !(fields instanceof Map)) {
      throw badParameter(`attachments[${index}]`, 'must be written as attachments[0][file_url]=https://…');
    }
    return { index: Number(index), input: attachmentInput(fields, `attachments[${index}]`) };
  });
  return indexed.sort((a, b) => a.index - b.index).map((item) => item.input);
}

function attachmentInput(fields: FormMap, at: string): AttachmentInput {
  const field = (name: string, limit: number): string | null => {
    const value = fields.get(name) ?? '';
    if (typeof value !== 'string') throw badParameter(`${at}[${name}]`, 'must be a single value');
    if (value.length > limit) throw badParameter(`${at}[${name}]`, `must be at most ${limit} characters`);
    return value === '' ? null : value;
  };
  for (const name of fields.keys()) {
    if (!attachmentNames.includes(name)) {
      throw badParameter(`${at}[${name}]`, 'is not a field of an attachment', 'parameter_unknown');
    }
  }
  const size = field('file_size', 16);
  if (size !== null && !/^\d{1,15}$/.test(size)) throw badParameter(`${at}[file_size]`, 'must be a number of bytes');
  const fileUrl = field('file_url', 2048);
  if (fileUrl !== null && !isWebAddress(fileUrl))
    throw badParameter(`${at}[file_url]`, 'must be an http or https address');
  return {
    name: at,
    id: field('id', 64),
    filename: field('filename', 255),
    fileUrl,
    fileType: field('file_type', 127),
    fileSize: size === null ? null : Number(size),
  };
}

function isWebAddress(value: string): boolean {
  return /^https?:$/.test(parseUrl(value)?.protocol ?? '');
}
