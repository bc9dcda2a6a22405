/** Attaches files to the message that is being written: the prompt, the menu of what is attached, a click on a chip. */
import type { AttachmentFields, ConversationId } from '../protocol/types.ts';
import { attach, detach } from '../state/composer/draft.ts';
import { draftOf, updateDraft } from '../state/composer/drafts.ts';
import { readAttachment } from '../state/composer/read-attachment.ts';
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { describeFiles, selectComposerFiles } from '../state/select/attachments.ts';
import { dropNotice } from '../state/view/notices.ts';
import { popOverlay, pushOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { digitOf, type Menu, type MenuRow, openMenu } from './menu.ts';
import { notify } from './notify.ts';
import { nothingOpen } from './selection.ts';

/** Why the attachments that the composer shows cannot be changed; null where they can, or where it shows none. */
export const fixedReason = (state: AppState): string | null =>
  selectComposerFiles(state).isFixed
    ? 'An attachment cannot be removed from a sent message; an edit changes only the text'
    : null;

function attachReason(state: AppState): string | null {
  const { openId } = state.view;
  if (openId === null) return nothingOpen;
  if (draftOf(state, openId).editing === null) return null;
  return fixedReason(state) ?? 'An edit changes the text alone; finish it to attach something to a new message';
}

const ask = (context: CommandContext, conversationId: ConversationId): void =>
  context.update(pushOverlay({ kind: 'attach', conversationId, typed: '' }));

export const attachCommands: readonly Command[] = [
  {
    id: 'message.attach',
    title: 'Attach something by its address, or remove it',
    keys: ['alt+u'],
    where: ['composer'],
    group: 'Composer',
    disabled: attachReason,
    run(context) {
      const state = context.get();
      const { openId } = state.view;
      if (openId === null) return;
      if (filesOf(state, openId).length === 0) ask(context, openId);
      else openMenu(context, 'attachments', { conversationId: openId, itemId: null });
    },
  },
];

export const attachPrompt = {
  /** An empty field attaches nothing. What cannot be attached stays in the field. */
  accept(context: CommandContext, { conversationId, typed }: Extract<Overlay, { kind: 'attach' }>): void {
    const read = typed.trim() === '' ? null : readAttachment(typed);
    if (read !== null && 'problem' in read) {
      notify(context, `${read.problem.charAt(0).toUpperCase()}${read.problem.slice(1)}`, {
        tone: 'warning',
        about: 'attach',
      });
      return;
    }
    context.update(popOverlay);
    context.update(dropNotice('attach'));
    if (read !== null) context.update(updateDraft(conversationId, (draft) => attach(draft, [read.fields])));
  },
};

const filesOf = (state: AppState, id: ConversationId): readonly AttachmentFields[] =>
  draftOf(state, id).attachments ?? [];

const remove = (context: CommandContext, id: ConversationId, fields: AttachmentFields): void =>
  context.update(updateDraft(id, (draft) => detach(draft, fields)));

export const attachmentsMenu: Menu = {
  title: () => 'Attachments',
  rows: (state, { conversationId }) => [
    { id: 'attach', label: 'Attach another', key: 'a', reason: null, run: (context) => ask(context, conversationId) },
    ...filesOf(state, conversationId).map(
      (fields, index): MenuRow => ({
        id: `remove ${index}`,
        label: `Remove ${describeFiles([fields])[0]?.label ?? ''}`,
        key: digitOf(index),
        reason: null,
        run: (context) => remove(context, conversationId, fields),
      }),
    ),
  ],
};

/** The attachment whose chip, at `place`, was clicked. */
export interface ClickedFile {
  readonly conversationId: ConversationId;
  readonly place: number;
  readonly name: string;
}

/** The frame that was clicked may be older than the draft: then nothing is removed. */
export function detachClicked(context: CommandContext, { conversationId, place, name }: ClickedFile): void {
  const fields = filesOf(context.get(), conversationId)[place];
  if (fields === undefined || describeFiles([fields])[0]?.label !== name) return;
  remove(context, conversationId, fields);
}
