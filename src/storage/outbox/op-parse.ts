/** Parses the stored parts of an op. The check is strict: a value without exactly the right shape gives null. */

import { isObject } from '../../protocol/fields.ts';
import type { AttachmentFields, Reaction } from '../../protocol/types.ts';
import type {
  Attempt,
  AttemptOutcome,
  Baseline,
  BeforeImage,
  ConversationSettings,
  OpAction,
  OpKind,
  Recipient,
  Resent,
} from '../../state/model/app-state.ts';
import { reactionsFromStored, storedReactions } from '../sqlite/sqlite-text.ts';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

type Shape = Readonly<Record<string, Check>>;

const actionShapes: Readonly<Record<OpKind, Shape>> = {
  'message.send': { conversationId: isString, text: isString },
  'message.edit': { conversationId: isString, messageId: isString, base: isString, text: isString },
  'message.react': {
    conversationId: isString,
    messageId: isString,
    name: isString,
    present: isBoolean,
    confirmed: isBoolean,
  },
  'message.delete': { conversationId: isString, messageId: isString },
  'conversation.pinMessage': { conversationId: isString, messageId: orNull(isString) },
  'conversation.pin': { conversationId: isString, value: isBoolean },
  'conversation.mute': { conversationId: isString, value: isBoolean },
  'conversation.archive': { conversationId: isString, at: orNull(isNumber) },
  'conversation.delete': { conversationId: isString },
  'conversation.create': { contactId: orNull(isString), groupId: orNull(isString) },
};

/** How the outcome of an attempt is stored on disk, in files of every version. */
const outcomeLetters: Readonly<Record<AttemptOutcome, string>> = {
  applied: 'Y',
  'not-applied': 'N',
  rejected: 'P',
  ambiguous: 'A',
};

const outcomeByLetter = new Map(
  Object.entries(outcomeLetters).map(([outcome, letter]) => [letter, outcome as AttemptOutcome]),
);

const attemptShape: Shape = {
  started: isNumber,
  ended: orNull(isNumber),
  outcome: oneOf(null, ...outcomeByLetter.keys()),
  evidence: isString,
};

const baselineShape: Shape = { sameText: isStrings, newest: isStrings };

/** The files that are sent with a text, where there are any. */
const filesShape: Shape = { attachments: (value) => parseFiles(value) !== null };

/** The first message of a conversation that is to be created. */
const firstShape: Shape = { first: (value) => pick(value, { text: isString }, filesShape) !== null };

const optionalShapes: Readonly<Partial<Record<OpKind, Shape>>> = {
  'message.send': filesShape,
  'message.delete': { createdAt: isNumber },
  'message.react': { createdAt: isNumber },
  'conversation.create': firstShape,
};

export const parseFiles = (value: unknown): readonly AttachmentFields[] | null =>
  Array.isArray(value) && value.every(isObject) ? (value as readonly AttachmentFields[]) : null;

export function parseAction(value: unknown): OpAction | null {
  if (!isObject(value)) return null;
  const kind = value.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(actionShapes, kind)) return null;
  const fields = pick(value, actionShapes[kind as OpKind], optionalShapes[kind as OpKind]);
  return fields === null ? null : ({ kind, ...fields } as unknown as OpAction);
}

export function parseAttempts(value: unknown): readonly Attempt[] | null {
  if (!Array.isArray(value)) return null;
  const attempts = value.map(parseAttempt);
  return attempts.includes(null) ? null : (attempts as unknown as readonly Attempt[]);
}

function parseAttempt(value: unknown): Attempt | null {
  const stored = pick(value, attemptShape) as unknown as StoredAttempt | null;
  if (stored === null || !isObject(value)) return null;
  const outcome = stored.outcome === null ? null : (outcomeByLetter.get(stored.outcome) ?? null);
  // Files of the first version call it `named`.
  const answeredId = value.answeredId ?? value.named;
  const { request } = value;
  const asked = typeof request === 'string' ? { request } : {};
  return { ...stored, outcome, ...asked, ...(typeof answeredId === 'string' ? { answeredId } : {}) };
}

