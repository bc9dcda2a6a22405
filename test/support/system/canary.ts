/** Looks for the token of a run wherever it must not be (suite TP13): output, files, arguments, environments of children. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Who has this much of a token's beginning may have been shown a token that was cut. */
const beginningOf = (token: string): string => token.slice(0, 12);

/** Whether the text holds the token or its beginning. */
export const holdsToken = (text: string, token: string): boolean => text.includes(beginningOf(token));

/** Under a folder; the file that keeps credentials is where a token belongs. */
export const filesWithToken = (folder: string, token: string): readonly string[] =>
  filesIn(folder).filter(
    (file) => basename(file) !== 'credentials.json' && readBytes(file).includes(beginningOf(token)),
  );

export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Arguments of every process, and what those that `parent` has started were given to know; nothing where there is no /proc. */
export function processesWithToken(token: string, parent: number): readonly string[] {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (readBytes(`/proc/${pid}/cmdline`).includes(token)) found.push(`cmdline of ${pid}`);
    const stat = readBytes(`/proc/${pid}/stat`).toString();
    const isChild = stat.replace(/^.*\) \S+ (\d+) .*$/s, '$1') === String(parent);
    if (isChild && readBytes(`/proc/${pid}/environ`).includes(token)) found.push(`environment of ${pid}`);
  }
  return found;
}

/** Files and processes come and go. */
function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
