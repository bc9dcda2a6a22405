/** Reads the settings that the chat begins with, and finds the problems in them. */
import type { Environment } from '../../config/environment.ts';
import { firstProblem } from '../../config/errors.ts';
import type { Config } from '../../config/file.ts';
import type { KeySettings } from '../../state/model/key-settings.ts';
import { defaultSettings, type Settings } from '../../state/model/settings.ts';
import { messageOf } from '../process/exit.ts';
import { keyProblems } from './key-problems.ts';
import { knownSettings } from './setting-entries.ts';

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
  const { settings, warnings } = await reading.then(
    (config) => ({ settings: settingsOf(config), warnings: config.warnings }),
    (error: unknown) => ({ settings: withoutFile, warnings: [messageOf(error)] }),
  );
  const problem = problemIn({ themeProblem }, warnings, settings.keys);
  return { settings: { ...settings, theme: theme ?? settings.theme }, problem };
}

/** What is wrong in the variables and in the file, in one line; null for nothing. */
export const problemIn = (
  { themeProblem }: Pick<Environment, 'themeProblem'>,
  warnings: readonly string[],
  keys: KeySettings,
): string | null => firstProblem([...(themeProblem === null ? [] : [themeProblem]), ...warnings, ...keyProblems(keys)]);

/** The settings of the file, as the state holds them. */
export const settingsOf = ({ values }: Pick<Config, 'values'>): Settings =>
  values === null ? withoutFile : settingsFrom(values);

const withoutFile: Settings = { ...defaultSettings, known: knownSettings };

const settingsFrom = (values: NonNullable<Config['values']>): Settings => ({
  theme: values.theme,
  undoSendSeconds: values.undo_send_seconds,
  revealReading: values.reveal_reading,
  resend: values.resend,
  keyring: values.keyring,
  mouse: values.mouse,
  density: values.density,
  textWidth: values.text_width,
  glyphs: values.glyphs,
  dimUnfocused: values.dim_unfocused,
  reducedMotion: values.reduced_motion,
  coach: values.coach,
  pictures: values.pictures,
  pictureProtocol: values.picture_protocol,
  polling: values.polling,
  known: knownSettings,
  notify: {
    method: values['notify.method'],
    privacy: values['notify.privacy'],
    quietHours: values['notify.quiet_hours'],
    command: values['notify.command'],
    whileFocused: values['notify.while_focused'],
    keywords: values['notify.keywords'],
    title: values['notify.title'],
  },
  ledgerDays: values['ledger.keep_days'],
  hooks: { arrival: values['hooks.arrival'], mention: values['hooks.mention'], failure: values['hooks.failure'] },
  keys: { profile: values['keys.profile'], bind: values['keys.bind'], macros: values['keys.macros'] },
});
