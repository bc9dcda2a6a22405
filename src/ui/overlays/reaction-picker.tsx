/** The reaction picker: type to search, or take one of the message's reactions or a quick one by its digit. */

import type { Overlay } from '../../state/model/app-state.ts';
import { selectReactedBy, selectReactionChoices } from '../../state/search/picker-choices.ts';
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
  const reactedBy = useApp(selectReactedBy);
  const hasDigits = overlay.typed.trim() === '';
  const rows = choices.map(({ name, glyph }, index) => {
    const digit = !hasDigits ? literal('') : index < 9 ? safe`${index + 1} ` : literal('  ');
    const by = reactedBy[index] ?? null;
    const who = by === null ? literal('') : safe`  ${by}`;
    return { id: name, text: safe`${digit}${glyph ?? literal(' ')} :${sanitizeName(name)}:${who}` };
  });
  return (
    <Picker
      title={literal('React')}
      width={56}
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
