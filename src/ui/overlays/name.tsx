/** Asks for a name of the user's own for a contact or group; the service has no place for one. */
import { setQuery } from '../../state/overlays.ts';
import type { Overlay } from '../../state/state.ts';
import { literal } from '../../text/safe-text.ts';
import { truncate } from '../../text/width.ts';
import { useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';
import { Prompt } from '../widgets/prompt.tsx';
import { Text } from '../widgets/text.tsx';

interface NamePromptProps {
  readonly overlay: Extract<Overlay, { kind: 'name' }>;
  readonly isTop: boolean;
}

export function NamePrompt({ overlay, isTop }: NamePromptProps) {
  const { context } = useUi();
  return (
    <Dialog title={literal('A name of your own')} width={64} height={7}>
      {({ width }) => (
        <>
          <Prompt
            label={literal('Name')}
            value={overlay.value}
            placeholder={literal('empty: the one from the server')}
            hasFocus={isTop}
            onChange={(value) => context.update(setQuery(value))}
          />
          <Text dimColor>{truncate(literal('It stays on this machine; nobody else sees it.'), width)}</Text>
          <KeysLine width={width} />
        </>
      )}
    </Dialog>
  );
}
