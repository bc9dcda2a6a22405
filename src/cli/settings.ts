/** The settings of the chat that do not depend on the account: its theme, and what is wrong in the settings. */
import type { Environment } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import type { Paths } from '../config/paths.ts';
import type { ThemeChoice } from '../config/theme.ts';
import { messageOf } from './exit.ts';

export interface ChatSettings {
  /** Null: the theme follows the terminal. */
  readonly theme: ThemeChoice | null;
  /** What is wrong, in one line for the start of the chat; raw text. */
  readonly problem: string | null;
}

/** Never throws: the demo opens also beside a config.toml that cannot be read. */
export async function readChatSettings(
  { theme, themeProblem }: Pick<Environment, 'theme' | 'themeProblem'>,
  { configFile }: Pick<Paths, 'configFile'>,
): Promise<ChatSettings> {
  const config = await loadConfig(configFile).catch((error: unknown) => ({
    theme: null,
    warnings: [messageOf(error)],
  }));
  const problems = [...(themeProblem === null ? [] : [themeProblem]), ...config.warnings];
  return { theme: theme ?? config.theme, problem: oneLine(problems) };
}

function oneLine([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} (and ${others.length} more: see msg-tui doctor)`;
}
