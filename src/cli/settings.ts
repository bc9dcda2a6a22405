/** The settings that the chat begins with, and what in them means nothing. */
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/file.ts';
import { defaultSettings, type Settings } from '../state/model/settings.ts';
import { messageOf } from './exit.ts';

export interface ChatSettings {
  readonly settings: Settings;
  /** What is wrong, in one line for the start of the chat; raw text. */
  readonly problem: string | null;
}

/** Never throws: the demo opens also beside a config.toml that cannot be read. */
export async function chatSettings(
  { theme, themeProblem }: Pick<Environment, 'theme' | 'themeProblem'>,
  reading: Promise<Config>,
): Promise<ChatSettings> {
  const config = await reading.catch((error: unknown) => ({ ...defaultSettings, warnings: [messageOf(error)] }));
  const { undoSendSeconds, revealReading, resend, keyring, mouse, notify, pictures } = config;
  const problems = [...(themeProblem === null ? [] : [themeProblem]), ...config.warnings];
  return {
    settings: {
      theme: theme ?? config.theme,
      undoSendSeconds,
      revealReading,
      resend,
      keyring,
      mouse,
      notify,
      pictures,
    },
    problem: oneLine(problems),
  };
}

function oneLine([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first} (and ${others.length} more: see msg-tui doctor)`;
}
