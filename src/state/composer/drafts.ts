/**
 * The drafts of all conversations: changing one, editing a message in it, quoting into it, and what yanking inserts.
 */
import type { SentContent } from '../../protocol/same-text.ts';
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Draft } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { emptyDraft, holdsNothing, isEmpty, replaceRange, setText, withKill } from './draft.ts';
import { quoteAbove } from './quote.ts';

export const draftOf = (state: AppState, id: ConversationId): Draft => state.local.drafts.get(id) ?? emptyDraft;

/** Changes a draft. One that holds nothing, and has nothing to undo or to yank, is removed. */
export const updateDraft =
  (id: ConversationId, change: (draft: Draft) => Draft): Transition =>
  (state) => {
    if (state.view.isArchive === true) return state;
    const before = draftOf(state, id);
    const after = change(before);
    if (after === before) return state;
    const { drafts } = state.local;
    const next = hasNothingToKeep(after) ? withoutEntry(drafts, id) : withEntry(drafts, id, after);
    return next === drafts ? state : { ...state, local: { ...state.local, drafts: next } };
  };

/** Makes `text` what yanking puts into the draft. */
export const withKilledText = (draft: Draft, text: string): Draft =>
  draft.kill === text ? draft : withKill(draft, text);

/** Makes `text` what yanking puts into the draft, instead of `earlier`, a version of it that was offered before. */
export function withOfferedText(draft: Draft, text: string, earlier: string): Draft {
  if (draft.kill === text || text === '') return draft;
  if (earlier !== '' && draft.kill === earlier) return { ...draft, kill: text };
  const { earlierKills = [], ...rest } = draft;
  return withKill({ ...rest, earlierKills: earlierKills.filter((one) => one !== earlier) }, text);
}

/** Takes `beginning`, and the blank after it, out of a new message that begins with it; undo brings it back. */
export function withoutBeginning(draft: Draft, beginning: string): Draft {
  const { text, editing, cursor } = draft;
  if (beginning === '' || editing !== null || !text.startsWith(beginning)) return draft;
  const end = text.length - text.slice(beginning.length).trimStart().length;
  return { ...replaceRange(draft, { start: 0, end }, '', 'other'), cursor: Math.max(0, cursor - end) };
}

/** Makes a discarded message what yanking puts into the draft. */
export function withKilledMessage(draft: Draft, { text, attachments }: SentContent): Draft {
  const { killedFiles: _, ...rest } = draft;
  return { ...withKill(rest, text), ...(attachments && { killedFiles: attachments }) };
}

const hasNothingToKeep = (draft: Draft): boolean =>
  holdsNothing(draft) &&
  draft.kill === '' &&
  draft.killedFiles === undefined &&
  draft.recalled === undefined &&
  draft.undo.length === 0 &&
  draft.redo.length === 0;

/**
 * Opens a message's text in the composer; what the composer held comes back when editing ends.
 * @param base what the server shows
 * @param text what was sent for it, where that is another
 */
export function startEditing(draft: Draft, messageId: MessageId, base: string, text = base): Draft {
  const stash = draft.editing === null ? draft.text : (draft.editing.stash ?? '');
  const hasHeldNothing = isEmpty({ ...draft, text: stash }) && draft.recalled === undefined;
  const editing = hasHeldNothing ? { messageId, base } : { messageId, base, stash };
  return { ...emptyDraft, ...kept(draft), text, cursor: text.length, editing };
}

export function stopEditing(draft: Draft): Draft {
  if (draft.editing === null) return draft;
  const text = draft.editing.stash ?? '';
  return { ...emptyDraft, ...kept(draft), text, cursor: text.length };
}

/** The fields that an edit does not change: the files stay for the message that is written after it. */
const kept = ({
  kill,
  earlierKills,
  killedFiles,
  attachments,
  recalled,
  hasLongPaste,
}: Draft): Pick<Draft, 'kill' | 'earlierKills' | 'killedFiles' | 'attachments' | 'recalled' | 'hasLongPaste'> => ({
  kill,
  ...(earlierKills && { earlierKills }),
  ...(killedFiles && { killedFiles }),
  ...(recalled && { recalled }),
  ...(hasLongPaste && { hasLongPaste }),
  ...(attachments && { attachments }),
});

/** Like `stopEditing`, for Esc, which may have been meant for something else: yanking brings the text back. */
export function dropEditing(draft: Draft): Draft {
  const isChanged = draft.editing !== null && draft.text !== draft.editing.base;
  return stopEditing(isChanged ? withKill(draft, draft.text) : draft);
}

/** To be applied when the user deletes the message: an edit of it ends as with Esc, as there is nothing left to save it to. */
export const dropEditingOf = (id: ConversationId, messageId: MessageId): Transition =>
  updateDraft(id, (draft) => (draft.editing?.messageId === messageId ? dropEditing(draft) : draft));

/**
 * Puts the beginning of `text` above what the composer holds, as a quote.
 * @param author the name that others know the author by; null where it is not known
 */
export function quoteInto(draft: Draft, text: string, author: string | null): Draft {
  return setText(draft, quoteAbove(author, text, draft.text));
}

/** Puts `left` in the place of a draft, in the update that brings the op made from it. */
export const leaveDraft =
  (id: ConversationId | undefined, left: Draft): Transition =>
  (state) =>
    id === undefined ? state : updateDraft(id, () => left)(state);
