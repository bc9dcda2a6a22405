/** The keys that answer the overlay on top, from the one command table. */

import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { truncate } from '../../text/unicode/width.ts';
import { inSigns } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Text } from './text.tsx';

export function KeysLine({ width }: { readonly width: number }) {
  const { hintsOf, panes } = useUi();
  const { signs } = panes().look;
  const hints = useApp(hintsOf);
  const text = hints.reduce(
    (line, { label, title }) =>
      safe`${line}${line === '' ? literal('') : literal(' · ')}${sanitizeLine(label)} ${sanitizeLine(title)}`,
    literal(''),
  );
  return <Text>{truncate(inSigns(text, signs), width, signs.ellipsis)}</Text>;
}
