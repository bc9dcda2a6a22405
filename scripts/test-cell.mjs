/** Writes the name of a test for the tables of docs/features.md and docs/comparison.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** `file` is below test/. The names of the groups around the test come first, as some titles go on where those end. */
export const testCell = (file, title) => `\`test/${file}\`: ${[...groupsAround(file, title), title].join(' › ')}`;

/** Outermost first; none where the file has no such title. A group whose name is made of values is left out. */
function groupsAround(file, title) {
  const lines = readFileSync(join(root, 'test', file), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(`'${title}`));
  const groups = [];
  let indent = at < 0 ? 0 : lines[at].search(/\S/);
  for (let n = at - 1; n >= 0 && indent > 0; n--) {
    const group = /^( *)describe\('([^'%$]+)'/.exec(lines[n]);
    if (group === null || group[1].length >= indent) continue;
    groups.unshift(group[2]);
    indent = group[1].length;
  }
  return groups;
}
