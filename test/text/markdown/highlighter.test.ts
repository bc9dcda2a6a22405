/** The colours of code: where they are, and that odd code has none rather than wrong ones. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlight } from '../../../src/text/markdown/highlighter.ts';
import { fastest } from '../../support/clocks/fastest.ts';
import { anyText } from '../arbitraries.ts';

const parts = (code: string, language: string): readonly string[] =>
  highlight(code, language).map(({ start, end, kind }) => `${kind}:${code.slice(start, end)}`);

test('coloured spans are at their places in the code, past entities and nested parts', () => {
  expect(parts('if (a < "b" && c) // <d>', 'js')).toEqual(['keyword:if', 'string:"b"', 'comment:// <d>']);
  expect(parts(`\`a \${b} c\``, 'ts')).toEqual(['string:`a ', 'string: c`']);
  expect(parts('-old\n+new', 'diff')).toEqual(['deletion:-old', 'addition:+new']);
  expect(parts('# note\nFROM node', 'dockerfile')[0]).toBe('comment:# note');
  expect(parts('[a]\nb = 1', 'toml').length).toBeGreaterThan(0);
});

test('an unknown language has no colours', () => {
  expect(highlight('const a', 'nosuch')).toEqual([]);
  expect(highlight('const a', '')).toEqual([]);
});

test('coloured spans go from left to right inside the code, whatever it is', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('js', 'html', 'python', 'bash', 'sql', 'yaml', 'md'), (code, language) => {
      let at = 0;
      for (const { start, end } of highlight(code, language)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(at).toBeLessThanOrEqual(code.length);
    }),
    { numRuns: 200 },
  );
});

/** The limit is generous, as the machine may be busy. */
test.each(['js', 'cpp', 'python', 'xml', 'swift', 'bash', 'css', 'php', 'sql', 'yaml', 'markdown', 'kotlin'])(
  'hostile code of %s takes no longer than a frame',
  (language) => {
    for (const unit of [
      '(',
      '(\n',
      '<a \n',
      '"\n',
      '"a',
      '{\n',
      '/*\n',
      'a.b.c(\n',
      '<!--\n',
      '[\n',
      'a<b<\n',
      '0',
      '$(\n',
    ])
      for (const units of [2000, 4000]) {
        const code = unit.repeat(units / unit.length);
        const ms = fastest(40, () => highlight(code, language));
        expect(ms, `${language} ${JSON.stringify(unit)}`).toBeLessThan(40);
      }
  },
);
