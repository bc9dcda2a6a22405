/** A page of settings, and a port that answers at once and writes nowhere. */
import type { SettingsPort } from '../../src/commands/context.ts';
import type { SettingEntry, SettingsPage, Tried, Written } from '../../src/state/model/setting-entry.ts';
import type { Settings } from '../../src/state/model/settings.ts';

export const entry = (fields: Partial<SettingEntry> & Pick<SettingEntry, 'id'>): SettingEntry => ({
  group: 'Appearance',
  value: null,
  default: null,
  unset: 'none',
  source: 'default',
  isInFile: false,
  variable: null,
  elsewhere: null,
  about: 'what it does',
  expected: 'a text in quotes',
  choices: null,
  isLive: true,
  ...fields,
});

export const page: SettingsPage = {
  entries: [
    entry({
      id: 'theme',
      value: 'light',
      unset: 'follows the terminal',
      source: 'config.toml:1',
      isInFile: true,
      about: 'the colours of the chat',
      choices: [null, 'dark', 'light'],
    }),
    entry({ id: 'mouse', value: true, default: true, choices: [true, false] }),
    entry({ id: 'undo_send_seconds', group: 'Messages', value: 0, default: 0, choices: [0, 1, 2] }),
    entry({ id: 'notify.quiet_hours', group: 'Notifications' }),
    entry({
      id: 'default_profile',
      group: 'Account',
      value: 'work',
      source: 'MSG_TUI_PROFILE',
      variable: 'MSG_TUI_PROFILE',
    }),
  ],
  problem: null,
};

const fields: Readonly<Record<string, (value: Written) => Partial<Settings>>> = {
  theme: (value) => ({ theme: value as string | null }),
  mouse: (value) => ({ mouse: value as boolean }),
};

/** The page of a file into which the values were written. */
const withWritten = ({ entries, problem }: SettingsPage, tried: Tried): SettingsPage => ({
  entries: entries.map((one) => {
    const value = tried[one.id];
    return value === undefined ? one : { ...one, value: value ?? one.default, isInFile: value !== null };
  }),
  problem,
});

/**
 * @param call records what was written
 * @param writing runs what writes, at once or later
 */
export function fakeSettings(
  call: (name: string) => (argument: unknown) => void,
  writing: (run: () => void) => void = (run) => run(),
): SettingsPort {
  let held = page;
  const valueIn = (tried: Tried, id: string): Written => {
    const found = held.entries.find((one) => one.id === id);
    return id in tried ? (tried[id] ?? found?.default ?? null) : (found?.value ?? null);
  };
  const write: SettingsPort['write'] = (tried, done) => {
    call('write')(tried);
    writing(() => {
      held = withWritten(held, tried);
      done({ said: `Written to config.toml: ${Object.keys(tried).join(', ')}` });
    });
  };
  return {
    read: (done) => done(held),
    check: (_, text) => (text === 'wrong' ? { problem: 'It must be right' } : { value: text === '' ? null : text }),
    changes: (from, to) =>
      Object.assign(
        {},
        ...Object.keys(fields).map((id) =>
          valueIn(from, id) === valueIn(to, id) ? {} : (fields[id]?.(valueIn(to, id)) ?? {}),
        ),
      ),
    write,
    set: (id, text, done) => (text === 'wrong' ? done({ problem: 'It must be right' }) : write({ [id]: text }, done)),
  };
}
