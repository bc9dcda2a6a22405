/** Covers what a sender has hidden, until the message is selected. */
import type { SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { clusterWidth } from '../unicode/width.ts';
import type { RichText, Stretch } from './blocks.ts';

/** The same text with a sign for each column of its spoilers; spaces stay, so that it is broken at the same places. */
export function covered({ text, stretches }: RichText, sign: SafeText): RichText {
  if (!stretches.some(({ marks }) => marks.includes('spoiler'))) return { text, stretches };
  let shown = '';
  const moved = stretches.map((stretch): Stretch => {
    const start = shown.length;
    const part = text.slice(stretch.start, stretch.end);
    shown += stretch.marks.includes('spoiler') ? cover(part, sign) : part;
    return { ...stretch, start, end: shown.length };
  });
  return { text: shown as SafeText, stretches: moved };
}

function cover(text: string, sign: SafeText): string {
  let out = '';
  eachCluster(text, 0, (start, end, codePoint) => {
    const character = text.slice(start, end);
    out += /^\s$/.test(character) ? character : sign.repeat(clusterWidth(text, start, end, codePoint));
    return true;
  });
  return out;
}
