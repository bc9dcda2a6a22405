/** Covers the spoilers of a text that is shown as it was typed, outside of its message. */
import { lazyPattern } from '../unicode/lazy-pattern.ts';

/** As the parser of formatted messages finds them (inline-rules.ts): not the `a || b` of programs. */
const spoilers = lazyPattern(
  () =>
    /(?<![\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{Nd}])\|\|(?=[^\s|])(?:(?!\|\|)[\s\S])*?\S\|\|(?![\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{Nd}])/gu,
);

export const coverSpoilers = (raw: string): string => (raw.includes('||') ? raw.replace(spoilers(), '||…||') : raw);
