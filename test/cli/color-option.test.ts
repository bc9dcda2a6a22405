import { expect, test } from 'vitest';
import { withColor } from '../../src/cli/color-option.ts';
import { readEnvironment, type Variables } from '../../src/config/environment.ts';

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
] as const)('%j with %j', (argv, env, rest, expected) => {
  expect(colours(argv, { ...env })).toEqual({ rest, colours: expected });
});

test('another value is refused', () => {
  for (const argv of [['--color', 'red'], ['--color=']])
    expect(() => withColor(argv, {})).toThrow('auto, always or never');
});
