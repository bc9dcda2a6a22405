/** Gives the commands the settings of config.toml; what reads and checks the file is loaded when they ask for it. */
import type { SettingsPort } from '../../commands/context.ts';
import type { Environment } from '../../config/environment.ts';
import type { SettingsFile } from './settings-file.ts';

export function settingsPort(file: string, environment: Environment): SettingsPort {
  let loaded: SettingsFile | null = null;
  const load = async (): Promise<SettingsFile> => {
    const { SettingsFile: Loaded } = await import('./settings-file.ts');
    loaded ??= new Loaded(file, environment);
    return loaded;
  };
  return {
    read: (done) => void load().then((settings) => settings.read().then(done)),
    check: (id, text) => loaded?.check(id, text) ?? notYet,
    changes: (from, to) => loaded?.changes(from, to) ?? {},
    write: (tried, done) => void load().then((settings) => settings.write(tried).then(done)),
    set: (id, text, done) => void load().then((settings) => settings.set(id, text).then(done)),
  };
}

const notYet = { problem: 'The settings are still being read' };
