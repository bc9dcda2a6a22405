/** Writes the text of an empty pane: it is loading, it has nothing yet, or it could not be loaded. */

import type { AppState, Connection, ListState } from '../state/model/app-state.ts';
import { oneBlank, type Row, type Style, withTarget } from '../text/layout/row.ts';
import { wrapStyled } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { clockTimeSeconds } from '../text/time.ts';
import { framed, innerColumns, type KeyOf, type Look, type Sides } from './frame.ts';
import { viewName } from './list-title.ts';
import { remedyOf } from './remedy.ts';

interface BlankLine {
  readonly text: SafeText;
  readonly style: Style;
  /** The command that a click runs. */
  readonly id?: string;
}

/** The lines wrapped between the borders, one row below the title. */
export function blankRows(lines: readonly BlankLine[], columns: number, sides: Sides, look: Look): readonly Row[] {
  const room = Math.max(1, innerColumns(columns, sides) - 2);
  const rows = lines.flatMap(({ text, style, id }) => {
    const wrapped = wrapStyled(text, room, style);
    return id === undefined ? wrapped : wrapped.map((row) => withTarget(row, { kind: 'command', id }));
  });
  return [[], ...rows].map((row) => framed([oneBlank, ...row], columns, sides, look));
}

/** `known`: the conversations in the cache, whichever of them the view and the filter show. */
export function blankList(
  list: ListState,
  connection: Connection,
  known: number,
  keyOf: KeyOf,
  look: Look,
): readonly BlankLine[] {
  const { theme, signs } = look;
  const { filter, search } = list;
  if (filter !== '' && search?.filter === filter && search.searchedCount < search.candidates.length)
    return [{ text: safe`Looking through the names${signs.ellipsis}`, style: theme.muted }];
  if (filter !== '') {
    return [
      { text: safe`No name matches "${sanitizeLine(list.filter)}".`, style: theme.plain },
      ...withKey('layer.back', keyOf, literal('clears the filter'), look),
    ];
  }
  if (known > 0) {
    return [
      { text: safe`Nothing in "${viewName(list.view)}".`, style: theme.plain },
      ...withKey('list.view', keyOf, literal('shows the next view'), look),
    ];
  }
  if (isBroken(connection)) return couldNotLoad(reasonOf(connection), connection, keyOf, look);
  if (connection.listRest === 'missing')
    return [{ text: literal('No conversation here could be read.'), style: theme.plain }];
  if (!connection.listComplete) return [{ text: safe`Loading conversations${signs.ellipsis}`, style: theme.muted }];
  return [
    { text: literal('No conversations yet.'), style: theme.plain },
    ...withKey('conversation.new', keyOf, literal('starts one'), look),
  ];
}

/** The text of a thread without messages, or of the pane while no conversation is open. */
export function blankThread(state: AppState, keyOf: KeyOf, look: Look): readonly BlankLine[] {
  const { theme, signs } = look;
  const { openId, connection } = state.view;
  if (openId === null) {
    return [
      { text: literal('No conversation is open.'), style: theme.plain },
      ...(state.cache.conversations.size === 0
        ? []
        : withKey('list.open', keyOf, literal('opens the one selected in the list'), look)),
    ];
  }
  const failure = connection.failures.get(openId);
  if (failure !== undefined) return couldNotLoad(sanitizeLine(failure), connection, keyOf, look);
  const thread = state.cache.threads.get(openId);
  if (thread?.older === 'end' && !connection.loading.has(openId)) {
    return [
      { text: literal('No messages yet.'), style: theme.plain },
      { text: literal('Write the first one below.'), style: theme.muted },
    ];
  }
  if (isBroken(connection)) return couldNotLoad(reasonOf(connection), connection, keyOf, look);
  return [{ text: safe`Loading messages${signs.ellipsis}`, style: theme.muted }];
}

const isBroken = ({ status }: Connection): boolean => status !== 'online' && status !== 'starting';

const statusWords: Readonly<Record<Connection['status'], SafeText>> = {
  starting: literal('connecting'),
  online: literal('no answer yet'),
  offline: literal('the server cannot be reached'),
  unauthorized: literal('the server refused the token'),
  'no-token': literal('there is no token'),
  'other-account': literal('the token is for another account'),
  'rate-limited': literal('the server asks to wait'),
  'not-api': literal('this server does not follow the API'),
};

const reasonOf = ({ status, reason }: Connection): SafeText =>
  reason === null ? statusWords[status] : sanitizeLine(reason);

function couldNotLoad(reason: SafeText, connection: Connection, keyOf: KeyOf, look: Look): readonly BlankLine[] {
  const { id, does, notBefore } = remedyOf(connection);
  const wait = notBefore === undefined ? null : safe`Next try at ${clockTimeSeconds(notBefore)}.`;
  return [
    { text: safe`${look.signs.failed} Could not load: ${reason}`, style: look.theme.error },
    ...(wait === null ? withKey(id, keyOf, does, look) : [{ text: wait, style: look.theme.muted, id }]),
  ];
}

function withKey(id: string, keyOf: KeyOf, does: SafeText, { theme }: Look): readonly BlankLine[] {
  const key = keyOf(id);
  return key === '' ? [] : [{ text: safe`${sanitizeLine(key)} ${does}.`, style: theme.muted, id }];
}
