/** Turns commander's message about a wrong command line into one line of this program. */
import { nearest } from '../../config/suggest.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { jsonDocument } from '../output/print.ts';
import { chatOptionRows } from './chat-option-rows.ts';

/**
 * @param text the message of commander: `error: …`, and perhaps a line with a suggestion
 * @param path the names of the command, as in `profiles use`
 */
export const usageLine = (text: string, path: string): string => `msg-tui: ${usageMessage(text, path)}\n`;

/** The same as a JSON document, for a command line that asks for JSON. */
export const usageJson = (text: string, path: string): string =>
  jsonDocument({ error: { code: 'usage', message: usageMessage(text, path) } });

function usageMessage(text: string, path: string): string {
  const [said = '', ...hints] = text
    .replace(/^error: /, '')
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/, "<$2> argument '$1' is invalid")
    .trim()
    .split('\n');
  const hint = hints.map((line) => line.replace(/^\(Did you mean (.*)\)$/, 'did you mean $1')).join(' ');
  const cut = escapeHint(said);
  // Where a text was taken for an option, no option that is spelled alike is suggested.
  const near = hint === '' || cut !== '' ? nearChoice(said) : hint;
  const help = `${cut}see ${['msg-tui', path, '--help'].filter((word) => word !== '').join(' ')}`;
  const end = optionOfTheChat(said) ?? (near === '' ? help : near);
  // It quotes the arguments, which somebody else may have written.
  return sanitizeLine(`${said.replace(/[.]$/, '')}; ${end}`);
}

/** A hint for texts and names that begin with a minus or have spaces: `search ferry -train`, `send ann a b`. */
function escapeHint(said: string): string {
  if (/^unknown option '(?!--[a-z][\w-]*(=|'))/i.test(said))
    return 'write -- before words that begin with a minus, or ';
  return /^too many arguments .* Expected [1-9]/.test(said)
    ? 'put a text or a name of several words in quotes, or '
    : '';
}

/** Says that the unknown option is one of the chat; null where it is not. */
function optionOfTheChat(said: string): string | null {
  const [, name] = /^unknown option '(--[\w-]+)/.exec(said) ?? [];
  const option = chatOptionRows.find(({ long }) => long === name);
  return option === undefined ? null : chatOnly(option.flags);
}

/** @param flags as in the help: `--archive <file>` */
export const chatOnly = (flags: string): string => `the chat has it: msg-tui ${flags}`;

/** Suggests the choice that is nearest to a value that is none of them; '' where none is near. */
function nearChoice(said: string): string {
  const [, wrong = '', choices = ''] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(said) ?? [];
  const near = nearest(wrong, choices.split(', '));
  return near === null || near === '' ? '' : `did you mean ${near}?`;
}
