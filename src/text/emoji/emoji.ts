/**
 * Finds the emoji of a short name (`tada`, `+1`), the name of an emoji, and emoji by a part of their names; writes
 * emoji as names. The table is read at the first call.
 */

import { sanitizeLine } from '../safe/sanitize.ts';
import type { SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { emojiTable } from './emoji-table.ts';

export interface NamedEmoji {
  readonly name: string;
  readonly glyph: SafeText;
}

/** What the reaction picker offers before anything is typed, by the keys 1 to 9 too, and what a shell completes. */
export const quickReactions: readonly string[] = [
  '+1',
  'heart',
  'joy',
  'tada',
  'open_mouth',
  'cry',
  'eyes',
  'white_check_mark',
  'pray',
];

const emojiStart = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3)/u;

let index: ReadonlyMap<string, SafeText> | null = null;

function glyphs(): ReadonlyMap<string, SafeText> {
  if (index === null) {
    const words = emojiTable.split(' ');
    const map = new Map<string, SafeText>();
    for (let at = 0; at + 1 < words.length; at += 2) map.set(words[at] ?? '', (words[at + 1] ?? '') as SafeText);
    index = map;
  }
  return index;
}

/** The emoji of a name, with or without its colons; a name that is an emoji itself is its own; null for any other. */
export function glyphOf(name: string): SafeText | null {
  if (name.length > 64) return null;
  const bare = name.trim().replace(/^:|:$/g, '');
  const known = glyphs().get(bare) ?? glyphs().get(bare.toLowerCase().replace(/(?<=.)[- ]/g, '_'));
  if (known !== undefined) return known;
  const text = sanitizeLine(bare);
  return emojiStart.test(text) && isOneCluster(text) ? text : null;
}

let names: ReadonlyMap<string, string> | null = null;

/** The first name of an emoji, for terminals that cannot draw it; null where it has none. */
export function nameOfGlyph(glyph: string): string | null {
  // A later entry replaces an earlier one, so that the first name is the one that stays.
  names ??= new Map([...glyphs()].reverse().map(([name, known]) => [withoutVariant(known), name]));
  return names.get(withoutVariant(glyph)) ?? names.get(withoutVariant(glyph.replace(skinTones, ''))) ?? null;
}

const skinTones = /[\u{1f3fb}-\u{1f3ff}]/gu;
/** Matches what is drawn as a small picture, and not as a letter like © or a digit. */
const drawnAsEmoji = /\p{Emoji_Presentation}|\ufe0f/u;

/** The text with `:tada:` in the place of each emoji that has a name. */
export function spellEmoji(text: SafeText): SafeText {
  if (!drawnAsEmoji.test(text)) return text;
  let spelled = '';
  eachCluster(text, 0, (start, end) => {
    const cluster = text.slice(start, end);
    const name = drawnAsEmoji.test(cluster) ? nameOfGlyph(cluster) : null;
    spelled += name === null ? cluster : `:${name}:`;
    return true;
  });
  return spelled as SafeText;
}

const withoutVariant = (glyph: string): string => glyph.replace(/\ufe0f$/, '');

function isOneCluster(text: string): boolean {
  let count = 0;
  eachCluster(text, 0, () => ++count < 2);
  return count === 1;
}

/**
 * Names that hold `query`, each emoji once: the exact name, then names and words in names that begin with it. Of those, quick
 * reactions and shorter names come first.
 */
export function searchEmoji(query: string, limit: number): readonly NamedEmoji[] {
  const wanted = query.trim().toLowerCase().replace(/^:|:$/g, '').replaceAll(' ', '_');
  if (wanted === '') return [];
  const ranks: NamedEmoji[][] = [[], [], [], []];
  for (const [name, glyph] of glyphs()) {
    const rank = rankOf(name, wanted);
    if (rank >= 0) ranks[rank]?.push({ name, glyph });
  }
  const seen = new Set<string>();
  const found: NamedEmoji[] = [];
  for (const items of ranks) items.sort((a, b) => quickness(b) - quickness(a) || a.name.length - b.name.length);
  for (const item of ranks.flat()) {
    if (found.length >= limit) break;
    if (seen.has(item.glyph)) continue;
    seen.add(item.glyph);
    found.push(item);
  }
  return found;
}

const quickness = ({ name }: NamedEmoji): number => Number(quickReactions.includes(name));

/** 0 is best; −1 when the name does not hold the query. */
function rankOf(name: string, wanted: string): number {
  const at = name.indexOf(wanted);
  if (at < 0) return -1;
  if (at === 0) return name.length === wanted.length ? 0 : 1;
  return name.includes(`_${wanted}`) ? 2 : 3;
}
