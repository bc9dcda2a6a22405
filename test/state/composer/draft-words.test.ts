/** Swapping characters and words, and changing the case of words: a text with the cursor before and after. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { emptyDraft, undo } from '../../../src/state/composer/draft.ts';
import {
  capitalWord,
  lowerWord,
  swapCharacters,
  swapWords,
  upperWord,
} from '../../../src/state/composer/draft-words.ts';
import type { Draft } from '../../../src/state/model/app-state.ts';
import { eachCluster } from '../../../src/text/unicode/clusters.ts';

const at = (marked: string): Draft => {
  const cursor = marked.indexOf('|');
  return { ...emptyDraft, text: marked.replace('|', ''), cursor };
};
const shown = ({ text, cursor }: Draft): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const commands = { swapCharacters, swapWords, upperWord, lowerWord, capitalWord };
type Row = readonly [command: keyof typeof commands, before: string, after: string];

describe('a command of words or characters', () => {
  it.each<Row>([
    ['swapCharacters', 'a|bc', 'ba|c'],
    ['swapCharacters', 'abc|', 'acb|'],
    ['swapCharacters', 'ab|\nc', 'ba|\nc'],
    ['swapCharacters', 'a|👨‍👩‍👧b', '👨‍👩‍👧a|b'],
    ['swapCharacters', 'e\u0301|日', '日e\u0301|'],
    ['swapCharacters', '|ab', '|ab'],
    ['swapCharacters', 'a|', 'a|'],
    ['swapCharacters', '|', '|'],
    ['swapWords', 'one| two', 'two one|'],
    ['swapWords', 'one |two three', 'two one| three'],
    ['swapWords', 'one t|wo three', 'one three two|'],
    ['swapWords', '|one two', 'two one|'],
    ['swapWords', '  |one two', '  two one|'],
    ['swapWords', 'one, (two).|', 'two, (one|).'],
    ['swapWords', 'one two|', 'two one|'],
    ['swapWords', 'ein|\n\ngrößer 👍', 'größer\n\nein| 👍'],
    ['swapWords', 'one|', 'one|'],
    ['swapWords', '👍 |👍', '👍 |👍'],
    ['swapWords', '|', '|'],
    ['upperWord', 'o|ne two', 'oNE| two'],
    ['upperWord', 'one|, größe x', 'one, GRÖSSE| x'],
    ['upperWord', 'ONE |TWO', 'ONE TWO|'],
    ['lowerWord', 'ON|E TWO', 'ONe| TWO'],
    ['capitalWord', '|one TWO', 'One| TWO'],
    ['capitalWord', 'one| (tWO)', 'one (Two|)'],
    ['capitalWord', 'on|e', 'onE|'],
    ['capitalWord', '|e\u0301a', 'E\u0301a|'],
    ['capitalWord', '|3RD', '3rd|'],
  ])('%s %j', (command, before, after) => {
    expect(shown(commands[command](at(before)))).toBe(after);
  });
});

const clusters = (text: string): readonly string[] => {
  const found: string[] = [];
  eachCluster(text, 0, (start, end) => {
    found.push(text.slice(start, end));
    return true;
  });
  return found;
};

test('swapping loses no character, and each command is one step to undo', () => {
  const parts = fc.array(fc.constantFrom('a', 'B', ' ', '\n', 'é', 'e\u0301', '👍🏽', '日', "'", '.', '👨‍👩‍👧'), {
    maxLength: 14,
  });
  fc.assert(
    fc.property(parts, parts, fc.constantFrom(...Object.values(commands)), (left, right, command) => {
      const before = at(`${left.join('')}|${right.join('')}`);
      const after = command(before);
      if (command === swapCharacters || command === swapWords)
        expect([...clusters(after.text)].sort()).toEqual([...clusters(before.text)].sort());
      if (after.text !== before.text) expect(shown(undo(after))).toBe(shown(before));
      expect(after.undo.length).toBe(after.text === before.text ? 0 : 1);
    }),
    { numRuns: 1000 },
  );
});
