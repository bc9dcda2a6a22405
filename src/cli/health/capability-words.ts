/** Has the texts that describe, for people, what was learned of a server. */
import type { CapabilityName, CapabilityValues, PagingWay, ServerCapabilities } from '../../protocol/capabilities.ts';
import type { TimeFormat } from '../../protocol/types.ts';

type Words = { readonly [K in CapabilityName]: (value: CapabilityValues[K]) => string };

const order = (value: CapabilityValues['messageOrder']): string => value.replace('-', ' ');

const paging = (way: PagingWay): string => {
  if (way.kind === 'parameter') return `by ${way.name}`;
  return { hint: 'as its answers say', limit: 'by a larger limit', none: 'there is no way' }[way.kind];
};

const rest = (value: 'partial' | 'full-replace'): string =>
  value === 'partial' ? 'kept by a change' : 'dropped by a change';

const omitted = (value: 'kept' | 'dropped'): string => `${value} by a change`;

const cleared = (value: string | null): string => {
  if (value === null) return 'impossible';
  return value === '' ? 'by an empty value' : `by ${value}`;
};

const units = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const;

const timeFormat = (format: TimeFormat): string => {
  if (format.kind === 'iso') return 'ISO 8601';
  return format.kind === 'number' ? units[format.unit] : `quoted ${units[format.unit]}`;
};

const words: Words = {
  messageOrder: order,
  conversationOrder: order,
  messagePaging: paging,
  conversationPaging: paging,
  largestLimit: String,
  timeFormat,
  reactionRule: (value) =>
    ({ replace: 'replaces the others', add: 'is added', append: 'is doubled', toggle: 'is toggled' })[value],
  reactionAuthors: (value) => `${value}s`,
  ownReactionsOnly: (value) => (value ? 'yes' : 'no'),
  omittedText: omitted,
  omittedReactions: omitted,
  omittedFiles: omitted,
  appendsFiles: (value) => (value ? 'yes' : 'no'),
  clearPinnedMessage: cleared,
  clearArchivedAt: cleared,
  conversationPutRule: rest,
  textChange: (value) => ({ none: 'kept as sent', trim: 'trimmed', escape: 'HTML-escaped', unknown: 'changed' })[value],
  waitsForNews: (value) => (value ? 'yes' : 'no'),
};

export const capabilityNames = Object.keys(words) as readonly CapabilityName[];

export interface LearnedLine {
  readonly name: CapabilityName;
  readonly words: string;
  readonly value: unknown;
  readonly at: number;
  readonly from: string;
}

export function learnedLines(capabilities: ServerCapabilities): readonly LearnedLine[] {
  return capabilityNames.flatMap((name) => {
    const learned = capabilities[name];
    if (learned === undefined) return [];
    const { value, at, from } = learned;
    // One table for all of them: the word of a name takes the value of that name.
    const spell = words[name] as (value: unknown) => string;
    return [{ name, words: spell(value), value, at, from }];
  });
}