type StoredAttempt = Omit<Attempt, 'outcome'> & { readonly outcome: string | null };

/** As `parseAttempts` reads them back. */
export const attemptsToJson = (attempts: readonly Attempt[]): readonly StoredAttempt[] =>
  attempts.map((attempt) => ({
    ...attempt,
    outcome: attempt.outcome === null ? null : outcomeLetters[attempt.outcome],
  }));

/** `undefined` when it does not parse, as null is a proper baseline. */
export function parseBaseline(value: unknown): Baseline | null | undefined {
  if (value === null) return null;
  const baseline = pick(value, baselineShape) as unknown as Baseline | null;
  if (baseline === null) return undefined;
  const from = isObject(value) ? value.from : undefined;
  return typeof from === 'number' ? { ...baseline, from } : baseline;
}

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isReaction: Check = (value) => isObject(value) && isString(value.name) && isStrings(value.by);
const isAttachment: Check = (value) => isObject(value) && isString(value.label) && isObject(value.fields);
const orMissing =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const beforeImageShape: Shape = {
  text: isString,
  reactions: listOf(isReaction),
  attachments: listOf(isAttachment),
  sent: (value) =>
    isObject(value) &&
    orMissing(isString)(value.message) &&
    orMissing(listOf(isReaction))(value.reactions) &&
    orMissing(listOf(isObject))(value.attachments),
};

export function parseBeforeImage(value: unknown): BeforeImage | null {
  const image = pick(value, beforeImageShape, { createdAt: isNumber }) as unknown as BeforeImage | null;
  return image && withReactions(image, (all) => reactionsFromStored(all) as readonly Reaction[]);
}

/** As `parseBeforeImage` reads it back. */
export const beforeImageToJson = (image: BeforeImage): object => withReactions(image, storedReactions);

const withReactions = <T>({ reactions, sent, ...rest }: BeforeImage, convert: (all: readonly Reaction[]) => T) => ({
  ...rest,
  reactions: convert(reactions),
  sent: sent.reactions === undefined ? sent : { ...sent, reactions: convert(sent.reactions) },
});

export function parseRecipient(value: unknown): Recipient | null {
  return (pick(value, { contactId: isString }) ?? pick(value, { groupId: isString })) as unknown as Recipient | null;
}

export function parseSettings(value: unknown): ConversationSettings | null {
  return pick(value, {
    isPinned: isBoolean,
    isMuted: isBoolean,
    pinnedMessageId: orNull(isString),
    archivedAt: orNull(isNumber),
  }) as unknown as ConversationSettings | null;
}

const resentShape: Shape = {
  uuid: isString,
  conversationId: isString,
  text: isString,
  sameText: isStrings,
  found: isString,
  at: isNumber,
  twin: orNull(isString),
};

/** What is `duplicateId` in the program is called `twin` on disk. */
export function parseResent(value: unknown): Resent | null {
  const stored = pick(value, resentShape, filesShape);
  if (stored === null) return null;
  const { twin: duplicateId, ...rest } = stored;
  return { ...rest, duplicateId } as unknown as Resent;
}

/** As `parseResent` reads it back. */
export const resentToJson = ({ duplicateId: twin, ...rest }: Resent): object => ({ ...rest, twin });

/** The fields of the shapes and no others; null when one is wrong, or missing in spite of being required. */
function pick(value: unknown, shape: Shape, optional: Shape = {}): Readonly<Record<string, unknown>> | null {
  if (!isObject(value)) return null;
  const picked: Record<string, unknown> = {};
  for (const [name, check] of Object.entries({ ...shape, ...optional })) {
    if (Object.hasOwn(optional, name) && !Object.hasOwn(value, name)) continue;
    if (!Object.hasOwn(value, name) || !check(value[name])) return null;
    picked[name] = value[name];
  }
  return picked;
}
