/** `msg-tui search`: finds words in the cached messages. It asks the server for nothing. */
import type { Coverage, MessageHit, MessageSearchResult } from '../../state/model/app-state.ts';
import { parseSearch } from '../../state/search/search-query.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { dateLabel } from '../../text/time.ts';
import type { AccountOptions, ArchiveOption } from '../headless/account-options.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { counted } from '../output/check.ts';
import { messageText } from '../output/message-text.ts';
import { isoTime, jsonDocument, type Output, processOutput } from '../output/print.ts';
import { messageJson } from '../output/resources.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Open, openWith } from './open.ts';

export interface SearchOptions extends AccountOptions, ArchiveOption {
  readonly in?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

const usualLimit = 20;

/** Rejects with ExitError: 5 for a conversation that is not cached, 2 for no words. Nothing found is a success. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  output: Output = processOutput(),
  open: Open = openWith(options),
): Promise<void> {
  const text = words.map(quoted).join(' ');
  const { identity, problem } = parseSearch(text);
  if (problem !== null) throw new ExitError(exitCodes.usage, `search: ${problem}`);
  if (identity === '') throw new ExitError(exitCodes.usage, 'search: write the words to search for');
  await open(async (account) => {
    const { session, store } = account;
    const inside =
      options.in === undefined ? null : (await lookUpConversation(account, options.in, { isCacheEnough: true })).id;
    let result: MessageSearchResult | null = null;
    for await (const found of session.search({ text, conversationId: inside })) result = found;
    const hits = (result?.hits ?? []).slice(0, options.limit ?? usualLimit);
    const state = store.getState();
    const owned = ({ conversationId, message }: MessageHit) => ({ ...message, conversationId });
    if (options.json === true) {
      const searched = result === null ? null : coverageJson(result.coverage);
      const messages = hits.map((hit) => messageJson(state, owned(hit)));
      output.json(jsonDocument({ total: result?.count ?? 0, searched, messages }));
      return;
    }
    const joined = words.find((word) => quoted(word) !== word);
    if (joined !== undefined && (result?.count ?? 0) === 0) output.remark(asOneText(joined));
    for (const hit of hits) {
      const place = safe`${selectConversationName(state, hit.conversationId)} / `;
      output.text(messageText(state, { ...hit.message, text: hit.excerpt }, output.columns, place));
    }
    if (result !== null) output.remark(searchedText(result, hits.length, state.view.isArchive === true));
  });
}

const coverageJson = ({ messages, conversations, known, oldest, inPart }: Coverage) => ({
  messages,
  conversations,
  known_conversations: known,
  partial_conversations: inPart,
  oldest_at: isoTime(oldest),
});

const countOf = (count: number, one: string): SafeText => sanitizeLine(counted(count, one));

function searchedText({ count, coverage }: MessageSearchResult, shown: number, isArchive: boolean): SafeText {
  const found = count > shown ? safe`the newest ${shown} of ${count} messages found` : safe`${count} found`;
  const { messages, conversations, inPart, oldest } = coverage;
  const since = oldest === null ? literal('') : safe`, back to ${dateLabel(oldest, Date.now())}`;
  const [message, isInPart] = isArchive ? ['message', 'only in part'] : ['cached message', 'cached only in part'];
  const part = inPart === 0 ? literal('') : safe`; ${countOf(inPart, 'conversation')} ${sanitizeLine(isInPart)}`;
  const searched = safe`${countOf(messages, message)} of ${countOf(conversations, 'conversation')}`;
  return safe`${found}; searched ${searched}${since}${part}`;
}

/** The advice for a user who has put the whole search into one pair of quotation marks of the shell. */
const asOneText = (word: string): SafeText =>
  safe`${sanitizeLine(quoted(word))} was searched as one value; give other words as arguments of their own`;

/** Puts back the quotation marks that the shell has taken out of `from:"Ann Lee"`. */
const quoted = (word: string): string => word.replace(/^(-?[a-z]+:)([^"]*\s[^"]*)$/i, '$1"$2"');
