/** Takes changes of config.toml over while the chat is open. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../../config/environment.ts';
import { type Config, isOwnConfigText, parseConfig, readConfigText } from '../../config/file.ts';
import { overridingVariable, rowOf, type SettingId, settingIds } from '../../config/settings-table.ts';
import type { Settings } from '../../state/model/settings.ts';
import type { AppStore } from '../../state/store.ts';
import { takeSettings } from '../../state/view/overlays.ts';
import { watchDirectory } from '../../storage/sqlite/watch-directory.ts';
import { messageOf } from '../process/exit.ts';
import { problemIn, settingsOf } from './chat-settings.ts';

export interface FollowOptions {
  readonly file: string;
  readonly store: Pick<AppStore, 'setState'>;
  /** Variables take precedence over the file. */
  readonly environment: Pick<Environment, 'theme' | 'themeProblem' | 'profile'>;
  /** Called with what was taken over from a file in which nothing is wrong, and which this process has not written itself. */
  readonly report: (text: string) => void;
  /** Called after every change of the file with what is wrong now; null: nothing is. */
  readonly warn: (problem: string | null) => void;
  /** Called after every change of the file, also where the file is wrong. */
  readonly onRead?: () => void;
  /** Called with the profiles of the file when they have changed. */
  readonly onProfiles?: (profiles: Config['profiles']) => void;
}

/** Returns the function that ends it. A file that is wrong changes nothing, and the problem is named with its line. */
export async function followConfig(options: FollowOptions): Promise<() => void> {
  const { file, warn } = options;
  let text = await read(file);
  let known = text === null ? null : await parseConfig(file, text).catch(() => null);
  let isReading = false;
  let isDue = false;
  const look = async (): Promise<void> => {
    const now = readConfigText(file);
    if (now === text) return;
    text = now;
    const next = await parseConfig(file, now);
    const before = known ?? (await parseConfig(file, ''));
    known = next;
    takeOver(isOwnConfigText(now) ? { ...options, report: () => undefined } : options, before, next);
  };
  const onChange = async (): Promise<void> => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    while (isDue) {
      isDue = false;
      await look().catch((error: unknown) => warn(`${messageOf(error)}. The settings stay as they were.`));
      options.onRead?.();
    }
    isReading = false;
  };
  return watchFile(file, () => void onChange());
}

/** Watches the directory of the file; while there is none, the nearest one above it. */
function watchFile(file: string, onChange: () => void): () => void {
  let isOver = false;
  let stops: readonly (() => void)[] = [];
  const stop = (): void => {
    for (const one of stops) one();
  };
  const begin = (): void => {
    stop();
    const nearest = nearestAbove(file);
    const isThere = nearest === dirname(file);
    const onEvent = (): void => {
      if (isOver || nearestAbove(file) === nearest) return;
      begin();
      onChange();
    };
    stops = isThere
      ? directoriesOf(file).map((directory) => watchDirectory(directory, onChange))
      : [watchDirectory(nearest, onEvent)];
    // A directory that was made while the watch began is no event.
    if (!isThere) setImmediate(onEvent);
  };
  begin();
  return () => {
    isOver = true;
    stop();
  };
}

function nearestAbove(file: string): string {
  let directory = dirname(file);
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory);
  return directory;
}

async function read(file: string): Promise<string | null> {
  try {
    return readConfigText(file);
  } catch {
    return null;
  }
}

/** The directories to watch: a link may be replaced in its directory, and the file that it names in another one. */
function directoriesOf(file: string): readonly string[] {
  try {
    return [...new Set([dirname(file), dirname(realpathSync(file))])];
  } catch {
    return [dirname(file)];
  }
}

/** Takes over what has changed in the file alone, so that a setting that a key has changed since stays. */
function takeOver(options: FollowOptions, before: Config, next: Config): void {
  const { store, environment, report, warn, onProfiles } = options;
  const changed = changesBetween(settingsOf(before), {
    ...settingsOf(next),
    ...(environment.theme === null ? {} : { theme: settingsOf(before).theme }),
  });
  if (Object.keys(changed).length > 0) store.setState(takeSettings(changed));
  const ids = settingIds.filter((id) => !isDeepStrictEqual(valueIn(before, id), valueIn(next, id)));
  const variableOf = (id: SettingId): string | null => overridingVariable(id, environment);
  const waiting: string[] = ids.filter((id) => !rowOf(id).isLive && variableOf(id) === null);
  if (!isDeepStrictEqual(before.profiles, next.profiles)) onProfiles?.(next.profiles);
  const isOther = [...before.profiles].some(([name, one]) => !isDeepStrictEqual(one, next.profiles.get(name)));
  if (isOther) waiting.push('profiles');
  const taken = ids.filter((id) => rowOf(id).isLive && variableOf(id) === null);
  const overridden = ids.find((id) => variableOf(id) !== null);
  const problem = problemIn(environment, next.warnings, settingsOf(next).keys);
  warn(problem);
  // The newest notice would hide the warning.
  if (problem !== null) return;
  if (waiting.length > 0) report(`config.toml: ${waiting.join(', ')} will take effect after a restart`);
  else if (taken.length > 0) report(`config.toml: ${taken.join(', ')} changed`);
  else if (overridden !== undefined)
    report(`config.toml: ${overridden} changed, but ${variableOf(overridden)} is set and overrides it`);
}

const valueIn = ({ values }: Config, id: SettingId): unknown => (values === null ? rowOf(id).default : values[id]);

/** The fields that differ, as they are in `next`. */
export function changesBetween(before: Settings, next: Settings): Partial<Settings> {
  const names = Object.keys(next) as (keyof Settings)[];
  return Object.fromEntries(
    names.filter((name) => !isDeepStrictEqual(before[name], next[name])).map((name) => [name, next[name]]),
  );
}
