/** The reaction picker: type to search, or take one of the nine quick ones. */
import { selectReactionChoices } from '../../state/choices.ts';
import { setQuery } from '../../state/overlays.ts';
import type { Overlay } from '../../state/state.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { sanitizeName } from '../../text/sanitize.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices } from '../widgets/choices.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { Prompt } from '../widgets/prompt.tsx';

interface ReactionPickerProps {
  readonly overlay: Extract<Overlay, { kind: 'react' }>;
  readonly isTop: boolean;
}

export function ReactionPicker({ overlay, isTop }: ReactionPickerProps) {
  const { context } = useUi();
  const choices = useApp(selectReactionChoices);
  const rows = choices.map(({ name, glyph }) => ({
    id: name,
    text: safe`${glyph ?? literal(' ')} :${sanitizeName(name)}:`,
  }));
  return (
    <Dialog title={literal('React')} width={44} height={15}>
      {({ width, height }) => (
        <>
          <Prompt
            label={literal('Name')}
            value={overlay.query}
            placeholder={literal('type to search')}
            hasFocus={isTop}
            onChange={(query) => context.update(setQuery(query))}
          />
          <Choices
            rows={rows}
            selected={overlay.selected}
            width={width}
            height={height - 1}
            empty={literal('No reaction has this name')}
          />
        </>
      )}
    </Dialog>
  );
}
