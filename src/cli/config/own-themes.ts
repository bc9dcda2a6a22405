/** Reads the user's own themes: a file is read when its theme is chosen, and again when it changes. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstProblem } from '../../config/errors.ts';
import { isThemeFile } from '../../config/theme.ts';
import { loadThemeFile, themeDirectory } from '../../config/theme-file.ts';
import { watchDirectory } from '../../storage/sqlite/watch-directory.ts';
import type { ThemePair } from '../../view/theme-built-in.ts';
import { type OwnTheme, readTheme } from '../../view/theme-file.ts';
import { messageOf } from '../process/exit.ts';

export interface OwnThemes {
  /** The theme of that name; null for a built-in theme, and while the file is being read. */
  of(name: string | null): ThemePair | null;
  /**
   * Reports what is wrong in the file, null for nothing, and calls `onLoaded` after each load of a theme. Returns the
   * function that ends both.
   */
  follow(report: (problem: string | null) => void, onLoaded: () => void): () => void;
}

/** @param first the theme of the first frame, which waits for it */
export async function loadOwnThemes(configFile: string, first: string | null): Promise<OwnThemes> {
  let wanted: string | null = null;
  let loaded: { readonly name: string; readonly theme: OwnTheme } | null = null;
  let lastProblem: string | null = null;
  let followers: { readonly report: (problem: string | null) => void; readonly onLoaded: () => void } | null = null;
  const reportProblem = (): void => {
    const problem = loaded === null ? null : firstProblem(loaded.theme.problems);
    if (followers === null || problem === lastProblem) return;
    lastProblem = problem;
    followers.report(problem);
  };
  const load = async (name: string | null): Promise<void> => {
    wanted = name;
    const theme = name === null ? null : await readOwnTheme(configFile, name);
    // Nothing is reported while the screen is drawn, which asks for the theme.
    await null;
    if (wanted !== name) return;
    loaded = name === null || theme === null ? null : { name, theme };
    reportProblem();
    if (followers !== null) watch.begin(name);
    followers?.onLoaded();
  };
  const watch = themeWatch(themeDirectory(configFile), () => void (wanted !== null && load(wanted)));
  if (first !== null && isThemeFile(first)) await load(first);
  return {
    of(name) {
      const file = name !== null && isThemeFile(name) ? name : null;
      if (wanted !== file) void load(file);
      return file !== null && loaded?.name === file ? loaded.theme.pair : null;
    },
    follow(report, onLoaded) {
      followers = { report, onLoaded };
      lastProblem = null;
      reportProblem();
      watch.begin(wanted);
      return () => {
        watch.end();
        followers = null;
      };
    },
  };
}

/** Watches the folder of the themes and, where the file of the shown one is a link, the folder that it leads to. */
function themeWatch(folder: string, onChange: () => void) {
  let stop: (() => void) | null = null;
  let linked: { readonly folder: string; readonly stop: () => void } | null = null;
  const follow = (target: string | null): void => {
    if (target === (linked?.folder ?? null)) return;
    linked?.stop();
    linked = target === null ? null : { folder: target, stop: watchDirectory(target, onChange) };
  };
  return {
    /** @param name the theme that is shown; null for a built-in one */
    begin(name: string | null): void {
      stop ??= watchThemes(folder, onChange);
      follow(name === null ? null : linkedFolder(folder, name));
    },
    end(): void {
      stop?.();
      stop = null;
      follow(null);
    },
  };
}

/** The folder of the file that a link names; null where it is no link, or leads nowhere. */
function linkedFolder(folder: string, name: string): string | null {
  try {
    const target = dirname(realpathSync(join(folder, name)));
    return target === realpathSync(folder) ? null : target;
  } catch {
    return null;
  }
}

/** Where there is no such folder yet, the one around it is watched until it is there. */
function watchThemes(folder: string, onChange: () => void): () => void {
  const isThere = existsSync(folder);
  let stop: () => void = watchDirectory(isThere ? folder : dirname(folder), () => {
    if (!isThere && existsSync(folder)) {
      stop();
      stop = watchThemes(folder, onChange);
    }
    onChange();
  });
  return () => stop();
}

/**
 * Never throws: a file that cannot be read has one problem and the colours of the built-in theme. Each problem names the
 * file.
 */
async function readOwnTheme(configFile: string, name: string): Promise<OwnTheme> {
  try {
    const { pair, problems } = readTheme(await loadThemeFile(configFile, name));
    return { pair, problems: problems.map((line) => `${name}: ${line}`) };
  } catch (error) {
    return { ...readTheme({}), problems: [messageOf(error)] };
  }
}

/** Resolves to one line for each thing that is wrong in the file of a theme; none for a built-in theme. */
export async function themeProblems(configFile: string, name: string | null): Promise<readonly string[]> {
  if (name === null || !isThemeFile(name)) return [];
  return (await readOwnTheme(configFile, name)).problems;
}
