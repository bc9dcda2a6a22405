/**
 * The keys that answer the overlay on top, from the one command table; a click on one runs its command. It is the last row of
 * its dialog.
 */
import { useContext } from 'react';

import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { truncate, width as widthOf } from '../../text/unicode/width.ts';
import { fittingHints } from '../../view/footer.ts';
import { inSigns } from '../../view/glyph-set.ts';
import type { ClickArea } from '../choice-rows.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom, useClickAreas } from './click-areas.tsx';
import { Text } from './text.tsx';

const gap = literal(' · ');

export function KeysLine({ width }: { readonly width: number }) {
  const { hintsOf, panes } = useUi();
  const { signs } = panes().look;
  const hints = useApp(hintsOf);
  const room = useContext(DialogRoom);
  const drawn = hints.map((hint) => ({
    id: hint.id,
    text: inSigns(safe`${sanitizeLine(hint.label)} ${sanitizeLine(hint.title)}`, signs),
    isKept: hint.isKept === true,
  }));
  const fitting = fittingHints(drawn, ({ text }) => widthOf(text) + widthOf(gap), width + widthOf(gap));
  const y = room.y + room.height - 1;
  let x = room.x;
  const areas = fitting.flatMap(({ id, text }): readonly ClickArea[] => {
    const rect = { x, y, width: widthOf(text), height: 1 };
    x += rect.width + widthOf(gap);
    return id === undefined ? [] : [{ rect, target: { kind: 'command', id } }];
  });
  useClickAreas(areas);
  const line = fitting.reduce((all, { text }) => (all === '' ? text : safe`${all}${gap}${text}`), literal(''));
  return <Text>{truncate(inSigns(line, signs), width, signs.ellipsis)}</Text>;
}
