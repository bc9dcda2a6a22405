/** `--color WHEN` before or behind a command: it overrides the variables, and is read before all other options. */
import type { Variables } from '../config/environment.ts';
import { ExitError, exitCodes } from './exit.ts';

const flag = '--color';

/**
 * Sets the variables that the environment is read from.
 * @returns the arguments without the option
 * @throws ExitError for another value than the three
 */
export function withColor(argv: readonly string[], env: Variables): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const at = argv.findIndex((word, index) => index < end && (word === flag || word.startsWith(`${flag}=`)));
  if (at < 0) return argv;
  const isJoined = argv[at] !== flag;
  const value = isJoined ? argv[at]?.slice(flag.length + 1) : argv[at + 1];
  if (value === 'always' || value === 'never')
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE']) delete env[name];
  if (value === 'always') env.FORCE_COLOR = '1';
  else if (value === 'never') env.NO_COLOR = '1';
  else if (value !== 'auto') throw new ExitError(exitCodes.usage, `${flag} is auto, always or never`);
  return argv.filter((_, index) => index !== at && (isJoined || index !== at + 1));
}
