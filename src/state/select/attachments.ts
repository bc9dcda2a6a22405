/** The attachments of a message, of one that waits to be sent, and of what is being written. */
import { parseAttachments } from '../../protocol/parse.ts';
import type { Attachment, AttachmentFields } from '../../protocol/types.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import { selectComposer } from './selectors.ts';
import type { ThreadItem } from './thread-items.ts';

const none: readonly Attachment[] = [];

/** Names, addresses and sizes of attachments as they are sent, read as those of the server are. */
export const describeFiles = (files: readonly AttachmentFields[] = []): readonly Attachment[] =>
  files.length === 0 ? none : parseAttachments(files).attachments;

export function attachmentsOf({ message, op }: ThreadItem): readonly Attachment[] {
  if (message !== null) return message.attachments;
  return op?.action.kind === 'message.send' ? describeFiles(op.action.attachments) : none;
}

export interface ComposerFiles {
  readonly attachments: readonly Attachment[];
  /** They belong to the message that is edited, and stay as they are. */
  readonly isFixed: boolean;
}

const nothing: ComposerFiles = { attachments: none, isFixed: false };
const attached = memoLast(
  (files: readonly AttachmentFields[]): ComposerFiles => ({ attachments: describeFiles(files), isFixed: false }),
);
const fixed = memoLast((attachments: readonly Attachment[]): ComposerFiles => ({ attachments, isFixed: true }));

/** What the composer shows above the text. */
export function selectComposerFiles(state: AppState): ComposerFiles {
  const { editing, attachments: files = [] } = selectComposer(state);
  if (editing === null) return files.length === 0 ? nothing : attached(files);
  const { openId } = state.view;
  const thread = openId === null ? undefined : state.cache.threads.get(openId);
  const held = thread?.messages.find(({ id }) => id === editing.messageId)?.attachments ?? none;
  return held.length === 0 ? nothing : fixed(held);
}
