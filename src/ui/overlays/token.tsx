/** Asks for a new token: the server refused the old one, it is of another account, or there is none. */
import type { Connection, Overlay } from '../../state/model/app-state.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { useUi } from '../store-context.ts';
import { PromptDialog } from '../widgets/prompt-dialog.tsx';

interface TokenPromptProps {
  readonly overlay: Extract<Overlay, { kind: 'token' }>;
  readonly isTop: boolean;
}

const titles: Readonly<Partial<Record<Connection['status'], SafeText>>> = {
  'no-token': literal('There is no token'),
  'other-account': literal('The token is for another account'),
};

export function TokenPrompt({ overlay, isTop }: TokenPromptProps) {
  const { context } = useUi();
  const { status } = context.get().view.connection;
  return (
    <PromptDialog
      title={titles[status] ?? literal('The server refused the token')}
      label={literal('Token:')}
      value={overlay.typed}
      placeholder={literal('paste or type a new access token')}
      isSecret
      remark={literal('Nothing is lost: what is queued goes out with the new token.')}
      isTop={isTop}
    />
  );
}
