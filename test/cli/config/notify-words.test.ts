import { expect, test } from 'vitest';
import { argumentsOf } from '../../../src/cli/config/notify-words.ts';
import { sanitizeLine } from '../../../src/text/safe/sanitize.ts';

test('texts of other people are arguments of their own and never options', () => {
  const words = { title: sanitizeLine('--help'), body: sanitizeLine('$(reboot); "x"') };
  expect(argumentsOf(['say', '-a', 'me', '{title}', '{body}'], words)).toEqual([
    'say',
    '-a',
    'me',
    ' --help',
    '$(reboot); "x"',
  ]);
});
