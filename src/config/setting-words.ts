/** Reads the words of a person as a value of a setting. */
import { parse } from 'smol-toml';
import { checkSetting, type SettingId } from './settings-table.ts';

/** The value as TOML writes it, and as it is in the file; or one line that says what is wrong. */
export type ReadWords = { readonly literal: string; readonly value: unknown } | { readonly problem: string };

/** `["notify-send", 3]` and `[]` are meant as lists, `[urgent]` is a word. */
const isMeantAsList = (word: string): boolean => /^\s*\[\s*(["']|\]\s*$)/.test(word);

/** Takes the words as a value of TOML where that fits the setting, otherwise as a text; several words as a list of texts. */
export function readWords(id: SettingId, words: readonly string[]): ReadWords {
  const [word = ''] = words;
  const asText = JSON.stringify(word);
  const asList = `[${words.map((one) => JSON.stringify(one)).join(', ')}]`;
  const isList = words.length === 1 && isMeantAsList(word);
  const candidates = words.length > 1 ? [asList] : isList ? [word] : [word, asText, asList];
  const problems: string[] = [];
  for (const literal of candidates) {
    // A value on several lines could hold keys of its own.
    if (/[\r\n]/.test(literal)) continue;
    let value: unknown;
    try {
      ({ value } = parse(`value = ${literal}\n`));
    } catch {
      continue;
    }
    const checked = checkSetting(id, value, 'words');
    if ('value' in checked) return { literal: literal.trim(), value };
    problems.push(checked.problem);
  }
  const unread = isList
    ? `${id}: this is no list of TOML, which is written as in ["a", "b"]`
    : `${id} takes no line breaks`;
  return { problem: problems[0] ?? unread };
}
