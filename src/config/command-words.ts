/**
 * Splits command lines of the configuration, which are run without a shell, into words, and writes words as a command
 * line.
 */

/**
 * The words of a command line: blanks separate them, quotes of both kinds keep them together, and outside of single quotes a
 * backslash takes the next character as it is. There are no variables, no pipes and no patterns. Null where a quote is
 * not closed, and for no word at all.
 */
export function commandWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '\\' && quote !== "'" && at + 1 < line.length) word = (word ?? '') + line[++at];
    else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') return null;
  if (word !== null) words.push(word);
  return isCommand(words) ? words : null;
}

/** Whether this can be run: a program, and arguments that the system takes. */
export const isCommand = (words: readonly unknown[]): words is readonly string[] =>
  words.length > 0 &&
  words.every((word) => typeof word === 'string' && !word.includes('\0')) &&
  String(words[0]).trim() !== '';

/** A line that `commandWords` reads as these words; for messages. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
