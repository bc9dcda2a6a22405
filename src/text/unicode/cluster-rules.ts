/**
 * The rules for clusters: joiners where they join something, marks on a letter, flags and syllables, all of bounded
 * length.
 */
import { codePointAt, codePointBefore } from './clusters.ts';
import { lazyPattern } from './lazy-pattern.ts';

const joiners = /(?:\u200c|\u200d|\ufe0e|\ufe0f)+/g;
const pictograph = lazyPattern(() => /^\p{Extended_Pictographic}$/u);
const emoji = lazyPattern(() => /^(?=\p{Extended_Pictographic})\p{Emoji}$/u);
const emojiPresentation = lazyPattern(() => /^\p{Emoji_Presentation}$/u);
const modifier = lazyPattern(() => /^\p{Emoji_Modifier}$/u);
const joiningScripts =
  'Arab Syrc Mong Nkoo Mand Mani Phlp Phag Adlm Rohg Sogd Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt Bali Java'.split(
    ' ',
  );
const joiningScript = lazyPattern(
  () => new RegExp(`^[${joiningScripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]$`, 'u'),
);

/** Marks after the eighth, joiners among them; UAX #15 allows thirty, which no terminal draws. */
const mark = '[\\p{M}\\u200c\\u200d\\uff9e\\uff9f]';
const tooManyMarks = lazyPattern(() => new RegExp(`(${mark}{8})${mark}+`, 'gu'));
const markWithoutLetter = lazyPattern(() => /(^|\n)(?=\p{M})/gu);
const pictographChain = lazyPattern(() => {
  const link = '\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]*';
  return new RegExp(`((?:${link}\\u200d){7}${link})\\u200d`, 'gu');
});
/** Letters joined by viramas: one cluster however many there are (UAX #29 GB9c). */
const virama =
  '[\\u094d\\u09cd\\u0acd\\u0b4d\\u0c4d\\u0d4d\\u1039\\u17d2\\u1a60\\u1b44\\u1bab\\ua9c0\\uaaf6\\u{10a3f}\\u{11133}\\u{113d0}\\u{1193e}\\u{11a47}\\u{11a99}\\u{11f42}]';
const conjunct = lazyPattern(() => new RegExp(`(?:\\p{Lo}(?=${mark}*${virama})${mark}+){3,}\\p{Lo}?`, 'gu'));
const maxConjunctUnits = 48;

