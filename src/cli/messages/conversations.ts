/** `msg-tui conversations`: the conversation list, in the order of the screen. */
import type { Conversation } from '../../protocol/types.ts';
import { shownConversation } from '../../state/local/optimistic-values.ts';
import type { AppState, ListView } from '../../state/model/app-state.ts';
import { activeAt, selectWholeOrder } from '../../state/select/listed-conversations.ts';
import { conversationName, messageAuthor } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { listTime, localMinute } from '../../text/time.ts';
import type { AccountOptions, ArchiveOption, TimeoutOptions } from '../headless/account-options.ts';
import { shortestPrefix } from '../names/match.ts';
import { counted } from '../output/check.ts';
import { isoTime, jsonDocument, type Output, processOutput } from '../output/print.ts';
import { conversationJson } from '../output/resources.ts';
import { type Column, printTable } from '../output/table.ts';
import { type Open, openWith } from './open.ts';
import { catchUp, refresh } from './refresh.ts';

export interface ConversationsOptions extends AccountOptions, ArchiveOption, TimeoutOptions {
  readonly view: Extract<ListView, string>;
  readonly limit?: number;
  readonly cached?: boolean;
  readonly json?: boolean;
}

/** Rejects with ExitError: 4 where the server was not reached, after the cached list is printed. */
export async function conversations(
  options: ConversationsOptions,
  output: Output = processOutput(),
  open: Open = openWith(options),
): Promise<void> {
  await open(async (account) => {
    const isLocal = options.cached === true || options.archive !== undefined;
    let notRead = 0;
    const failure = isLocal
      ? null
      : await refresh(account, async () => {
          notRead = await catchUp(account);
        });
    const state = account.store.getState();
    const all = inView(state, options.view);
    const shown = all.slice(0, options.limit);
    const isCached = isLocal || failure !== null;
    if (options.json === true) {
      const asOf = isoTime(isCached ? account.session.cachedAt : Date.now());
      const list = shown.map((one) => conversationJson(state, one));
      output.json(jsonDocument({ cached: isCached, as_of: asOf, total: all.length, conversations: list }));
    } else printTable(output, table, rowsOf(state, shown, output.columns), nothingIn(options.view));
    if (notRead > 0)
      output.remark(
        sanitizeLine(`news of ${counted(notRead, 'conversation')} was not read yet; the next run reads more`),
      );
    if (failure !== null) throw failure;
  });
}

/** The conversations of the view, with pending changes and without those that are being deleted. */
function inView(state: AppState, view: ListView): readonly Conversation[] {
  const ordered = { ...state, view: { ...state.view, openId: null, list: { ...state.view.list, view } } };
  return selectWholeOrder(ordered).flatMap((id) => {
    const conversation = state.cache.conversations.get(id);
    return conversation === undefined ? [] : (shownConversation(conversation, state.local.outbox) ?? []);
  });
}

const table: readonly Column[] = [
  { heading: literal('ID') },
  { heading: literal('NAME'), least: 6 },
  { heading: literal('UNREAD'), align: 'right' },
  { heading: literal('ACTIVE') },
  { heading: literal('STATE'), least: 1 },
  { heading: literal('LAST MESSAGE'), least: 6 },
];

const nothingIn = (view: ConversationsOptions['view']): SafeText =>
  view === 'all'
    ? literal('no conversations yet; msg-tui new starts one')
    : safe`no ${sanitizeLine(view)} conversations`;

/** On a terminal ids are shortened to a beginning that no other one has. */
function rowsOf(
  state: AppState,
  shown: readonly Conversation[],
  columns: number | null,
): readonly (readonly SafeText[])[] {
  const ids = [...state.cache.conversations.keys()];
  const now = Date.now();
  return shown.map((one): readonly SafeText[] => {
    const at = activeAt(one, state.cache.lastMessages) || null;
    return [
      sanitizeLine(columns === null ? one.id : shortestPrefix(one.id, ids)),
      conversationName(state, one),
      safe`${state.cache.unread.get(one.id) ?? 0}`,
      columns === null ? localMinute(at) : listTime(at, now),
      stateOf(one),
      lastMessage(state, one),
    ];
  });
}

function stateOf({ isPinned, isMuted, archivedAt }: Conversation): SafeText {
  const words = [isPinned ? 'pinned' : '', isMuted ? 'muted' : '', archivedAt === null ? '' : 'archived'];
  return sanitizeLine(words.filter((word) => word !== '').join(',') || '-');
}

function lastMessage(state: AppState, { id }: Conversation): SafeText {
  const last = state.cache.lastMessages.get(id);
  if (last === undefined) return literal('');
  const files = last.attachments.map(({ label }) => `[${label}]`);
  const content = [last.text.slice(0, 300), ...files].filter((part) => part !== '').join(' ');
  return safe`${messageAuthor(state, last)}: ${sanitizeLine(content)}`;
}
