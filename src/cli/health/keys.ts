/** Says what is wrong with the user's keys, and which keys this terminal loses. */
import { keyLabel } from '../../commands/label.ts';
import type { Environment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { readLostKeys } from '../../config/lost-keys.ts';
import type { Paths } from '../../config/paths.ts';
import { chatSettings } from '../config/chat-settings.ts';
import { keyProblems } from '../config/key-problems.ts';
import { type Check, sectionOf } from '../output/check.ts';

const keys = sectionOf('Keys');

export async function inspectKeys(
  environment: Environment,
  { configFile, state }: Pick<Paths, 'configFile' | 'state'>,
): Promise<readonly Check[]> {
  const settings = (await chatSettings(environment, loadConfig(configFile))).settings.keys;
  const problems = keyProblems(settings);
  const lost = readLostKeys(state, environment.terminal);
  return [
    keys.ok('profile', settings.profile),
    ...problems.map((problem) => keys.note('config.toml', problem)),
    lost === null
      ? keys.ok('terminal', 'not asked; msg-tui doctor --keys finds out which keys it loses')
      : keys.ok('terminal', lost.length === 0 ? 'loses none of the keys' : `loses ${lost.map(keyLabel).join(', ')}`),
  ];
}
