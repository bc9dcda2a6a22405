/** Asks for a note of the user's own about a contact or group. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface OwnNotePromptProps {
  readonly overlay: Extract<Overlay, { kind: 'own-note' }>;
  readonly isTop: boolean;
}

export function OwnNotePrompt({ overlay, isTop }: OwnNotePromptProps) {
  return (
    <PromptDialog
      title={literal('A note of your own')}
      label={literal('Note')}
      value={overlay.typed}
      placeholder={literal('empty: no note')}
      remark={literal('It stays on this machine; nobody else sees it.')}
      isTop={isTop}
    />
  );
}
