/** Makes the page about a person or a group: names, last seen, shared groups, the last exchange, links and files, a note. */
import type { Contact, Message, Millis } from '../../protocol/types.ts';
import type { Target } from '../../text/layout/row.ts';
import type { StyledRange } from '../../text/layout/wrap.ts';
import { sanitizeBody, sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { ago, clockTime, fullTime } from '../../text/time.ts';
import { textAbout } from '../local/own-names.ts';
import type { AppState } from '../model/app-state.ts';
import type { Findings, Person, PersonOverlay } from '../model/details.ts';
import { textForExcerpt } from '../select/message-texts.ts';
import { authorName, selectContactName, selectConversationName } from '../select/names.ts';
import { SheetRows, type Tone } from './sheet-rows.ts';

export function personTitle(state: AppState, { kind, id }: Person): SafeText {
  if (kind === 'contact') return selectContactName(state, id, null);
  const given = textAbout(state.local.names, kind, id);
  return given === undefined ? safe`Group ${sanitizeName(id)}` : sanitizeName(given);
}

export function personRows(state: AppState, overlay: PersonOverlay, columns: number, now: Millis): SheetRows['rows'] {
  const rows = new SheetRows(columns);
  const { of, findings } = overlay;
  const given = textAbout(state.local.names, of.kind, of.id);
  rows.fact(literal('Name here'), given === undefined ? literal('none given') : sanitizeName(given), toneOf(given));
  if (of.kind === 'contact') addContact(rows, state, of.id, findings, now);
  else rows.fact(literal('Group id'), shown(of.id));
  const note = textAbout(state.local.notes, of.kind, of.id);
  rows.fact(literal('Your note'), note === undefined ? literal('none written') : sanitizeBody(note), toneOf(note));
  if (findings === null) {
    rows.heading(literal('Messages'));
    rows.text(literal('Searching the messages kept here …'), 'muted');
    return rows.rows;
  }
  addExchange(rows, state, findings, now);
  if (of.kind === 'contact') addGroups(rows, state, findings, now);
  else addAuthors(rows, state, findings, now);
  addShared(rows, findings);
  rows.text(literal(' '));
  rows.text(coverage(findings), 'muted');
  return rows.rows;
}

const toneOf = (given: string | undefined): 'plain' | 'muted' => (given === undefined ? 'muted' : 'plain');
const shown = (raw: string): SafeText => sanitizeLine(raw.slice(0, 400));
const notGiven = literal('not given by the server');

function addContact(rows: SheetRows, state: AppState, id: string, findings: Findings | null, now: Millis): void {
  const contact: Contact | null = state.cache.contacts.get(id) ?? null;
  const username = contact?.username ?? null;
  const phone = contact?.phoneNumber ?? null;
  rows.fact(literal('User name'), username === null ? notGiven : shown(username));
  rows.fact(literal('Phone'), phone === null ? notGiven : shown(phone));
  rows.fact(literal('Id'), shown(id));
  rows.time(literal('Known since'), contact?.createdAt ?? null, notGiven);
  const seen = contact?.lastActiveAt ?? null;
  rows.fact(literal('Last seen'), seen === null ? notGiven : safe`${fullTime(seen)} (${ago(seen, now)})`);
  if (seen !== null) rows.fact(literal(''), ageOf(state, findings), 'muted');
}

/**
 * The server reports the last activity of a person only together with a message of that person. When it last answered is known
 * to the minute: seconds could lie before a message that is there.
 */
function ageOf(state: AppState, findings: Findings | null): SafeText {
  const { asOf } = state.view.connection;
  const last = findings?.lastFrom?.createdAt ?? null;
  const source =
    last === null ? literal('as the server reported it') : safe`reported with their message of ${fullTime(last)}`;
  return asOf === null ? source : safe`${source}; the server last answered at ${clockTime(asOf)}`;
}

function addExchange(rows: SheetRows, state: AppState, { of, lastFrom, lastTo }: Findings, now: Millis): void {
  rows.heading(literal('Last exchange'));
  if (of.kind === 'contact') rows.fact(literal('From them'), excerptOf(lastFrom, now));
  else {
    const by = lastFrom === null ? literal('') : safe`${authorName(state, lastFrom.contact)}, `;
    rows.fact(literal('From others'), safe`${by}${excerptOf(lastFrom, now)}`);
  }
  rows.fact(of.kind === 'contact' ? literal('To them') : literal('From you'), excerptOf(lastTo, now));
}

function excerptOf(message: Message | null, now: Millis): SafeText {
  if (message === null) return literal('none is kept here');
  const { createdAt } = message;
  const when =
    createdAt === null ? literal('at an unknown time') : safe`${fullTime(createdAt)} (${ago(createdAt, now)})`;
  const covered = textForExcerpt(message);
  const excerpt = sanitizeLine(covered.slice(0, 200));
  return safe`${when}: ${excerpt}${covered.length > 200 ? literal(' …') : literal('')}`;
}

const shownGroups = 50;
const shownAuthors = 100;

function addGroups(rows: SheetRows, state: AppState, { groups }: Findings, now: Millis): void {
  rows.heading(literal('Groups with messages of theirs'));
  if (groups.length === 0) rows.text(literal('None was found.'), 'muted');
  for (const { id, last } of groups.slice(0, shownGroups)) {
    const when = last.createdAt === null ? literal('') : safe`, last ${ago(last.createdAt, now)}`;
    const text = safe`${selectConversationName(state, id)}${when}`;
    rows.text(text, 'plain', clickable(text, { kind: 'conversation', conversationId: id }));
  }
  if (groups.length > shownGroups) rows.text(safe`and ${groups.length - shownGroups} more`, 'muted');
}

/** The service does not list the members of a group. */
function addAuthors(rows: SheetRows, state: AppState, { authors }: Findings, now: Millis): void {
  rows.heading(literal('Who has written here'));
  if (authors.length === 0) rows.text(literal('Nobody was found.'), 'muted');
  for (const { contact, createdAt } of authors.slice(0, shownAuthors)) {
    if (contact === null) continue;
    const when = createdAt === null ? literal('') : safe`, last ${ago(createdAt, now)}`;
    const text = safe`${authorName(state, contact)}${when}`;
    rows.text(text, 'plain', clickable(text, { kind: 'person', of: { kind: 'contact', id: contact.id } }));
  }
  if (authors.length > shownAuthors) rows.text(safe`and ${authors.length - shownAuthors} more`, 'muted');
}

const clickable = (text: SafeText, target: Target): readonly StyledRange[] => [
  { start: 0, end: text.length, style: 'plain' satisfies Tone, target },
];

function addShared(rows: SheetRows, { links, files }: Findings): void {
  rows.heading(literal('Links and files'));
  if (links.addresses.length + files.length === 0) rows.text(literal('None was found.'), 'muted');
  for (const { shown: text, href } of links.addresses)
    rows.text(text, 'plain', clickable(text, { kind: 'address', address: href }));
  for (const file of files) rows.text(sanitizeName(file));
}

function coverage({ searched, isDone }: Findings): SafeText {
  if (!isDone) return safe`Searched ${searched} messages so far …`;
  return searched === 1
    ? literal('Searched the only message that is held here.')
    : safe`Searched ${searched} messages that are held here.`;
}
