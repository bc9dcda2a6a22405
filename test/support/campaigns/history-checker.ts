/** Reads the log of one run, client operations and server commits on one clock, and says which promises it breaks. */

/*
 * It knows nothing of the product: I1–I8 are those of R-SEND-1, over what was seen from outside.
 *
 *   I1 every entered text is in the outbox, on the server, or was discarded by the user
 *   I2 a second POST only after proof that the first did nothing, or by the user's choice; commits likewise; by itself
 *      once, where every attempt that may have arrived was answered with 500 or 503
 *   I3 no two entries claim one message          I4 commits of a conversation come in the order entered,
 *      but for those that the user sent again, discarded or let others pass; and none is posted while an earlier one
 *      that the user sends again has come to no end, unless others may pass it since
 *   I5 sent only what the server has             I6 after a start only states that can be there
 *   I7 no more than 12 requests a minute while nothing answers
 *   I8 an Enter leaves the text in the composer or, on disk, in the outbox
 */
export type HistoryEvent = { readonly at: number } & (
  | {
      readonly kind: 'enter';
      readonly uuid: string | null;
      readonly conversationId: string;
      readonly text: string;
      readonly composer: string;
    }
  | { readonly kind: 'post'; readonly uuid: string }
  | { readonly kind: 'not-applied'; readonly uuid: string }
  | {
      readonly kind: 'commit';
      readonly uuid: string;
      readonly messageId: string;
      readonly conversationId: string;
      readonly text: string;
    }
  | { readonly kind: 'sent'; readonly uuid: string; readonly messageId: string }
  /** It came to its end, as what is told elsewhere. */
  | { readonly kind: 'left'; readonly uuid: string }
  | { readonly kind: 'choice'; readonly uuid: string; readonly choice: 'resend' | 'discard' | 'pass' }
  | { readonly kind: 'answered'; readonly uuid: string; readonly status: number }
  /** The settings have it sent again. */
  | { readonly kind: 'by itself'; readonly uuid: string }
  | { readonly kind: 'disk'; readonly isStart: boolean; readonly ops: ReadonlyMap<string, string> }
  | { readonly kind: 'request' }
  | { readonly kind: 'outage'; readonly isOn: boolean }
);

