/** Compares node_modules with package-lock.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns null when the file is missing or is not JSON */
export function readJson(...path) {
  try {
    return JSON.parse(readFileSync(join(...path), 'utf8'));
  } catch {
    return null;
  }
}

/** The C library of this system in the words of package-lock.json; null where there is only one. */
function libraryOfC() {
  if (process.platform !== 'linux') return null;
  // The report would otherwise look up the name of every network interface.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

const allows = (list, value) => list === undefined || value === null || list.includes(value);

/**
 * The first package of package-lock.json that this system needs and node_modules does not hold in the locked version, as its
 * path; null when nothing is missing. npm leaves a gap in silence when it is set to omit kinds of packages (NODE_ENV,
 * `omit` in .npmrc), when it is interrupted, and when the folder comes from another system.
 */
export function missingPackage(root) {
  const locked = readJson(root, 'package-lock.json')?.packages ?? {};
  // npm writes this copy last, so an installation that was interrupted has none.
  const installed = readJson(root, 'node_modules/.package-lock.json')?.packages;
  if (installed === undefined) return 'node_modules';
  const library = libraryOfC();
  const isForThisSystem = ({ os, cpu, libc }) =>
    allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, library);
  const isNeeded = (path, about) => {
    if (about.optional !== true) return true;
    // The program runs without its own optional packages, and npm goes on when one of them cannot be had.
    if (about.dev !== true) return installed[path] !== undefined;
    // The tools' optional packages are their binaries for one system each; the others are for none of these systems.
    return (about.os !== undefined || about.cpu !== undefined) && isForThisSystem(about);
  };
  const isThere = (path, { version }) =>
    installed[path]?.version === version && readJson(root, path, 'package.json')?.version === version;
  const missing = Object.entries(locked).find(
    ([path, about]) => path !== '' && isNeeded(path, about) && !isThere(path, about),
  );
  return missing?.[0] ?? null;
}
