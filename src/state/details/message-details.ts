/** Makes the page about a message: author, times, attempts to send, attachments, reactions, earlier versions, and the JSON. */
import type { Message } from '../../protocol/types.ts';
import { glyphOf } from '../../text/emoji/emoji.ts';
import { sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTimeSeconds, fullTime } from '../../text/time.ts';
import { ownReactionIds } from '../local/identity.ts';
import type { AppState, Attempt, Op } from '../model/app-state.ts';
import type { DetailsOverlay } from '../model/details.ts';
import { selectConversationName } from '../select/names.ts';
import { reactorNames } from '../select/reactions.ts';
import { selectThreadItems, type ThreadItem, textOf } from '../select/thread-items.ts';
import { shownMessageJson } from './message-json.ts';
import { SheetRows } from './sheet-rows.ts';
import { addVersions, shortened } from './version-rows.ts';

export function detailsRows(state: AppState, overlay: DetailsOverlay, columns: number): SheetRows['rows'] {
  const rows = new SheetRows(columns);
  const { conversationId, itemId, versions } = overlay;
  const item = selectThreadItems(state, conversationId).find(({ id }) => id === itemId);
  if (item === undefined) {
    rows.text(literal('The message is gone.'), 'muted');
    return rows.rows;
  }
  const raw = state.cache.threads.get(conversationId)?.messages.find(({ id }) => id === itemId) ?? null;
  addAuthor(rows, state, item);
  rows.fact(literal('Conversation'), safe`${selectConversationName(state, conversationId)} (${shown(conversationId)})`);
  if (raw === null) rows.time(literal('Entered'), item.createdAt, literal('at an unknown time'));
  else addTimes(rows, raw, item.isOwn);
  if (item.op !== null) addWrite(rows, item.op);
  if (raw !== null) {
    addAttachments(rows, raw);
    addReactions(rows, state, raw, ownReactionIds(state, conversationId));
    addVersions(rows, raw.text, versions);
    rows.heading(literal('As it is stored ("here" holds what only this machine knows)'));
    rows.text(shownMessageJson(raw));
  } else {
    rows.heading(literal('Text'));
    rows.text(shortened(textOf(item)));
  }
  return rows.rows;
}

const shown = (raw: string): SafeText => sanitizeLine(raw.slice(0, 400));

function addAuthor(rows: SheetRows, state: AppState, item: ThreadItem): void {
  rows.fact(literal('From'), item.authorName);
  const embedded = item.message?.contact ?? null;
  const contact = embedded === null ? null : (state.cache.contacts.get(embedded.id) ?? embedded);
  if (contact !== null) {
    if (contact.username !== null) rows.fact(literal('User name'), shown(contact.username));
    rows.fact(literal('Phone'), contact.phoneNumber === null ? none : shown(contact.phoneNumber));
    rows.fact(literal('Their id'), shown(contact.id));
  }
  if (item.kind === 'message') rows.fact(literal('Message id'), shown(item.id));
}

const none = literal('not given by the server');

function addTimes(rows: SheetRows, { createdAt, updatedAt, readAt }: Message, isOwn: boolean): void {
  rows.time(literal('Written'), createdAt, none);
  rows.time(literal('Updated'), updatedAt, literal('never'));
  rows.time(literal('Read'), readAt, isOwn ? literal('not yet') : literal('not noted by the server'));
  rows.fact(literal('Delivered'), literal('the service does not report it'), 'muted');
}

const kinds: Readonly<Record<Op['action']['kind'], SafeText>> = {
  'message.send': literal('Sending'),
  'message.edit': literal('Your edit'),
  'message.react': literal('Your reaction'),
  'message.delete': literal('Your deletion'),
  'conversation.pinMessage': literal('Pinning'),
  'conversation.pin': literal('Pinning'),
  'conversation.mute': literal('Muting'),
  'conversation.archive': literal('Archiving'),
  'conversation.delete': literal('Deletion'),
  'conversation.create': literal('Creation'),
};

const states: Readonly<Record<Op['state'], SafeText>> = {
  queued: literal('queued'),
  sending: literal('being sent'),
  unsure: literal('unsure: it is not known whether it arrived'),
  failed: literal('failed'),
};

/** Adds the outcome of each attempt, with the facts for which those who run the server ask. */
function addWrite(rows: SheetRows, op: Op): void {
  rows.heading(kinds[op.action.kind]);
  rows.fact(literal('State'), states[op.state]);
  rows.fact(literal('Since'), fullTime(op.created));
  if (op.reason !== null) rows.fact(literal('Reason'), sanitizeLine(op.reason));
  if (op.attempts.length === 0) rows.fact(literal('Attempts'), literal('none yet'), 'muted');
  for (const [index, attempt] of op.attempts.entries()) rows.fact(safe`Attempt ${index + 1}`, attemptText(attempt));
}

const outcomes: Readonly<Record<NonNullable<Attempt['outcome']>, SafeText>> = {
  applied: literal('carried out'),
  'not-applied': literal('not carried out'),
  rejected: literal('refused'),
  ambiguous: literal('without a clear answer'),
};

function attemptText({ started, ended, outcome, evidence, request }: Attempt): SafeText {
  const times = ended === null ? fullTime(started) : safe`${fullTime(started)} to ${clockTimeSeconds(ended)}`;
  const what = outcome === null ? literal('under way') : outcomes[outcome];
  const why = evidence === '' ? literal('') : safe` (${shown(evidence)})`;
  const which = request === undefined ? literal('') : safe` ${shown(request)}`;
  return safe`${times}: ${what}${why}${which}`;
}

const shownAttachments = 50;

function addAttachments(rows: SheetRows, { attachments }: Message): void {
  if (attachments.length === 0) return;
  rows.heading(literal('Attachments'));
  for (const { label, url, size, mediaType } of attachments.slice(0, shownAttachments)) {
    rows.text(sanitizeName(label));
    rows.fact(literal('Address'), url === null ? none : sanitizeLine(url.slice(0, 4_096)));
    rows.fact(literal('Size'), size === null ? none : safe`${size} bytes`);
    rows.fact(literal('Type'), mediaType === null ? none : shown(mediaType));
  }
  const rest = attachments.length - shownAttachments;
  if (rest > 0) rows.text(safe`and ${rest} more`, 'muted');
}

const shownReactions = 100;

function addReactions(rows: SheetRows, state: AppState, { reactions }: Message, mine: readonly string[]): void {
  if (reactions.length === 0) return;
  rows.heading(literal('Reactions'));
  for (const reaction of reactions.slice(0, shownReactions)) {
    const name = reaction.name === '' ? literal('(a name that cannot be read)') : sanitizeName(reaction.name);
    const glyph = glyphOf(reaction.name);
    const label = glyph === null || glyph === name ? name : safe`${glyph} ${name}`;
    rows.fact(label, reactorNames(state, reaction, mine));
  }
  const rest = reactions.length - shownReactions;
  if (rest > 0) rows.text(safe`and ${rest} more`, 'muted');
}