const unqualifiedKeycap = /([\d#*])(?=\u20e3)/gu;
/** Marks on what is an emoji already: string-width and terminals disagree on the sum. */
const markOnEmoji = lazyPattern(
  () =>
    /(?<=\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{e007f}|(?<![\d#*])\ufe0f|[\d#*]\ufe0f\u20e3)(?!\ufe0e|\ufe0f)\p{M}+/gu,
);
const looseModifier = lazyPattern(() => /(?<!\p{Emoji_Modifier_Base})\p{Emoji_Modifier}/gu);
const regionalIndicators = /[\u{1f1e6}-\u{1f1ff}]{1,2}/gu;
/** Two regional indicators that name a country; terminals draw other pairs differently. */
const flag = lazyPattern(() => /^\p{RGI_Emoji_Flag_Sequence}$/v);
/** Hangul parts without a leading consonant; terminals give them no cell. */
const looseJamo =
  /(?<![\u1100-\u115f\ua960-\ua97c])[\u1160-\u11a7\ud7b0-\ud7c6]|(?<![\u1160-\u11a7\ud7b0-\ud7c6\uac00-\ud7a3])[\u11a8-\u11ff\ud7cb-\ud7fb]/g;
const leadingJamoRun = /([\u1100-\u115f\ua960-\ua97c]{8})[\u1100-\u115f\ua960-\ua97c]+/g;
/** Letters that form a cluster with whatever follows. */
const prepended =
  /[\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/gu;

/**
 * Applies the rules until they change nothing more. Dropping a character can only shorten what the others see, so a few
 * rounds are enough; a text that would need more loses its joiners.
 */
export function settleClusters(text: string): string {
  let current = text
    // Terminals do not agree whether the Thai and Lao vowel AM takes a column; its two parts look like it.
    .replaceAll('\u0e33', '\u0e4d\u0e32')
    .replaceAll('\u0eb3', '\u0ecd\u0eb2')
    .replace(prepended, '\ufffd');
  for (let round = 0; round < 6; round++) {
    const next = applyRules(current);
    if (next === current) return current;
    current = next;
  }
  return applyRules(current.replace(joiners, ''));
}

/** The text with each vowel AM as the one character that people type, for the clipboard and for dictionaries. */
export const withWholeAm = <T extends string>(text: T): T =>
  text.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll('\u0ecd\u0eb2', '\u0eb3') as T;

function applyRules(text: string): string {
  return text
    .replace(joiners, keptJoiners)
    .replace(/(\p{Emoji_Modifier_Base})\ufe0f(?=\p{Emoji_Modifier})/gu, '$1')
    .replace(looseModifier(), '\ufffd')
    .replace(regionalIndicators, (pair) => (flag().test(pair) ? pair : letters(pair)))
    .replace(unqualifiedKeycap, '$1\ufe0f')
    .replace(markOnEmoji(), '')
    .replace(looseJamo, '\ufffd')
    .replace(leadingJamoRun, '$1')
    .replace(tooManyMarks(), '$1')
    .replace(markWithoutLetter(), '$1\u25cc')
    .replace(pictographChain(), '$1')
    .replace(conjunct(), shortConjunct);
}

const keptLimit = 1024;
/** Caches the answer for a joiner by its two neighbours, because the same emoji are often repeated. */
const keptBetween = new Map<number, string>();

/** The part of a run of joiners and variation selectors that has an effect at its place. */
function keptJoiners(run: string, offset: number, text: string): string {
  const before = codePointBefore(text, offset);
  const after = codePointAt(text, offset + run.length);
  if (run !== '\u200d') return judgeJoiners(run, before, after);
  const key = before * 0x110000 + after;
  let kept = keptBetween.get(key);
  if (kept !== undefined) return kept;
  kept = judgeJoiners(run, before, after);
  if (keptBetween.size >= keptLimit) keptBetween.clear();
  keptBetween.set(key, kept);
  return kept;
}

function judgeJoiners(run: string, before: number, after: number): string {
  const left = String.fromCodePoint(before);
  const right = String.fromCodePoint(after);
  if (after === 0x20e3 && /[\d#*]/.test(left)) return run.includes('\ufe0f') ? '\ufe0f' : '';
  if (pictograph().test(left) || modifier().test(left)) {
    const joins = run.includes('\u200d') && pictograph().test(right) && (emoji().test(left) || modifier().test(left));
    if (!joins) return trailingSelector(run, left);
    // A joiner turns a narrow pictograph into an emoji.
    return emojiPresentation().test(left) ? '\u200d' : '\ufe0f\u200d';
  }
  if (!isOfJoiningScript(left) || !isOfJoiningScript(right)) return '';
  return /[\u200c\u200d]/.exec(run)?.[0] ?? '';
}

const isOfJoiningScript = (character: string): boolean => joiningScript().test(character);

/** A selector that asks for what terminals do anyway, or for the narrow form of a wide emoji, is left out. */
function trailingSelector(run: string, left: string): string {
  const selector = /[\ufe0e\ufe0f]/.exec(run)?.[0] ?? '';
  if (selector === '\ufe0f') return emoji().test(left) ? selector : '';
  return pictograph().test(left) && !emojiPresentation().test(left) ? selector : '';
}

const letters = (indicators: string): string =>
  [...indicators].map((indicator) => String.fromCharCode(codePointAt(indicator, 0) - 0x1f1e6 + 0x41)).join('');

function shortConjunct(cluster: string): string {
  if (cluster.length <= maxConjunctUnits) return cluster;
  return cluster.slice(0, isHigh(cluster, maxConjunctUnits - 1) ? maxConjunctUnits - 1 : maxConjunctUnits);
}

function isHigh(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit >= 0xd800 && unit < 0xdc00;
}
