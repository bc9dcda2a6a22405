/** The values that a command takes: its row declares their types, and they are given as words of a line of text. */

export interface Parameter<T> {
  /** The end of "give …". */
  readonly expects: string;
  /** Returns undefined for a word that is no such value. */
  readonly parse: (word: string) => T | undefined;
  /** The value where no word is given; without it, the user has to give one. */
  readonly otherwise?: T;
  /** The last parameter of a command may take all words that are left, with a blank between them. */
  readonly takesRest?: true;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** The values by the names of their parameters, or one line on what is wrong with the words and how to correct it. */
export type Parsed = { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** The position of a row in a list, from 1. */
export const position: Parameter<number> = {
  expects: 'a whole number from 1 on',
  parse: (word) => (/^[1-9]\d{0,8}$/.test(word) ? Number(word) : undefined),
  otherwise: 1,
};

/** The keys of commands that take a position: the digit is the position. */
export const positionKeys: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** A free text, such as a name; null where none was given. */
export const freeText: Parameter<string | null> = {
  expects: 'some words',
  parse: (words) => words,
  otherwise: null,
  takesRest: true,
};

/** @param words one for each parameter, in the order in which they are declared */
export function parseWords(parameters: Parameters, words: readonly string[]): Parsed {
  const declared = Object.entries(parameters);
  const last = declared.at(-1)?.[1];
  const own = last?.takesRest === true ? withRest(words, declared.length) : words;
  const extra = own[declared.length];
  if (extra !== undefined) return { problem: `${JSON.stringify(extra)} is one value more than this command takes` };
  const values: Record<string, unknown> = {};
  for (const [index, [name, parameter]] of declared.entries()) {
    const word = own[index];
    const value = word === undefined ? parameter.otherwise : parameter.parse(word);
    if (value === undefined) {
      const wrong = word === undefined ? `The ${name} is missing` : `${JSON.stringify(word)} is not a ${name}`;
      return { problem: `${wrong}; give ${parameter.expects}` };
    }
    values[name] = value;
  }
  return { values };
}

/** The words with all from the last one's place on as one. */
const withRest = (words: readonly string[], count: number): readonly string[] =>
  words.length <= count ? words : [...words.slice(0, count - 1), words.slice(count - 1).join(' ')];
