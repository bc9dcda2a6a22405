/** `msg-tui help environment` and `help files`, which are not about one command, and the places of `msg-tui paths`. */
import { currentPaths } from '../../config/paths.ts';
import { variables } from '../../config/variables.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { helpWidth } from './format.ts';

export const topicNames = ['environment', 'files'] as const;
export type Topic = (typeof topicNames)[number];

export const isTopic = (word: string): word is Topic => topicNames.some((name) => name === word);

export const topicText = (topic: Topic): string => (topic === 'environment' ? environmentText() : filesText());

/** The file of the settings and the folders of the program. */
export function fileLocations(): Readonly<Record<'config' | 'data' | 'cache' | 'state', string>> {
  const { configFile, data, cache, state } = currentPaths();
  return { config: configFile, data, cache, state };
}

const environmentText = (): string =>
  [
    ...wrapped('A variable overrides the setting of the same meaning in config.toml; an option overrides both.', 0),
    '',
    ...variables.flatMap(({ names, about }) => [...wrapped(names.join(' '), 0), ...wrapped(about, 6)]),
  ].join('\n');

export const fileRows = [
  ['config', 'settings and profiles; themes/ and snippets/ are beside it'],
  ['data', 'what must not be lost: drafts, unsent messages, tokens'],
  ['cache', 'messages that were seen; it may be deleted at any time'],
  ['state', 'crash reports, and what doctor --notify and --keys found out about terminals'],
] as const;

const filesText = (): string =>
  fileRows
    .flatMap(([name, about]) => [`${name.padEnd(8)}${sanitizeLine(fileLocations()[name])}`, ...wrapped(about, 8)])
    .join('\n');

/** Breaks a text of the program, which is ASCII, into lines that fit into the terminal. */
function wrapped(text: string, indent: number): readonly string[] {
  const columns = helpWidth(process.stdout.columns);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}
