/** The emoji that the composer offers for `:smi`. */
import { searchEmoji } from '../../text/emoji/emoji.ts';
import type { CompletionRow } from '../model/app-state.ts';

const limit = 12;

export const emojiRows = (typed: string): readonly CompletionRow[] =>
  searchEmoji(typed.slice(1), limit).map(({ name, glyph }) => ({
    text: glyph,
    label: `${glyph} :${name}:`,
    note: '',
  }));
