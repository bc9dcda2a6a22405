/** Makes the styles of a dimmed screen: those of the theme, dim and without their colours. */
import { memoLast } from '../state/collections/memo.ts';
import type { Style } from '../text/layout/row.ts';

/** Returns the same function while the style is the same; null where the theme dims nothing. */
export const dimmedStyles = memoLast((muted: Style): ((style: Style) => Style) | null => {
  if (muted === '') return null;
  const known = new Map<Style, Style>();
  return (style) => {
    const held = known.get(style);
    if (held !== undefined) return held;
    const made = [muted, ...attributesOf(style, muted)].join(';');
    if (known.size < keptStyles) known.set(style, made);
    return made;
  };
});

const keptStyles = 500;

/** Italics, underlines and the like stay, so that a link is recognized; bold is left out, as it would undo the dimming. */
function attributesOf(style: Style, muted: Style): readonly string[] {
  const parameters = style.split(';');
  const kept: string[] = [];
  for (let i = 0; i < parameters.length; i++) {
    const value = Number(parameters[i]);
    if (value === 38 || value === 48) i += parameters[i + 1] === '5' ? 2 : 4;
    else if (value === 1 ? muted !== '2' : value > 2 && value < 10) kept.push(String(value));
  }
  return kept;
}