export type Violation = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}: ${string}`;

interface Entry {
  readonly uuid: string;
  readonly seq: number;
  readonly conversationId: string;
  readonly text: string;
  posts: number;
  proofs: number;
  resends: number;
  /** Answers of 500 or 503. */
  failures: number;
  isRepeated: boolean;
  commits: number;
  sentAs: string | null;
  isDiscarded: boolean;
  letsPass: boolean;
  /** To be sent again: later ones wait for it. */
  isHolding: boolean;
}

export function checkHistory(events: readonly HistoryEvent[]): readonly Violation[] {
  const violations: Violation[] = [];
  const entries = new Map<string, Entry>();
  const committed = new Map<string, string>();
  const claimed = new Map<string, string>();
  const lastCommitted = new Map<string, Entry>();
  let onDisk: ReadonlyMap<string, string> = new Map();
  for (const event of events) {
    const entry = 'uuid' in event && event.uuid !== null ? entries.get(event.uuid) : undefined;
    if (event.kind === 'enter') {
      const isKept = event.uuid === null;
      if (isKept && event.composer !== event.text)
        violations.push(`I8: neither on disk nor in the composer: ${event.text}`);
      if (event.uuid !== null) {
        if (event.composer === event.text) violations.push(`I8: on disk and still in the composer: ${event.text}`);
        entries.set(event.uuid, newEntry(event.uuid, entries.size, event.conversationId, event.text));
      }
    } else if (event.kind === 'disk') {
      checkDisk(event, entries, violations);
      onDisk = event.ops;
    } else if (event.kind === 'commit') {
      committed.set(event.messageId, event.text);
      if (entry !== undefined) commit(entry, event.messageId, lastCommitted, violations);
    } else if (entry === undefined) {
      if (event.kind === 'post') violations.push(`I6: a POST for ${event.uuid}, which nobody entered`);
    } else if (event.kind === 'post') {
      checkHeld(entry, entries, violations);
      entry.posts += 1;
      if (entry.posts > 1 + entry.resends + entry.proofs) violations.push(`I2: POST ${entry.posts} of ${entry.uuid}`);
    } else if (event.kind === 'not-applied') {
      entry.proofs += 1;
      // It may have failed for good.
      entry.isHolding = false;
    } else if (event.kind === 'left') {
      entry.isHolding = false;
    } else if (event.kind === 'choice') {
      entry.isHolding = event.choice === 'resend';
      if (event.choice === 'resend') entry.resends += 1;
      else if (event.choice === 'pass') entry.letsPass = true;
      else entry.isDiscarded = true;
    } else if (event.kind === 'answered') {
      if (event.status === 500 || event.status === 503) entry.failures += 1;
    } else if (event.kind === 'by itself') {
      if (entry.isRepeated || entry.posts > entry.failures + entry.proofs)
        violations.push(`I2: ${entry.uuid} is sent again by itself against the rule`);
      entry.isRepeated = true;
      entry.isHolding = true;
      entry.resends += 1;
    } else if (event.kind === 'sent') {
      const other = claimed.get(event.messageId);
      if (other !== undefined && other !== event.uuid)
        violations.push(`I3: ${other} and ${event.uuid} both claim ${event.messageId}`);
      claimed.set(event.messageId, event.uuid);
      entry.sentAs = event.messageId;
      entry.isHolding = false;
      if (committed.get(event.messageId) !== entry.text)
        violations.push(`I5: ${event.uuid} is called sent as ${event.messageId}, which the server does not have`);
    }
  }
  for (const entry of entries.values())
    if (!isAccounted(entry, onDisk)) violations.push(`I1: ${entry.uuid} is nowhere at the end`);
  return [...violations, ...checkOutages(events)];
}

const newEntry = (uuid: string, seq: number, conversationId: string, text: string): Entry => ({
  uuid,
  seq,
  conversationId,
  text,
  posts: 0,
  proofs: 0,
  resends: 0,
  failures: 0,
  isRepeated: false,
  commits: 0,
  sentAs: null,
  isDiscarded: false,
  letsPass: false,
  isHolding: false,
});

/** A message that another entry of the same text was matched to counts for this one: texts are counted, not identified. */
const isAccounted = (entry: Entry, onDisk: ReadonlyMap<string, string>): boolean =>
  entry.isDiscarded || entry.commits > 0 || entry.sentAs !== null || onDisk.has(entry.uuid);

function commit(entry: Entry, messageId: string, last: Map<string, Entry>, violations: Violation[]): void {
  entry.commits += 1;
  if (entry.commits > 1 + entry.resends) violations.push(`I2: ${entry.uuid} is on the server ${entry.commits} times`);
  const before = last.get(entry.conversationId);
  if (entry.resends > 0 || entry.isDiscarded || entry.letsPass) return;
  // It is there already, by one of the same words that the user had discarded and that came all the same.
  if (entry.sentAs !== null && entry.sentAs !== messageId) return;
  if (before !== undefined && before.seq > entry.seq) violations.push(`I4: ${entry.uuid} came after ${before.uuid}`);
  last.set(entry.conversationId, entry);
}

function checkHeld(entry: Entry, entries: ReadonlyMap<string, Entry>, violations: Violation[]): void {
  for (const before of entries.values())
    if (before.isHolding && before.seq < entry.seq && before.conversationId === entry.conversationId)
      violations.push(`I4: ${entry.uuid} was posted though ${before.uuid} holds it back`);
}

function checkDisk(
  event: Extract<HistoryEvent, { kind: 'disk' }>,
  entries: ReadonlyMap<string, Entry>,
  violations: Violation[],
): void {
  for (const entry of entries.values())
    if (!isAccounted(entry, event.ops)) violations.push(`I1: ${entry.uuid} is neither on disk nor on the server`);
  for (const [uuid, state] of event.ops) {
    const entry = entries.get(uuid);
    const isLeft = entry?.sentAs !== null && entry !== undefined;
    if (isLeft || entry?.isDiscarded === true)
      violations.push(`I6: ${uuid} had left the outbox and is back as ${state}`);
    if (event.isStart && !['queued', 'unsure', 'failed'].includes(state))
      violations.push(`I6: ${uuid} is ${state} after a start`);
    if (event.isStart && state === 'queued' && entry !== undefined && isInDoubt(entry))
      violations.push(`I6: ${uuid} is queued after a start, though its POST had no answer`);
  }
}

/** The last POST was neither proven to have done nothing nor given free by the user. */
const isInDoubt = (entry: Entry): boolean => entry.posts > entry.proofs + entry.resends;

const outageBudget = { requests: 12, windowMs: 60_000 } as const;

function checkOutages(events: readonly HistoryEvent[]): readonly Violation[] {
  const violations: Violation[] = [];
  let recent: number[] = [];
  let isOn = false;
  for (const event of events) {
    if (event.kind === 'outage') {
      isOn = event.isOn;
      recent = [];
    }
    if (event.kind !== 'request' || !isOn) continue;
    recent = [...recent.filter((at) => at > event.at - outageBudget.windowMs), event.at];
    if (recent.length === outageBudget.requests + 1)
      violations.push(`I7: ${recent.length} requests within a minute of an outage, until ${event.at}`);
  }
  return violations;
}
