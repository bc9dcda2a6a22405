/** Recalls texts that were sent before: step by step in the composer, or by searching for one. */

import { draftOf } from '../state/composer/drafts.ts';
import { recallText, stepThrough } from '../state/composer/recall.ts';
import { searchSentTexts, selectSentTexts } from '../state/local/sent-texts.ts';
import type { AppState, Draft, Overlay } from '../state/model/app-state.ts';
import type { SentText } from '../state/model/local-records.ts';
import { selectComposer } from '../state/select/selectors.ts';
import { dropNotice } from '../state/view/notices.ts';
import { popOverlay, pushOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { asTyped } from './entered.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { nothingOpen } from './selection.ts';
import { changeDraft } from './text-editing.ts';

const about = 'recall';

type SentTextsOverlay = Extract<Overlay, { kind: 'sent-texts' }>;

/** The rows of the search. */
export const selectFoundTexts = (state: AppState, { typed }: SentTextsOverlay): readonly SentText[] =>
  searchSentTexts(selectSentTexts(state), typed);

export const sentTextId = ({ conversationId, at }: SentText): string => `${conversationId} ${at}`;

export const sentTexts = {
  rowIds: (state: AppState, shown: SentTextsOverlay): readonly string[] =>
    selectFoundTexts(state, shown).map(sentTextId),
  accept(context: CommandContext, shown: SentTextsOverlay): void {
    const chosen = selectFoundTexts(context.get(), shown)[shown.selected];
    if (chosen === undefined) return;
    context.update(popOverlay);
    recall(context, (draft) => recallText(draft, asTyped(chosen.text)));
  },
};

function cannotRecall(state: AppState): string | null {
  const { openId } = state.view;
  if (openId === null) return nothingOpen;
  if (draftOf(state, openId).editing !== null) return 'Save the edited message first, or press Esc';
  return state.local.sentTexts.size === 0 ? 'Nothing was sent yet' : null;
}

function step(context: CommandContext, by: 1 | -1): void {
  const state = context.get();
  const { openId } = state.view;
  if (openId === null) return;
  const texts = selectSentTexts(state).map(({ text }) => asTyped(text));
  const next = stepThrough(draftOf(state, openId), texts, by);
  if (next === null) {
    notify(context, by > 0 ? 'No older text is kept' : 'This is what you are writing', { about });
    return;
  }
  recall(context, () => next);
}

/** Changes the draft. Where that puts what the composer held aside, a notice says how it comes back. */
function recall(context: CommandContext, change: (draft: Draft) => Draft): void {
  const hasStash = (): boolean => (selectComposer(context.get()).recalled?.stash ?? '') !== '';
  const hadStash = hasStash();
  changeDraft(context, change);
  context.update(dropNotice(about));
  if (hadStash || !hasStash()) return;
  const back = withKey(context, 'composer.recallNewer', (key) => `: ${key} goes back to it`);
  notify(context, `Your draft is kept${back}`, { about });
}

/** Says where the text in the composer comes from after another one was sent. */
export const tellOfDraft = (context: CommandContext): void =>
  notify(context, 'What you were writing before is back in the composer', { about });

const inComposer = { group: 'Composer', where: ['composer'], disabled: cannotRecall } as const;

export const sentTextCommands: readonly Command[] = [
  {
    ...inComposer,
    id: 'composer.recallOlder',
    title: 'Recall what you sent before',
    keys: ['ctrl+p', 'alt+p'],
    run: (context) => step(context, 1),
  },
  {
    ...inComposer,
    id: 'composer.recallNewer',
    title: 'Back to newer ones, then to what you were writing',
    keys: ['alt+n'],
    run: (context) => step(context, -1),
  },
  {
    ...inComposer,
    id: 'composer.searchSent',
    title: 'Search in what you sent before',
    keys: ['ctrl+r'],
    run: (context) => context.update(pushOverlay({ kind: 'sent-texts', typed: '', selected: 0 })),
  },
];
