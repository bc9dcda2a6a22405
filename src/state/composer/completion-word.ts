/** Finds the word at the cursor that names, emoji or commands can be offered for, and turns `:smile:` into its emoji. */
import { glyphOf } from '../../text/emoji/emoji.ts';
import { openFence } from '../../text/markdown/open-fence.ts';
import { lazyPattern } from '../../text/unicode/lazy-pattern.ts';
import type { CompletionWord, Draft } from '../model/app-state.ts';
import { replaceRange } from './draft.ts';

/** In UTF-16 units: longer words are nobody's name. It bounds the work of a typed key. */
const longest = 40;

/** The characters allowed before the sign. After a letter, a digit or a slash it is part of an address, a time or a path. */
const before = lazyPattern(
  () => /[\s([{"'“‘«¿¡*~|>,;!?]|\ufe0f|[\udc00-\udfff]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u,
);
const insideWord = lazyPattern(() => /[\p{L}\p{M}\p{N}_]/u);

const words: Readonly<Record<CompletionWord['kind'], () => RegExp>> = {
  person: lazyPattern(() => /^@[\p{L}\p{M}\p{N}._'’-]*$/u),
  // Two letters at least, so that nothing is offered for `:D` and `:p`.
  emoji: lazyPattern(() => /^:(?:[a-z][a-z0-9_+-]+|[+-]1)$/i),
  command: lazyPattern(() => /^\/[\p{L}\p{N}_-]*$/u),
};

/** While the user asks for it, one letter or none is enough. */
const askedEmoji = /^:[a-z0-9_+-]*$/i;

/** @param isAsked the user asked for it with a key, and did not only type */
export function completionWord({ text, cursor }: Draft, isAsked = false): CompletionWord | null {
  const start = signBefore(text, cursor);
  if (start < 0) return null;
  const kind = kindAt(text, start);
  if (kind === null || insideWord().test(text.charAt(cursor))) return null;
  const typed = text.slice(start, cursor);
  const isWord = words[kind]().test(typed) || (isAsked && kind === 'emoji' && askedEmoji.test(typed));
  return !isWord || (kind !== 'command' && isInCode(text, start)) ? null : { kind, start, typed };
}

/** The offset of the `@`, `:` or `/` with which the word at the cursor begins; -1: it has none. */
function signBefore(text: string, cursor: number): number {
  for (let at = cursor - 1; at >= 0 && cursor - at <= longest; at--) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20) return -1;
    if (unit === 0x40 || unit === 0x3a || unit === 0x2f) return at;
  }
  return -1;
}

function kindAt(text: string, start: number): CompletionWord['kind'] | null {
  const sign = text.charAt(start);
  if (sign === '/') return start === 0 ? 'command' : null;
  if (!isAtWordStart(text, start)) return null;
  return sign === '@' ? 'person' : 'emoji';
}

const isAtWordStart = (text: string, at: number): boolean => at === 0 || before().test(text.charAt(at - 1));

/** Whether the offset is between backticks or in a block of code. */
function isInCode(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return line.split('`').length % 2 === 0 || openFence(text, at) !== '';
}

/** Puts the emoji in the place of its name when the second colon has just been typed; one undo gives the letters back. */
export function withNamedEmoji(draft: Draft): Draft {
  const { text, cursor } = draft;
  const start = text.lastIndexOf(':', cursor - 2);
  if (start < 0 || cursor - start > longest || text.charAt(cursor - 1) !== ':') return draft;
  const name = text.slice(start + 1, cursor - 1);
  if (!/^[a-z0-9_+-]+$/.test(name) || !isAtWordStart(text, start) || isInCode(text, start)) return draft;
  const glyph = glyphOf(name);
  return glyph === null ? draft : replaceRange(draft, { start, end: cursor }, glyph, 'other');
}
