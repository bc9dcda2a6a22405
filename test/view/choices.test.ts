import { expect, test } from 'vitest';
import { span } from '../../src/text/layout/row.ts';
import { literal } from '../../src/text/safe-text.ts';
import { drawChoices } from '../../src/view/choices.ts';
import { unicodeSigns } from '../../src/view/glyph-set.ts';
import { themes } from '../../src/view/theme.ts';

const rect = { x: 0, y: 0, width: 40, height: 5 };

test.each(Object.entries(themes))(
  'muted words of the selected row have the same background as the others: %s',
  (_, theme) => {
    const row = [span(literal('Recall'), theme.plain), span(literal(' nothing was sent yet'), theme.muted)];
    const draw = (selected: number) =>
      drawChoices(
        {
          rows: [
            { id: 'a', row },
            { id: 'b', row },
          ],
          selected,
          empty: literal(''),
        },
        rect,
        { theme, signs: unicodeSigns },
      ).rows.map((spans) => spans.slice(1).map(({ style }) => style));
    const [selected, other] = draw(0);
    expect(new Set(selected).size).toBe(1);
    expect(other).toEqual([theme.plain, theme.muted]);
  },
);
