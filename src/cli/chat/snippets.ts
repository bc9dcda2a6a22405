/** Reads and saves the user's snippets: plain files in a folder beside the configuration. */
import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandContext, SaveResult } from '../../commands/context.ts';
import { systemCause } from '../../config/errors.ts';
import { readRegularFile } from '../../config/regular-file.ts';
import { cleanInput } from '../../text/safe/sanitize.ts';
import { lazyPattern } from '../../text/unicode/lazy-pattern.ts';
import { writeNewFile } from './new-file.ts';

/** The most bytes of a snippet. */
const largest = 64_000;
const endings = ['', '.md', '.txt'];
/** The form of a name: without a separator and a dot, so that it names no file elsewhere. */
const goodName = lazyPattern(() => /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u);

type Ports = Pick<CommandContext, 'readSnippet' | 'saveSnippet'>;

export const snippetPorts = (folder: string): Ports => ({
  // Not in the same turn as the key, which must not wait for a disk.
  readSnippet: (name, done) => void setImmediate(() => done(readSnippet(folder, name))),
  saveSnippet: (name, text, done) => void setImmediate(() => done(saveSnippet(folder, name, text))),
});

function readSnippet(folder: string, name: string): { readonly text: string } | { readonly problem: string } {
  for (const ending of goodName().test(name) ? endings : []) {
    const path = join(folder, name + ending);
    try {
      // A link may lead to another file of the folder only.
      if (dirname(realpathSync(path)) !== realpathSync(folder))
        return { problem: `The snippet ${path} is a link that leads out of its folder` };
      return { text: cleanInput(readRegularFile(path, largest)).replace(/\n$/, '') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        return { problem: `The snippet ${path} cannot be read: ${systemCause(error)}` };
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
        return { problem: `The snippet ${path} is a link that leads nowhere` };
    }
  }
  const others = namesIn(folder);
  if (others.length === 0)
    return { problem: `There is no snippet "${name}": write one into ${join(folder, `${name}.md`)}` };
  const likely = others.filter((other) => other.startsWith(name));
  const named = (likely.length > 0 ? likely : others).slice(0, mostNamed).join(', ');
  return { problem: `There is no snippet "${name}"; there are ${named}` };
}

/** How many snippets are named where the one that was called does not exist. */
const mostNamed = 8;

function namesIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter((file) => !file.isDirectory());
    const names = files.map((file) => file.name.replace(/\.(?:md|txt)$/, ''));
    return [...new Set(names.filter((name) => goodName().test(name)))].sort();
  } catch {
    // The folder does not exist before the first snippet.
    return [];
  }
}

function saveSnippet(folder: string, name: string, text: string): SaveResult {
  if (!goodName().test(name))
    return { problem: `"${name}" cannot be the name of a snippet: use letters, digits, - and _` };
  if (!('problem' in readSnippet(folder, name)))
    return { problem: `There is a snippet "${name}" already; choose another name` };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeNewFile(join(folder, `${name}.md`), `${text}\n`);
    return { said: `Saved: ;${name} and Tab inserts it` };
  } catch (error) {
    return { problem: `${join(folder, `${name}.md`)} was not saved: ${systemCause(error)}` };
  }
}
