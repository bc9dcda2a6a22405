/**
 * Sets the form of the help of all commands: 80 columns or what the terminal has, short names in lists, and text that
 * sub-commands have from their parent.
 */
import { type Command, Help, type Option } from 'commander';
import { chatOptionRows, colorOptionRow, debugOptionRow } from './chat-option-rows.ts';
import { afterText, pathOf, sectionsOf } from './help-text.ts';

/** The most columns of a line of the help, however wide the terminal is. */
const longestLine = 80;

export const helpWidth = (columns: number | undefined): number => Math.min(longestLine, columns || longestLine);

/** The least columns of a description beside its term; where there are fewer, it is below the term. */
const leastDescription = 24;

/** Sets the form of the help. To be called before commands are added, which inherit it. */
export function formatHelp(root: Command): Command {
  return root.configureHelp({
    minWidthToWrap: leastDescription,
    formatItem: listItem,
    subcommandTerm: (command) => (command.parent === root ? command.name() : termOf(command)),
    visibleOptions: function (this: Help, command) {
      const own = visibleOptions(this, command);
      // Commander does not parse them: after the name of a command they would mean something else.
      return command === root ? [...chatOptionRows, colorOptionRow, debugOptionRow, ...own] : own;
    },
  });
}

function listItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const columns = help.helpWidth ?? longestLine;
  if (description === '' || columns - termWidth - 4 >= leastDescription)
    return Help.prototype.formatItem.call(help, term, termWidth, description, help);
  const below = help.boxWrap(description, columns - 6).replaceAll('\n', '\n      ');
  return `  ${term}\n      ${below}`;
}

/**
 * Fills the lines of a paragraph anew where one is too long; lines that begin with a space, such as those of a list and of
 * examples, stay as they are.
 */
export function filled(text: string, columns: number = longestLine): string {
  return text.replace(/^(?! )[^\n]+(?:\n(?! )[^\n]+)*/gm, (paragraph) => {
    if (paragraph.split('\n').every((line) => line.length <= columns)) return paragraph;
    const indent = paragraph.startsWith('Exit codes:') ? 12 : 0;
    return linesOf(paragraph.replaceAll('\n', ' '), indent, columns).join('\n');
  });
}

function linesOf(text: string, indent: number, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && line.length <= columns) lines[lines.length - 1] = line;
    else lines.push(lines.length === 0 ? word : ' '.repeat(indent) + word);
  }
  return lines;
}

/** The options that are not hidden, and --help, as in commander. */
function visibleOptions(_help: Help, command: Command): Option[] {
  const { _getHelpOption } = command as Command & { readonly _getHelpOption?: () => Option | null };
  const help = _getHelpOption?.call(command) ?? null;
  return [...command.options.filter(({ hidden }) => !hidden), ...(help === null ? [] : [help])];
}

function termOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}

/** Gives a sub-command that has no text of its own the examples of its parent that are about it, and the exit codes. */
export function inheritHelpText(command: Command, inherited = ''): void {
  const own = afterText(command);
  const path = `msg-tui ${pathOf(command)}`;
  if (own === '' && inherited !== '') command.addHelpText('after', `\n${inheritedText(inherited, path)}\n`);
  for (const one of command.commands) inheritHelpText(one, own === '' ? inherited : own);
}

function inheritedText(text: string, path: string): string {
  return sectionsOf(text)
    .flatMap(({ title, lines }) => {
      if (title.startsWith('Exit codes')) return [lines.join('\n')];
      // `serve` takes its file before the name of a sub-command.
      const isAbout = (line: string): boolean => `${line.trim().replace(/ --data \S+/, '')} `.startsWith(`${path} `);
      const about = lines.filter(isAbout);
      return title.startsWith('Example') && about.length > 0 ? [['Examples:', ...about].join('\n')] : [];
    })
    .join('\n\n');
}
