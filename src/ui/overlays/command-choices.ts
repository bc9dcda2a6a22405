/** Makes the rows of the help and of the palette for a picker. */
import type { PaletteRow } from '../../commands/palette.ts';
import { memoLast } from '../../state/collections/memo.ts';
import type { Row } from '../../text/layout/row.ts';
import { literal } from '../../text/safe-text.ts';
import type { NameQuery } from '../../text/search/match.ts';
import type { Choice } from '../../view/choices.ts';
import { commandRow } from '../../view/command-row.ts';
import type { Look } from '../../view/frame.ts';

export const textOf = ({ command: { id, title, slash, setting }, words = [], keys, reason }: PaletteRow) => ({
  id,
  setting: setting?.id,
  title,
  slash: slash === undefined ? undefined : [slash, ...words].join(' '),
  keys,
  reason,
});

/**
 * The first row of each group has the name of the group above it. A move of the selection returns the same choices, whose
 * rows were made before.
 */
export const commandChoices = memoLast(
  (rows: readonly PaletteRow[], columns: number, wanted: NameQuery, look: Look): readonly Choice[] =>
    rows.map((one, index) => {
      const isFirst = one.group !== null && one.group !== rows[index - 1]?.group;
      let made: Row | null = null;
      const row = (): Row => {
        made ??= commandRow(textOf(one), columns, wanted, look);
        return made;
      };
      return { id: one.command.id, row, ...(isFirst && one.group !== null ? { heading: literal(one.group) } : {}) };
    }),
);
