/** `msg-tui paths`: where configuration, data and cache lie. */
import { currentPaths } from '../config/paths.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { plain } from './ascii-output.ts';

export function printPaths(): void {
  const { configFile, data, cache, state } = currentPaths();
  const rows = { config: configFile, data, cache, state };
  for (const [name, path] of Object.entries(rows))
    process.stdout.write(`${name.padEnd(8)}${plain(sanitizeLine(path))}\n`);
}
