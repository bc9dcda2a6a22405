/** Asks for the name under which a text is kept as a snippet. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface SnippetNameProps {
  readonly overlay: Extract<Overlay, { kind: 'snippet-name' }>;
  readonly isTop: boolean;
}

export function SnippetNamePrompt({ overlay, isTop }: SnippetNameProps) {
  return (
    <PromptDialog
      title={literal('Save as snippet')}
      label={literal('Name')}
      value={overlay.typed}
      placeholder={literal('letters, digits, - and _')}
      remark={literal('To insert it, type ;name in the composer and press Tab.')}
      isTop={isTop}
    />
  );
}
