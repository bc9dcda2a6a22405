/** The words and rows of the "go to" overlay. */

import type { Looked, LookingUp } from '../state/model/app-state.ts';
import type { ShownGoToRow } from '../state/search/switcher.ts';
import { type Query, type Reach, soughtIn } from '../state/search/switcher-row.ts';
import { blank, joinRows, padRow, type Row, rowWidth, shortenRow, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { markMatch } from '../text/search/match.ts';
import { listTime } from '../text/time.ts';
import { grouped, hitStyle } from './find.ts';
import { type GlyphSet, inSigns, unicodeSigns } from './glyph-set.ts';

const timeColumns = 11;
const gap = 2;

/** Name, what there is to know of it, and where there is room the time of the last activity. */
export function goToRow(
  shown: ShownGoToRow,
  columns: number,
  sought: Query,
  now: number,
  signs: GlyphSet = unicodeSigns,
): Row {
  const facts = span(inSigns(factsOf(shown), signs));
  const name = markMatch(shown.name, sought, hitStyle);
  const room = Math.min(columns / 2, rightRoom(name, columns));
  const hasTime = shown.at !== null && (facts.width === 0 || facts.width + timeColumns <= room);
  const right = hasTime ? [facts, ...timeCell(listTime(shown.at, now))] : [facts];
  return sided(name, right, columns, signs);
}

const timeCell = (time: SafeText): Row => {
  const label = span(time);
  return [blank(timeColumns - label.width), label];
};

function factsOf(shown: ShownGoToRow): SafeText {
  if (shown.conversationId === null) return literal('no conversation yet');
  const facts = [
    shown.unread > 0 ? safe`${shown.unread} unread` : null,
    shown.hasDraft ? literal('draft') : null,
    shown.isOpen ? literal('open') : null,
    shown.isPinned ? literal('pinned') : null,
    shown.isMuted ? literal('muted') : null,
    shown.isArchived ? literal('archived') : null,
  ].filter((fact) => fact !== null);
  return facts.reduce((line, fact) => (line === '' ? fact : safe`${line} · ${fact}`), literal(''));
}

interface CommandRow {
  readonly title: string;
  /** As they are called on the screen. */
  readonly keys: string;
  /** Why it cannot run now. */
  readonly reason: string | null;
}

/** Its title and keys; where it cannot run, why. */
export function commandRow(
  { title, keys, reason }: CommandRow,
  columns: number,
  sought: Query,
  signs: GlyphSet = unicodeSigns,
): Row {
  const right = reason === null ? sanitizeLine(keys) : safe`not now: ${sanitizeLine(reason)}`;
  const left = markMatch(inSigns(sanitizeLine(title), signs), sought, hitStyle);
  return sided(left, [span(inSigns(right, signs))], columns, signs);
}

const rightRoom = (left: Row, columns: number): number =>
  Math.max(0, columns - Math.min(rowWidth(left), Math.ceil(columns / 2)) - gap);

/** The right one at the right edge, in full up to half of the columns; the left one is cut where there is no room. */
function sided(left: Row, right: Row, columns: number, { ellipsis }: GlyphSet): Row {
  const end = shortenRow(right, rightRoom(left, columns), ellipsis);
  const room = Math.max(0, columns - (rowWidth(end) === 0 ? 0 : rowWidth(end) + gap));
  return joinRows(padRow(shortenRow(left, room, ellipsis), columns - rowWidth(end)), end);
}

const titles: Readonly<Record<Reach, SafeText>> = {
  conversations: literal('Go to'),
  commands: literal('Commands'),
  people: literal('People'),
  groups: literal('Groups'),
  partners: literal('New conversation'),
};

/** With how many there are, once that is known and something was typed. */
export function goToTitle(overlay: LookingUp): SafeText {
  const { looked } = overlay;
  const { reach, text } = soughtIn(overlay);
  const title = titles[reach];
  if (reach === 'commands' || text === '' || !looked.isDone || looked.count === 0) return title;
  const { rows, count } = looked;
  return rows.length < count
    ? safe`${title} · the best ${rows.length} of ${grouped(count)} found`
    : safe`${title} · ${grouped(count)} found`;
}

const nothing: Readonly<Record<Reach, SafeText>> = {
  conversations: literal('No conversation has this name; @ looks among all people.'),
  commands: literal('No command is called so.'),
  people: literal('Nobody met so far has this name; a new conversation takes an id.'),
  groups: literal('No group has this name.'),
  partners: literal('Nobody has this name or id.'),
};

const empty: Readonly<Record<Reach, SafeText>> = {
  conversations: literal('There are no conversations yet.'),
  commands: literal(''),
  people: literal('Nobody has been met yet; a new conversation takes an id.'),
  groups: literal('There are no groups.'),
  partners: literal('Nobody known yet: enter the id of a contact or a group.'),
};

/** Where there are no rows. */
export function nothingThere(overlay: LookingUp): SafeText {
  if (isSearching(overlay.looked)) return searching;
  const { reach, text } = soughtIn(overlay);
  return text === '' ? empty[reach] : nothing[reach];
}

const isSearching = ({ isDone }: Looked): boolean => !isDone;
const searching = literal('Searching …');
const notes: Readonly<Record<LookingUp['kind'], SafeText>> = {
  'go-to': literal('> commands · @ people · # groups'),
  'new-conversation': literal('The service lists no contacts: these are the ones seen in messages.'),
};

/** The last line; `reason`: why the chosen command cannot run, for which its row may have no room. */
export function goToNote(overlay: LookingUp, reason: string | null): SafeText {
  if (reason !== null) return safe`Not now: ${sanitizeLine(reason)}`;
  const note = notes[overlay.kind];
  const isLooking = soughtIn(overlay).text !== '' && isSearching(overlay.looked);
  return isLooking ? safe`${searching}  ${note}` : note;
}
