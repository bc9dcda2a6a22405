/**
 * Draws the reaction picker: the user types to search, or takes a reaction of the message or a quick one by its digit.
 */
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import { selectReactedBy, selectReactionChoices } from '../../state/search/picker-choices.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { type GlyphSet, userTextIn } from '../../view/glyph-set.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';

type ReactionPicker = Extract<Overlay, { kind: 'reaction-picker' }>;

export function reactionPicker({ typed }: ReactionPicker, state: AppState, { look }: DialogContext): Picker {
  const reactedBy = selectReactedBy(state);
  const hasDigits = typed.trim() === '';
  return {
    title: literal('React'),
    width: 56,
    height: 18,
    label: literal('Name:'),
    placeholder: literal('type to search'),
    rows: selectReactionChoices(state).map(({ name, glyph }, index) => {
      const digit = !hasDigits ? literal('') : index < 9 ? safe`${index + 1} ` : literal('  ');
      const by = reactedBy[index] ?? null;
      const who = by === null ? literal('') : safe`  ${by}`;
      return { id: name, text: safe`${digit}${reactionText(name, glyph, look.signs)}${who}` };
    }),
    empty: literal('No reaction has this name'),
  };
}

/** The emoji with its name, or the name alone. Some servers keep the emoji itself as the name. */
function reactionText(name: string, glyph: SafeText | null, signs: GlyphSet): SafeText {
  if (glyph === name) return userTextIn(glyph, signs);
  const shown = signs.hasEmoji ? safe`${glyph ?? literal(' ')} ` : literal('');
  return safe`${shown}:${sanitizeName(name)}:`;
}
