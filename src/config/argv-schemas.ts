/** The schemas of settings that name a program to be run, with its arguments and without a shell. */
import * as v from 'valibot';

const isMixed = (word: string): boolean => /\{(title|body)\}/.test(word) && !/^\{(title|body)\}$/.test(word);

/**
 * A program and its arguments, without a shell. `{title}` and `{body}` are replaced by words of other people, so they may not be
 * a part of an argument, where they could become code of a script.
 */
export const notifyArgv = v.pipe(
  v.array(v.pipe(v.string(), v.excludes('\0'))),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && (dataset.value[0] ?? '').trim() === '') addIssue();
  }),
  v.check(
    ([program = '', ...rest]) => !/\{(title|body)\}/.test(program) && !rest.some(isMixed),
    'write "{title}" and "{body}" as arguments of their own, as in ["say", "{title}"]',
  ),
);

/** A program and its arguments. It reads the document about the event on its standard input, never as an argument. */
export const hookArgv = v.pipe(
  v.array(v.pipe(v.string(), v.excludes('\0'))),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value[0]?.trim() === '') addIssue();
  }),
  v.check(
    (words) => !words.some((word) => /\{(title|body|text)\}/.test(word)),
    'a hook reads the message from its standard input, as JSON; remove the word in braces',
  ),
);
