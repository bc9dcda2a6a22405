import { expect, test } from 'vitest';
import { chatOptions } from '../../src/cli/chat-options.ts';

const plain = { ascii: false, insecureHttp: false };

test.each([
  [[], plain],
  [['--ascii'], { ...plain, ascii: true }],
  [['--token-file', 'a b', '--insecure-http'], { ...plain, insecureHttp: true, tokenFile: 'a b' }],
  [['--token-file=x=y'], { ...plain, tokenFile: 'x=y' }],
  [['--token-file', '--ascii'], { ...plain, tokenFile: '--ascii' }],
  [['--profile', 'work'], { ...plain, profile: 'work' }],
  [
    ['--profile=work', '--token-command', 'pass show chat'],
    { ...plain, profile: 'work', tokenCommand: 'pass show chat' },
  ],
  [['--profile'], null],
  [['--profile', 'work', 'doctor'], null],
  [['--token-file'], null],
  [['--archive', 'a.jsonl', '--ascii'], { ...plain, archive: 'a.jsonl', ascii: true }],
  [['--archive=a.db'], { ...plain, archive: 'a.db' }],
  [['--archive'], null],
  [['--ascii', '--'], { ...plain, ascii: true }],
  [['--', 'read'], null],
  [['demo'], null],
  [['--ascii', 'demo'], null],
  [['--constructor'], null],
  [['constructor'], null],
])('%j', (argv, expected) => {
  expect(chatOptions(argv)).toEqual(expected);
});
