/** `s/old/new/` in the composer changes the last own message: parsing it, applying it, and what to show of it. */

export interface Substitution {
  readonly old: string;
  readonly replacement: string;
  readonly isEverywhere: boolean;
}

/** A part of a line; what is taken away or put in is marked. */
export interface SubstitutionPart {
  readonly text: string;
  readonly isMarked: boolean;
}

export type SubstitutedLine = readonly SubstitutionPart[];

/** The last slash may be missing after a new word. */
const form = /^s\/((?:\\.|[^\\/\n])+)\/((?:\\.|[^\\/\n])+(?=$)|(?:\\.|[^\\/\n])*(?=\/))(?:\/(g?))?$/;

/** Returns null for a text that has another form. The words are literal text, not a pattern; `\/` is a slash. */
export function parseSubstitution(text: string): Substitution | null {
  const match = form.exec(text.trimEnd());
  if (match === null) return null;
  const [, old = '', replacement = '', flag = ''] = match;
  return { old: unescaped(old), replacement: unescaped(replacement), isEverywhere: flag === 'g' };
}

const unescaped = (text: string): string => text.replace(/\\([\\/])/g, '$1');

/** What stays of a text, between the places that change. */
function kept(text: string, { old, isEverywhere }: Substitution): readonly string[] {
  if (isEverywhere) return text.split(old);
  const at = text.indexOf(old);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + old.length)];
}

/** Returns null where the words do not occur. */
export function substitute(text: string, substitution: Substitution): string | null {
  const parts = kept(text, substitution);
  return parts.length < 2 ? null : parts.join(substitution.replacement);
}

/** The lines that change, as they were and as they will be. */
export function changedLines(
  text: string,
  substitution: Substitution,
): { readonly before: readonly SubstitutedLine[]; readonly after: readonly SubstitutedLine[] } {
  const parts = kept(text, substitution);
  return { before: linesWith(parts, substitution.old), after: linesWith(parts, substitution.replacement) };
}

function linesWith(parts: readonly string[], between: string): readonly SubstitutedLine[] {
  const lines: SubstitutionPart[][] = [[]];
  parts.forEach((part, index) => {
    if (index > 0) lines.at(-1)?.push({ text: between, isMarked: true });
    part.split('\n').forEach((line, nth) => {
      if (nth > 0) lines.push([]);
      lines.at(-1)?.push({ text: line, isMarked: false });
    });
  });
  return lines.filter((line) => line.some(({ isMarked }) => isMarked));
}
