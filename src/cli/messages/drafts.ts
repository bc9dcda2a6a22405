/** `msg-tui drafts`: the texts in the composers of the screen. */
import type { ConversationId } from '../../protocol/types.ts';
import { isBlank, setText } from '../../state/composer/draft.ts';
import { draftOf, dropEditing, updateDraft } from '../../state/composer/drafts.ts';
import type { AppState, Draft } from '../../state/model/app-state.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { sanitizeBody, sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import { saveLocally } from '../headless/save-locally.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { jsonDocument, type Output } from '../output/print.ts';
import { type Column, printTable } from '../output/table.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { WrittenOptions } from './written.ts';

const columns: readonly Column[] = [
  { heading: literal('CONVERSATION'), least: 12 },
  { heading: literal('TEXT'), least: 20 },
];

export function listDrafts({ store }: Account, { json }: WrittenOptions, output: Output): void {
  const state = store.getState();
  const drafts = [...state.local.drafts].filter(([, draft]) => !isBlank(draft));
  if (json === true) {
    output.json(jsonDocument({ data: drafts.map(([id, draft]) => draftJson(state, id, draft)) }));
    return;
  }
  const row = ([id, draft]: (typeof drafts)[number]) => [selectConversationName(state, id), sanitizeLine(draft.text)];
  printTable(output, columns, drafts.map(row), literal('no drafts'));
}

const draftJson = (state: AppState, id: ConversationId, { text, attachments = [], editing }: Draft) => ({
  conversation_id: id,
  conversation_name: selectConversationName(state, id),
  message: text,
  attachments,
  /** The message that is being edited; null for a new one. */
  edits_message_id: editing?.messageId ?? null,
});

/** Rejects with ExitError: 5 where there is no draft. */
export async function showDraft(
  account: Account,
  typed: string,
  { json }: WrittenOptions,
  output: Output,
): Promise<void> {
  const { id } = await lookUpConversation(account, typed);
  const state = account.store.getState();
  const draft = draftOf(state, id);
  if (isBlank(draft)) throw new ExitError(exitCodes.notFound, 'there is no draft in this conversation');
  if (json === true) output.json(jsonDocument(draftJson(state, id, draft)));
  else output.text(`${sanitizeBody(draft.text)}\n`);
}

/** Replaces what the composer holds. Rejects with ExitError. */
export async function setDraft(account: Account, typed: string, text: string): Promise<void> {
  const { id } = await lookUpConversation(account, typed);
  const { editing } = draftOf(account.store.getState(), id);
  if (editing !== null)
    throw new ExitError(exitCodes.failure, 'a message is being edited in this conversation; finish the edit first');
  saveLocally(
    account,
    updateDraft(id, (draft) => setText(draft, text)),
  );
}

/** Ends an edit as Esc does in the chat, so that the text from before it is the draft again. Rejects with ExitError. */
export async function clearDraft(account: Account, typed: string, output: Output): Promise<void> {
  const { id } = await lookUpConversation(account, typed);
  const { editing } = draftOf(account.store.getState(), id);
  saveLocally(account, updateDraft(id, editing === null ? cleared : dropEditing));
  if (!isBlank(draftOf(account.store.getState(), id)))
    output.remark(literal('the edit has ended; what was written before it is the draft again'));
}

/** The draft itself stays, so that undo in the composer brings the text back; its attachments are gone. */
function cleared(draft: Draft): Draft {
  const { attachments: _, ...rest } = setText(draft, '');
  return rest;
}
