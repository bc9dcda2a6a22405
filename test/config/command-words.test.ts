/** Command lines of the configuration, which are run without a shell. */
import { expect, test } from 'vitest';
import { commandLine, commandWords } from '../../src/config/command-words.ts';

test.each([
  ['pass show chat', ['pass', 'show', 'chat']],
  ['  op  read\t"op://a b/c" ', ['op', 'read', 'op://a b/c']],
  [`sh -c 'echo "$TOKEN" | head'`, ['sh', '-c', 'echo "$TOKEN" | head']],
  [`a "b \\" c" d\\ e 'f\\g' ""`, ['a', 'b " c', 'd e', 'f\\g', '']],
  ['$HOME/bin/x; rm *', ['$HOME/bin/x;', 'rm', '*']],
  ['"open', null],
  ['   ', null],
  ['"" x', null],
  ['a\0b', null],
])('%j is split into words', (line, words) => {
  expect(commandWords(line)).toEqual(words);
  if (words !== null) expect(commandWords(commandLine(words))).toEqual(words);
});
