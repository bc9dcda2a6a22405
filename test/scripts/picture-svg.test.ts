/** The picture of the README: each letter has the colour that it has in the terminal. */
import { expect, test } from 'vitest';

const { animatedSvg } = await import(new URL('../../scripts/picture-svg.mjs', import.meta.url).href);

const cell = { width: 1, back: null, isInverse: false, isBold: false, isItalic: false, isUnderlined: false };
const grounds = { dark: '#000000', light: '#ffffff' };

/** The texts of a row with their colours; a part is a text and a colour. */
function drawn(...parts: readonly (readonly [string, string])[]): readonly string[] {
  const cells = parts.flatMap(([text, front]) => [...text].map((chars) => ({ ...cell, chars, front, isDim: false })));
  const lines = [cells.map((one, x) => ({ ...one, x }))];
  const svg: string = animatedSvg([{ lines, cursor: null, ground: 'dark', seconds: 1 }], {
    cols: cells.length,
    rows: 1,
    grounds,
  });
  return [...svg.matchAll(/<text[^>]* fill="([^"]*)"[^>]*>([^<]*)</g)].map(([, fill, text]) => `${fill} ${text}`);
}

test('a blank of another colour ends no text, and its colour is not used for the next one', () => {
  expect(drawn(['key', '#111111'], [' text', '#222222'])).toEqual(['#111111 key', '#222222 text']);
  expect(drawn(['an', '#111111'], [' ', '#222222'], ['on', '#111111'])).toEqual(['#111111 an on']);
  expect(drawn(['name', '#111111'], [' ', '#222222'], ['time', '#333333'])).toEqual(['#111111 name', '#333333 time']);
});
