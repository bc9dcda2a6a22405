/**
 * Draws the rows of the switcher (Ctrl-K), and the texts of all prompts that search by name: also of "new conversation"
 * (Ctrl-N) and of forwarding.
 */

import type { NamePrompt, NameSearchResult } from '../state/model/app-state.ts';
import type { ShownSwitcherRow } from '../state/search/switcher.ts';
import { type Query, queryOf, type SearchScope } from '../state/search/switcher-row.ts';
import { blank, joinRows, padRow, type Row, rowWidth, shortenRow, span } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { markMatch } from '../text/search/match.ts';
import { listTime } from '../text/time.ts';
import { type GlyphSet, ownTextIn, unicodeSigns } from './glyph-set.ts';
import { grouped, hitStyle } from './message-search.ts';

const timeColumns = 11;
const gap = 2;

/** Draws name, state ("2 unread · draft"), and where there is room the time of the last activity. */
export function switcherRow(
  shown: ShownSwitcherRow,
  columns: number,
  query: Query,
  now: number,
  signs: GlyphSet = unicodeSigns,
): Row {
  const facts = span(ownTextIn(factsOf(shown), signs));
  const name = markMatch(shown.name, query, hitStyle);
  const hasTime = shown.at !== null && (facts.width === 0 || facts.width + timeColumns <= rightRoom(name, columns));
  const right = hasTime ? [facts, ...timeCell(listTime(shown.at, now))] : [facts];
  return sided(name, right, columns, signs);
}

const timeCell = (time: SafeText): Row => {
  const label = span(time);
  return [blank(timeColumns - label.width), label];
};

function factsOf(shown: ShownSwitcherRow): SafeText {
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

const rightRoom = (left: Row, columns: number): number =>
  Math.max(0, columns - Math.min(rowWidth(left), Math.ceil(columns / 2)) - gap);

/** Puts `right` at the right edge, in the columns that `left` leaves but at least in half of them; `left` is cut to the rest. */
function sided(left: Row, right: Row, columns: number, { ellipsis }: GlyphSet): Row {
  const end = shortenRow(right, rightRoom(left, columns), ellipsis);
  const room = Math.max(0, columns - (rowWidth(end) === 0 ? 0 : rowWidth(end) + gap));
  return joinRows(padRow(shortenRow(left, room, ellipsis), columns - rowWidth(end)), end);
}

const titles: Readonly<Record<SearchScope, SafeText>> = {
  conversations: literal('Go to'),
  commands: literal('Commands'),
  people: literal('People'),
  groups: literal('Groups'),
  partners: literal('New conversation'),
};

/** The title, with the number of matches once it is known and something was typed. */
export function namePromptTitle(overlay: NamePrompt): SafeText {
  const { result } = overlay;
  const { scope, text } = queryOf(overlay);
  const title = titles[scope];
  if (scope === 'commands' || text === '' || !result.isDone || result.count === 0) return title;
  const { rows, count } = result;
  return rows.length < count
    ? safe`${title} · the best ${rows.length} of ${grouped(count)} found`
    : safe`${title} · ${grouped(count)} found`;
}

const nothing: Readonly<Record<SearchScope, SafeText>> = {
  conversations: literal('No conversation has this name; @ searches all people.'),
  commands: literal('No command has this name.'),
  people: literal('No known person has this name; a new conversation needs an id.'),
  groups: literal('No group has this name.'),
  partners: literal('Nobody has this name or id.'),
};

/** In the prompt for forwarding no first character chooses what is searched. */
const noDestination = literal('No conversation has this name.');

const empty: Readonly<Record<SearchScope, SafeText>> = {
  conversations: literal('There are no conversations yet.'),
  commands: literal(''),
  people: literal('No people are known yet; a new conversation needs an id.'),
  groups: literal('There are no groups.'),
  partners: literal('Nobody known yet: enter the id of a contact or a group.'),
};

/** The text in the place of the rows where there are none. */
export function namePromptEmpty(overlay: NamePrompt): SafeText {
  if (isSearching(overlay.result)) return searching;
  const { scope, text } = queryOf(overlay);
  if (text === '') return empty[scope];
  return overlay.kind === 'forward' ? noDestination : nothing[scope];
}

const isSearching = ({ isDone }: NameSearchResult): boolean => !isDone;
const searching = literal('Searching …');
const notes: Readonly<Record<Exclude<NamePrompt['kind'], 'forward'>, SafeText>> = {
  switcher: literal('> commands · @ people · # groups'),
  'new-conversation': literal('The service lists no contacts: these are the ones seen in messages.'),
};

/**
 * The last line.
 * @param reason why the selected command cannot run, for which its row may have no room
 */
export function namePromptNote(overlay: NamePrompt, reason: string | null): SafeText {
  if (reason !== null) return safe`Not now: ${sanitizeLine(reason)}`;
  const note = overlay.kind === 'forward' ? literal('') : notes[overlay.kind];
  const isLooking = queryOf(overlay).text !== '' && isSearching(overlay.result);
  return isLooking ? safe`${searching}  ${note}` : note;
}
