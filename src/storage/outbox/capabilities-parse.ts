/** Reads learned capabilities back from disk. */
import type { CapabilityName, PagingWay } from '../../protocol/capabilities.ts';
import type { RecordValue } from '../../state/local/records.ts';
import { isObject } from '../sqlite/stored-json.ts';

const orders: readonly unknown[] = ['newest-first', 'oldest-first'];
const pagingKinds: readonly unknown[] = ['hint', 'limit', 'none'] satisfies readonly PagingWay['kind'][];
const pagingParameters: readonly unknown[] = ['starting_after', 'after', 'before', 'page', 'offset'];

const isPaging = (value: unknown): boolean =>
  isObject(value) &&
  (pagingKinds.includes(value.kind) || (value.kind === 'parameter' && pagingParameters.includes(value.name)));

const among =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const isUnit = among('s', 'ms', 'us', 'ns');

const isTimeFormat = (value: unknown): boolean =>
  isObject(value) && (among('iso', 'rfc')(value.kind) || (among('number', 'digits')(value.kind) && isUnit(value.unit)));

const possible: Readonly<Record<CapabilityName, (value: unknown) => boolean>> = {
  messageOrder: (value) => orders.includes(value) || value === 'mixed',
  conversationOrder: (value) => orders.includes(value),
  messagePaging: isPaging,
  conversationPaging: isPaging,
  largestLimit: isCount,
  timeFormat: isTimeFormat,
  reactionRule: among('replace', 'add', 'append', 'toggle'),
  reactionAlphabet: among('username', 'id'),
  ownReactionsOnly: among(true, false),
  putRule: among('partial', 'full-replace'),
  clearPinnedMessage: among('', 'null', null),
  clearArchivedAt: among('', 'null', '0', null),
  conversationPutRule: among('partial', 'full-replace'),
  textChange: among('none', 'trim', 'escape', 'unknown'),
};

/** Undefined for a capability that this version does not know, or a value that is not possible: it is learned again. */
export function parseCapability(learned: unknown, name: string): RecordValue<'capabilities'> | undefined {
  if (!isObject(learned) || !Object.hasOwn(possible, name)) return undefined;
  const { value, at, from } = learned;
  if (!possible[name as CapabilityName](value) || !Number.isFinite(at) || typeof from !== 'string') return undefined;
  return { value, at, from } as RecordValue<'capabilities'>;
}
