/** Asks for a name of the user's own for a contact or group; the service has no place for one. */
import type { Overlay } from '../../state/model/app-state.ts';
import { literal } from '../../text/safe-text.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface OwnNamePromptProps {
  readonly overlay: Extract<Overlay, { kind: 'own-name' }>;
  readonly isTop: boolean;
}

export function OwnNamePrompt({ overlay, isTop }: OwnNamePromptProps) {
  return (
    <PromptDialog
      title={literal('A name of your own')}
      label={literal('Name')}
      value={overlay.typed}
      placeholder={literal('empty: the one from the server')}
      remark={literal('It stays on this machine; nobody else sees it.')}
      isTop={isTop}
    />
  );
}
