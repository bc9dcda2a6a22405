/** Asks for a new token after the server refused the old one; what is queued stays queued. */
import type { Overlay } from '../../state/state.ts';
import { literal } from '../../text/safe-text.ts';
import { useUi } from '../store-context.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface TokenPromptProps {
  readonly overlay: Extract<Overlay, { kind: 'token' }>;
  readonly isTop: boolean;
}

export function TokenPrompt({ overlay, isTop }: TokenPromptProps) {
  const { context } = useUi();
  const isMissing = context.get().view.connection.status === 'no-token';
  return (
    <PromptDialog
      title={literal(isMissing ? 'There is no token' : 'The server refused the token')}
      label={literal('Token')}
      value={overlay.value}
      placeholder={literal('paste or type a new access token')}
      isSecret
      remark={literal('Nothing is lost: what is queued goes out with the new token.')}
      isTop={isTop}
    />
  );
}
