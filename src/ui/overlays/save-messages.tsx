/** Asks for the path of the file into which messages, or a conversation, are saved. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface SaveMessagesProps {
  readonly overlay: Extract<Overlay, { kind: 'save-messages' }>;
  readonly isTop: boolean;
}

export function SaveMessagesPrompt({ overlay, isTop }: SaveMessagesProps) {
  return (
    <PromptDialog
      title={overlay.messages === 1 ? literal('Save the message') : safe`Save ${overlay.messages} messages`}
      label={literal('File:')}
      value={overlay.typed}
      placeholder={literal('path of a new file')}
      remark={literal('Markdown. A file that is there is never overwritten.')}
      isTop={isTop}
    />
  );
}

interface ExportProps {
  readonly overlay: Extract<Overlay, { kind: 'export-conversation' }>;
  readonly isTop: boolean;
}

export function ExportPrompt({ overlay, isTop }: ExportProps) {
  return (
    <PromptDialog
      title={literal('Export the conversation')}
      label={literal('File:')}
      value={overlay.typed}
      placeholder={literal('path of a new file')}
      remark={literal('Markdown, with all messages that are on this machine.')}
      isTop={isTop}
    />
  );
}
