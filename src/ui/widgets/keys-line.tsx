/** The keys that answer the overlay on top, from the one command table. */

import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { truncate, width as widthOf } from '../../text/unicode/width.ts';
import { fittingHints } from '../../view/footer.ts';
import { inSigns } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Text } from './text.tsx';

const gap = literal(' · ');

export function KeysLine({ width }: { readonly width: number }) {
  const { hintsOf, panes } = useUi();
  const { signs } = panes().look;
  const hints = useApp(hintsOf);
  const drawn = hints.map((hint) => ({
    text: inSigns(safe`${sanitizeLine(hint.label)} ${sanitizeLine(hint.title)}`, signs),
    isKept: hint.isKept === true,
  }));
  const fitting = fittingHints(drawn, ({ text }) => widthOf(text) + widthOf(gap), width + widthOf(gap));
  const line = fitting.reduce((all, { text }) => (all === '' ? text : safe`${all}${gap}${text}`), literal(''));
  return <Text>{truncate(inSigns(line, signs), width, signs.ellipsis)}</Text>;
}
