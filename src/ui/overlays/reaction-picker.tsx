/** The reaction picker: type to search, or take one of the nine quick ones. */

import type { Overlay } from '../../state/model/app-state.ts';
import { selectReactionChoices } from '../../state/search/picker-choices.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { useApp } from '../store-context.ts';
import { Picker } from '../widgets/picker.tsx';

interface ReactionPickerProps {
  readonly overlay: Extract<Overlay, { kind: 'reaction-picker' }>;
  readonly isTop: boolean;
}

export function ReactionPicker({ overlay, isTop }: ReactionPickerProps) {
  const choices = useApp(selectReactionChoices);
  const rows = choices.map(({ name, glyph }) => ({
    id: name,
    text: safe`${glyph ?? literal(' ')} :${sanitizeName(name)}:`,
  }));
  return (
    <Picker
      title={literal('React')}
      width={44}
      height={15}
      label={literal('Name')}
      placeholder={literal('type to search')}
      rows={rows}
      empty={literal('No reaction has this name')}
      overlay={overlay}
      isTop={isTop}
    />
  );
}
