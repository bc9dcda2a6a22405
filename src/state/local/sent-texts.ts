/** The texts sent last, kept on this machine so that they can be recalled in the composer. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { fold, foldedWords } from '../../text/search/find.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import type { SentText } from '../model/local-records.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

const mostTexts = 200;
/** Characters. A longer text is not kept: it can be copied from the thread. */
const longestText = 4_000;

/** Keeps a text that was sent; the same text of the same conversation is kept once. */
export const rememberSent =
  (conversationId: ConversationId, text: string, at: Millis): Transition =>
  (state) => {
    if (text.trim() === '' || text.length > longestText) return state;
    const kept = [...state.local.sentTexts].filter(([, one]) => !isSame(one, conversationId, text));
    const newest = kept.sort(byAge).slice(0, mostTexts - 1);
    return withSent(state, [...newest, [keyFor(newest, at), { conversationId, text, at }]]);
  };

/** Forgets a text, because its message was deleted; without a text, all of the conversation. */
export const forgetSent =
  (conversationId: ConversationId, text?: string): Transition =>
  (state) => {
    const kept = [...state.local.sentTexts].filter(
      ([, one]) => one.conversationId !== conversationId || (text !== undefined && one.text !== text),
    );
    return kept.length === state.local.sentTexts.size ? state : withSent(state, kept);
  };

type Entry = readonly [key: string, sent: SentText];

const isSame = (one: SentText, conversationId: ConversationId, text: string): boolean =>
  one.conversationId === conversationId && one.text === text;

const byAge = ([, a]: Entry, [, b]: Entry): number => b.at - a.at;

/** Two texts of one millisecond need two keys. */
function keyFor(entries: readonly Entry[], at: Millis): string {
  const taken = new Set(entries.map(([key]) => key));
  let key = at;
  while (taken.has(String(key))) key++;
  return String(key);
}

const withSent = (state: AppState, entries: readonly Entry[]): AppState =>
  patchLocal(state, { sentTexts: new Map(entries) });

/**
 * Texts of the open conversation come first, the newest before the others. A text that was sent to several
 * conversations is listed once.
 */
export const selectSentTexts = (state: AppState): readonly SentText[] =>
  inOrder(state.local.sentTexts, state.view.openId);

const inOrder = memoLast((sent: ReadonlyMap<string, SentText>, here: ConversationId | null): readonly SentText[] => {
  const sorted = [...sent].sort(byAge).map(([, one]) => one);
  const ordered = [...sorted.filter(isOf(here)), ...sorted.filter((one) => !isOf(here)(one))];
  const seen = new Set<string>();
  return ordered.filter(({ text }) => !seen.has(text) && seen.add(text));
});

const isOf = (id: ConversationId | null) => (one: SentText) => one.conversationId === id;

/** The texts that contain all typed words. */
export const searchSentTexts = memoLast((sent: readonly SentText[], typed: string): readonly SentText[] => {
  const words = foldedWords(typed);
  return sent.filter((one) => words.every((word) => foldedOf(one).includes(word)));
});

const folded = new WeakMap<SentText, string>();

function foldedOf(sent: SentText): string {
  const known = folded.get(sent) ?? fold(sent.text);
  folded.set(sent, known);
  return known;
}
