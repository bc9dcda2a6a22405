/** Kinds of code points that decide where clusters end, where that needs no look at anything else (UAX #29). */

/**
 * True for code points that never join a neighbour which is itself simple, so that the place between two of them
 * is always a cluster boundary. CR is not (CR LF is one cluster), nor are Indic letters (conjuncts).
 */
export function isSimple(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint !== 0x0d;
  if (codePoint < 0x300) return codePoint !== 0xa9 && codePoint !== 0xae;
  if (codePoint < 0x2e80) return isSimpleLow(codePoint);
  if (codePoint >= 0x3400 && codePoint <= 0xa4c6) return true;
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return true;
  if (codePoint < 0x3400) {
    return (
      (codePoint >= 0x3000 && codePoint <= 0x3029) ||
      (codePoint >= 0x3041 && codePoint <= 0x3096) ||
      (codePoint >= 0x309b && codePoint <= 0x318e)
    );
  }
  return (
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xff01 && codePoint <= 0xff9d) ||
    (codePoint >= 0xffe0 && codePoint <= 0xffe6) ||
    codePoint === 0xfffd ||
    (codePoint >= 0x20000 && codePoint <= 0x3fffd)
  );
}

/** U+0300 to U+2E7F: Greek, Cyrillic, Armenian, Hebrew, Arabic, Thai and Georgian letters, punctuation, pictures. */
function isSimpleLow(codePoint: number): boolean {
  if (codePoint < 0x590) {
    return (codePoint >= 0x370 && codePoint <= 0x482) || (codePoint >= 0x48a && codePoint <= 0x58a);
  }
  if (codePoint < 0x10a0) {
    return (
      (codePoint >= 0x5d0 && codePoint <= 0x5f4) ||
      (codePoint >= 0x620 && codePoint <= 0x64a) ||
      (codePoint >= 0x660 && codePoint <= 0x66f) ||
      (codePoint >= 0x671 && codePoint <= 0x6d3) ||
      (codePoint >= 0xe01 && codePoint <= 0xe30) ||
      codePoint === 0xe32 ||
      (codePoint >= 0xe3f && codePoint <= 0xe46)
    );
  }
  if (codePoint < 0x2000) return codePoint <= 0x10ff || codePoint >= 0x1e00;
  return (
    (codePoint >= 0x2010 && codePoint <= 0x2027) ||
    (codePoint >= 0x2030 && codePoint <= 0x203b) ||
    (codePoint >= 0x2070 && codePoint <= 0x20c1) ||
    (codePoint >= 0x2400 && codePoint <= 0x2426) ||
    (codePoint >= 0x2190 && codePoint <= 0x2193) ||
    (codePoint >= 0x2200 && codePoint <= 0x22ff) ||
    (codePoint >= 0x27c0 && codePoint <= 0x2b04 && codePoint !== 0x2934 && codePoint !== 0x2935) ||
    (codePoint >= 0x2500 && codePoint <= 0x25a9) ||
    (codePoint >= 0x25ac && codePoint <= 0x25fa && codePoint !== 0x25b6 && codePoint !== 0x25c0)
  );
}

/** Simple, and neither a control nor invisible. U+3164 is a filler. */
export const isPlainlyVisible = (codePoint: number): boolean =>
  codePoint > 0xad && codePoint !== 0x3164 && isSimple(codePoint);

/** Symbols and emoji of the common blocks: they begin a cluster unless a joiner ties them to another emoji. */
export function isPictograph(codePoint: number): boolean {
  if (codePoint >= 0x1f300) {
    return codePoint <= 0x1f6ff ? !isEmojiModifier(codePoint) : codePoint >= 0x1f900 && codePoint <= 0x1faff;
  }
  return codePoint >= 0x2600 && codePoint <= 0x27bf;
}

/** The characters that a zero-width joiner may join. */
export function isJoinable(codePoint: number): boolean {
  if (!isPictograph(codePoint)) return false;
  const known = joinable.get(codePoint);
  if (known !== undefined) return known;
  const answer = /^\p{Extended_Pictographic}$/u.test(String.fromCodePoint(codePoint));
  joinable.set(codePoint, answer);
  return answer;
}

/** Caches the answer of the pattern for each of the two thousand code points. */
const joinable = new Map<number, boolean>();

const isEmojiModifier = (codePoint: number): boolean => codePoint >= 0x1f3fb && codePoint <= 0x1f3ff;

export const isRegionalIndicator = (codePoint: number): boolean => codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;

/** Marks and selectors that always belong to the cluster before them, and join nothing to it. */
export function isExtender(codePoint: number): boolean {
  if (codePoint > 0x309a) return codePoint === 0xfe0f || isEmojiModifier(codePoint);
  return (
    (codePoint >= 0x300 && codePoint <= 0x36f) ||
    codePoint === 0xe31 ||
    (codePoint >= 0xe34 && codePoint <= 0xe3a) ||
    (codePoint >= 0xe47 && codePoint <= 0xe4e) ||
    (codePoint >= 0x64b && codePoint <= 0x65f) ||
    (codePoint >= 0x5b0 && codePoint <= 0x5bd) ||
    (codePoint >= 0x20d0 && codePoint <= 0x20e3) ||
    codePoint === 0x3099 ||
    codePoint === 0x309a
  );
}
