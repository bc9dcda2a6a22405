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

test('says which of the rows are in sight where not all are', () => {
  const rows = Array.from({ length: 21 }, (_, at) => ({ id: `${at}`, text: literal(`row ${at}`) }));
  const place = (count: number, selected: number, height = 5) =>
    drawChoices(
      { rows: rows.slice(0, count), selected, empty: literal('') },
      { ...rect, height },
      { theme: themes.none, signs: unicodeSigns },
    ).choices.place;
  expect([place(21, 0), place(21, 10), place(21, 20), place(21, 3, 1)]).toEqual([
    '1–5 of 21',
    '9–13 of 21',
    '17–21 of 21',
    '4 of 21',
  ]);
  expect([place(5, 0), place(0, 0)]).toEqual([undefined, undefined]);
});
