/** Asks for a new token after the server refused the old one; what is queued stays queued. */
import { setQuery } from '../../state/overlays.ts';
import type { Overlay } from '../../state/state.ts';
import { literal } from '../../text/safe-text.ts';
import { truncate } from '../../text/width.ts';
import { useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';
import { Prompt } from '../widgets/prompt.tsx';
import { Text } from '../widgets/text.tsx';

interface TokenPromptProps {
  readonly overlay: Extract<Overlay, { kind: 'token' }>;
  readonly isTop: boolean;
}

export function TokenPrompt({ overlay, isTop }: TokenPromptProps) {
  const { context } = useUi();
  const isMissing = context.get().view.connection.status === 'no-token';
  return (
    <Dialog title={literal(isMissing ? 'There is no token' : 'The server refused the token')} width={64} height={7}>
      {({ width }) => (
        <>
          <Prompt
            label={literal('Token')}
            value={overlay.value}
            placeholder={literal('paste or type a new access token')}
            isSecret
            hasFocus={isTop}
            onChange={(value) => context.update(setQuery(value))}
          />
          <Text dimColor>
            {truncate(literal('Nothing is lost: what is queued goes out with the new token.'), width)}
          </Text>
          <KeysLine width={width} />
        </>
      )}
    </Dialog>
  );
}
