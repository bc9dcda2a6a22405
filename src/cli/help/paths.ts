/** `msg-tui paths`: prints the file of the settings, and the folders of data, cache and state. */
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { jsonDocument, type Output, processOutput } from '../output/print.ts';
import { fileLocations } from './topics.ts';

export function printPaths({ json }: { readonly json?: boolean }, output: Output = processOutput()): void {
  const files = fileLocations();
  if (json === true) output.json(jsonDocument(files));
  else for (const [name, path] of Object.entries(files)) output.text(`${name.padEnd(8)}${sanitizeLine(path)}\n`);
}
