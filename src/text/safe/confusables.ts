/** Finds names that look alike, with a small part of the table of UTS #39: the letters that chat names are forged with. */
import { normalForm } from '../../protocol/same-text.ts';

/** Characters that look like the Latin ones on the right; applied after NFKC, which folds fullwidth and styled letters. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ['аɑα', 'a'],
  ['АΑᎪ', 'A'],
  ['ВΒᏴ', 'B'],
  ['сϲⅽ', 'c'],
  ['СϹᏟ', 'C'],
  ['ԁ', 'd'],
  ['еҽ', 'e'],
  ['ЕΕᎬ', 'E'],
  ['ɡ', 'g'],
  ['һ', 'h'],
  ['НΗᎻ', 'H'],
  ['іıɩι', 'i'],
  ['ӏІΙӀᛁ1|I', 'l'],
  ['ј', 'j'],
  ['ЈᎫ', 'J'],
  ['кκ', 'k'],
  ['КΚ', 'K'],
  ['МΜᎷ', 'M'],
  ['пո', 'n'],
  ['Ν', 'N'],
  ['оοσօ', 'o'],
  ['0ОΟՕ', 'O'],
  ['рρ', 'p'],
  ['РΡᏢ', 'P'],
  ['ԛ', 'q'],
  ['г', 'r'],
  ['ѕ', 's'],
  ['ЅᏚ', 'S'],
  ['τт', 't'],
  ['ТΤᎢ', 'T'],
  ['υս', 'u'],
  ['νѵ', 'v'],
  ['ԝѡ', 'w'],
  ['хχ', 'x'],
  ['ХΧ', 'X'],
  ['уγү', 'y'],
  ['УΥҮ', 'Y'],
  ['Ζ', 'Z'],
  ['’‘ʼ`´', "'"],
  ['‐‑‒–—−', '-'],
];

let table: ReadonlyMap<string, string> | null = null;

function lookAlikeTable(): ReadonlyMap<string, string> {
  table ??= new Map(lookAlikes.flatMap(([from, to]) => [...from].map((character) => [character, to] as const)));
  return table;
}

/** Returns a text that is equal for names that a reader may take for one another. It is not for display. */
export function skeleton(name: string): string {
  const latin = /^[a-zA-Z]*$/.test(name)
    ? name
    : normalForm(name, 'NFKC').replace(/[\p{Default_Ignorable_Code_Point}\s]/gu, '');
  const characters = lookAlikeTable();
  let out = '';
  for (const character of latin) out += characters.get(character) ?? character;
  return out.replaceAll('m', 'rn');
}
