/** Runs npm from a script, on every system and from any folder. */
import { spawnSync } from 'node:child_process';

/**
 * npm names its own program to the scripts that it starts. Node can run that file directly, which needs no shell: a shell
 * would break on a blank in a path. Without npm above, `npm` is looked up; on Windows that is `npm.cmd`, which only a
 * shell can start.
 */
function npmCommand() {
  const program = process.env.npm_execpath ?? '';
  if (/npm-cli\.c?js$/.test(program)) return { command: process.execPath, before: [program], shell: false };
  return { command: 'npm', before: [], shell: process.platform === 'win32' };
}

/** As `spawnSync`. With a shell the arguments must not hold blanks, so paths are given by `cwd`. */
export function npm(args, options) {
  const { command, before, shell } = npmCommand();
  return spawnSync(command, [...before, ...args], { shell, ...options });
}
