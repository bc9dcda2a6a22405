/** Turns what commander says about a wrong command line into one line of this program. */
import { nearest } from '../config/suggest.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { jsonDocument } from './output/json.ts';

/** @param text of commander: `error: …`, and perhaps a suggestion on a line of its own */
export const usageLine = (text: string): string => `msg-tui: ${usageMessage(text)}\n`;

/** The same as a JSON document, for a command line that asks for JSON. */
export const usageJson = (text: string): string =>
  jsonDocument({ error: { code: 'usage', message: usageMessage(text) } });

function usageMessage(text: string): string {
  const [said = '', ...hints] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const hint = hints.map((line) => line.replace(/^\(Did you mean (.*)\)$/, 'did you mean $1')).join(' ');
  const near = hint === '' ? nearChoice(said) : hint;
  const end = near === '' ? 'see --help' : near;
  // It quotes the arguments, which somebody else may have written.
  return sanitizeLine(`${said.replace(/[.]$/, '')}; ${end}`);
}

/** What was perhaps meant by a value that is none of the choices. */
function nearChoice(said: string): string {
  const [, wrong = '', choices = ''] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(said) ?? [];
  const near = nearest(wrong, choices.split(', '));
  return near === null || near === '' ? '' : `did you mean ${near}?`;
}
