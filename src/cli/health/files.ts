/** Checks owners and modes of directories and token file, the free space, and files put aside. Nothing is repaired. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { credentialsFile } from '../../config/credentials.ts';
import { systemCause } from '../../config/errors.ts';
import type { Paths, ProfileDirectories } from '../../config/paths.ts';
import { filesAside } from '../../storage/inspect.ts';
import { ownAbove } from '../../storage/sqlite/private-files.ts';
import { bytes, type Check, counted, sectionOf } from '../output/check.ts';

const { ok, note, wrong } = sectionOf('Files');

/** The bytes of free space below which a warning is given: the next message may not fit. */
const littleRoom = 50 * 1024 * 1024;

/** Never throws. */
export function inspectFiles(paths: Paths, directories: ProfileDirectories | null): readonly Check[] {
  const own = directories === null ? [] : [directory('data', directories.data), directory('cache', directories.cache)];
  const places = directories === null ? [paths.data] : [directories.data, directories.cache];
  return [...own, ...credentials(credentialsFile(paths)), ...room(places), ...aside(directories)];
}

function directory(name: string, path: string): Check {
  try {
    const above = firstProblem(ownAbove(path));
    if (above !== null) return wrong(name, above.text, above.remedy);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return missing(name, path);
    const problem = problemOf(path, stats, 0o700) ?? problemInside(path);
    if (problem !== null) return wrong(name, problem.text, problem.remedy);
    if (!isWritable(path)) return wrong(name, `${path} cannot be written`, toWrite);
    return ok(name, `yours alone (${modeOf(stats)}), at ${path}`);
  } catch (error) {
    return wrong(name, `${path} cannot be read: ${systemCause(error)}`, 'check its owner and mode');
  }
}

const toWrite = 'make it writable, or set XDG_DATA_HOME and XDG_CACHE_HOME';

function missing(name: string, path: string): Check {
  let above = dirname(path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  if (!isWritable(above)) return wrong(name, `${path} cannot be made, as ${above} cannot be written`, toWrite);
  return note(name, `not there yet: ${path}`, 'the first start makes it');
}

function credentials(file: string): readonly Check[] {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const problem = stats === undefined ? null : problemOf(file, stats, 0o600);
    return problem === null ? [] : [wrong('token file', problem.text, problem.remedy)];
  } catch {
    // The check of the account reports what is wrong with this file.
    return [];
  }
}

interface Problem {
  readonly text: string;
  readonly remedy: string;
}

/** Applies the rules of `storage/sqlite/private-files` (R-PERM). */
function problemOf(path: string, stats: Stats, mode: number): Problem | null {
  if (stats.isSymbolicLink())
    return { text: `${path} is a symbolic link`, remedy: 'replace it by a real directory or file' };
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid)
    return {
      text: `${path} belongs to another user (uid ${stats.uid})`,
      remedy: 'run msg-tui as that user or move it',
    };
  if (process.platform === 'win32' || (stats.mode & 0o077) === 0) return null;
  const wanted = `0${mode.toString(8)}`;
  return { text: `${path} can be used by others (${modeOf(stats)})`, remedy: `the next start makes it ${wanted}` };
}

const problemInside = (path: string): Problem | null =>
  firstProblem(readdirSync(path).map((entry) => join(path, entry)));

function firstProblem(paths: readonly string[]): Problem | null {
  for (const file of paths) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const problem = stats === undefined ? null : problemOf(file, stats, stats.isDirectory() ? 0o700 : 0o600);
    if (problem !== null) return problem;
  }
  return null;
}

function room(places: readonly string[]): readonly Check[] {
  const free = places.map(freeAt).filter((one) => one !== null);
  if (free.length === 0) return [];
  const least = Math.min(...free);
  if (least < littleRoom) return [wrong('free space', bytes(least), 'free some: messages are kept on disk first')];
  return [ok('free space', bytes(least))];
}

/** Returns the free space at the nearest directory that exists. */
function freeAt(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return dirname(path) === path ? null : freeAt(dirname(path));
  }
}

function aside(directories: ProfileDirectories | null): readonly Check[] {
  if (directories === null) return [];
  const found = [directories.data, directories.cache].flatMap((path) =>
    filesAside(path).map((name) => join(path, name)),
  );
  const [first] = found;
  if (first === undefined) return [];
  const files = counted(found.length, 'file');
  const remedy = 'check whether you need anything in them, then delete them';
  return [
    note('put aside', `${files} set aside after damage or an upgrade: ${first}${found.length > 1 ? ' …' : ''}`, remedy),
  ];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const modeOf = (stats: Stats): string => `0${(stats.mode & 0o777).toString(8).padStart(3, '0')}`;
