/** Turns what commander says about a wrong command line into one line of this program. */
import { sanitizeLine } from '../text/safe/sanitize.ts';

/** @param text of commander: `error: …`, and perhaps a suggestion on a line of its own */
export function usageLine(text: string): string {
  const [said = '', ...hints] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hint = hints.map((line) => line.replace(/^\(Did you mean (.*)\)$/, 'did you mean $1')).join(' ');
  const end = hint === '' ? 'see --help' : hint;
  // It quotes the arguments, which somebody else may have written.
  return `msg-tui: ${sanitizeLine(`${said.replace(/[.]$/, '')}; ${end}`)}\n`;
}
