import { expect, test } from 'vitest';
import { chatOptions, withColor } from '../../src/cli/global-options.ts';
import { readEnvironment, type Variables } from '../../src/config/environment.ts';

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
])('the chat reads %j as %j', (argv, expected) => {
  expect(chatOptions(argv)).toEqual(expected);
});

test.each([['--profile', ''], ['--archive='], ['--ascii', '--token-file', ' ']])(
  'an empty value is refused: %j',
  (...argv) => {
    expect(() => chatOptions(argv)).toThrow(/^the value of --\S+ is empty$/);
  },
);

const colours = (argv: readonly string[], env: Variables = {}) => {
  const rest = withColor(argv, env);
  const { noColor, forceColor } = readEnvironment(env);
  return { rest, colours: noColor === null ? (forceColor ? 'forced' : 'auto') : 'none' };
};

test.each([
  [['--color', 'never', 'demo'], {}, ['demo'], 'none'],
  [['demo', '--color=always'], { NO_COLOR: '1' }, ['demo'], 'forced'],
  [['--color', 'auto'], { NO_COLOR: '1' }, [], 'none'],
  [['--color=never'], { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, [], 'none'],
  [[], { CLICOLOR_FORCE: '1' }, [], 'forced'],
  [[], { CLICOLOR_FORCE: '0' }, [], 'auto'],
  [[], { CLICOLOR_FORCE: '1', FORCE_COLOR: '0' }, [], 'none'],
  [['send', 'ann', '--', '--color'], {}, ['send', 'ann', '--', '--color'], 'auto'],
] as const)('the colours that %j chooses with %j in the environment', (argv, env, rest, expected) => {
  expect(colours(argv, { ...env })).toEqual({ rest, colours: expected });
});

test('another value of --color is refused', () => {
  for (const argv of [['--color', 'red'], ['--color=']])
    expect(() => withColor(argv, {})).toThrow('auto, always or never');
});

test('of several --color the last one counts, so that an alias can be overridden', () => {
  const env: Record<string, string | undefined> = {};
  expect(withColor(['--color', 'never', 'paths', '--color=always'], env)).toEqual(['paths']);
  expect(env).toEqual({ FORCE_COLOR: '1' });
});
