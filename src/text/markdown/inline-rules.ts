/**
 * The rules for markers inside a paragraph. They differ from CommonMark where that would swallow characters of ordinary
 * chat text, and every token they make says how much of the source it represents.
 */
import type { MarkdownIt, StateInline as State } from 'markdown-it';
import { findLinks, isOpenable, type LinkRange } from '../links.ts';

type Rule = (state: State, silent: boolean) => boolean;

const backslash = 0x5c;
const backtick = 0x60;
const bar = 0x7c;
const bracket = 0x5b;

/** Letters of scripts that put spaces between words: a marker between two of them is part of the word, as in `2*3*4`. */
const inWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;
const isInWord = (character: string | undefined): boolean => character !== undefined && inWord.test(character);

/** What may stand beside a marker that begins a phrase inside punctuation, as in `(_so_)` and `。**「a」**`. */
const beginning = /[\p{Ps}\p{Pi}"'`*_~|]/u;
const isOtherSign = (character: string | undefined): boolean =>
  character !== undefined && /[!-/:-@[-`{-~]|\p{P}/u.test(character) && !beginning.test(character);

/** The most markers that are read in one text. A text with more is not prose, and would take longer than a frame. */
const mostMarkers = 500;

export function setInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline;
  md.core.ruler.at('inline', ({ tokens, env }) => {
    let markers = 0;
    for (const token of tokens) {
      if (token.type !== 'inline') continue;
      markers += token.content.split(/[*_~`[|]/).length - 1;
      token.children = markers <= mostMarkers ? [] : null;
      if (token.children !== null) md.inline.parse(token.content, md, env, token.children);
    }
  });
  ruler.disable(['linkify', 'newline', 'image', 'autolink', 'html_inline', 'entity']);
  ruler.at('text', text);
  ruler.at('escape', escaped);
  ruler.at('backticks', codeSpan);
  ruler.before('emphasis', 'dunder', dunder);
  ruler.before('emphasis', 'face', face);
  ruler.before('emphasis', 'spoiler', spoiler);
  ruler.at('link', link);
  md.inline.ruler2.disable(['fragments_join']);
  md.inline.State = class extends md.inline.State {
    override scanDelims(start: number, canSplitWord: boolean): ReturnType<State['scanDelims']> {
      const found = super.scanDelims(start, canSplitWord);
      const before = this.src[start - 1];
      const after = this.src[start + found.length];
      if (isInWord(before) && isInWord(after)) return { ...found, can_open: false, can_close: false };
      // Two faces such as >_< and ^_^ in one text would be the ends of a phrase, and lose their middles.
      return isOtherSign(before) && isOtherSign(after) ? { ...found, can_open: false } : found;
    }
  };
}

const plainRun = /[^\\`*_~[\]|]+/y;

/** Addresses are taken whole, so that `_` and `*` in them stay. */
const text: Rule = (state, silent) => {
  const { pos } = state;
  const next = addressesIn(state).find(({ end }) => end > pos);
  let end = pos;
  if (next !== undefined && next.start <= pos) end = next.end;
  else {
    plainRun.lastIndex = pos;
    if (plainRun.test(state.src)) end = Math.min(plainRun.lastIndex, next?.start ?? state.posMax);
  }
  end = Math.min(end, state.posMax);
  if (end <= pos) return false;
  take(state, end, silent);
  return true;
};

const addresses = new WeakMap<State, readonly LinkRange[]>();

function addressesIn(state: State): readonly LinkRange[] {
  const known = addresses.get(state);
  if (known !== undefined) return known;
  const found = findLinks(state.src).map(({ start, end }) => {
    const label = state.src.slice(start, end).indexOf('](');
    return { start, end: label < 0 ? end : start + label };
  });
  addresses.set(state, found);
  return found;
}

function take(state: State, end: number, silent: boolean): void {
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
}

/** An escaped marker styles nothing. The backslash stays, as it may be part of a path or of `¯\_(ツ)_/¯`. */
const escaped: Rule = (state, silent) => {
  if (state.src.charCodeAt(state.pos) !== backslash || state.pos + 1 >= state.posMax) return false;
  take(state, state.pos + (/[!-/:-@[-`{-~]/.test(state.src[state.pos + 1] ?? '') ? 2 : 1), silent);
  return true;
};

const codeSpan: Rule = (state, silent) => {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== backtick) return false;
  let open = pos;
  while (open < posMax && src.charCodeAt(open) === backtick) open++;
  const length = open - pos;
  const isApostrophe = isInWord(src[pos - 1]) && isInWord(src[open]);
  const close = isApostrophe ? -1 : closingRun(state, open, length);
  if (close < 0) take(state, open, silent);
  else {
    if (!silent) {
      const token = state.push('code_inline', 'code', 0);
      token.markup = src.slice(pos, open);
      token.content = src.slice(open, close);
    }
    state.pos = close + length;
  }
  return true;
};

/** A run of this length that is not found once will not be found later: `state.backticks` remembers that. */
function closingRun(state: State, from: number, length: number): number {
  if (state.backticks[length] === -1) return -1;
  for (let at = state.src.indexOf('`', from); at >= 0 && at < state.posMax; ) {
    let end = at;
    while (end < state.posMax && state.src.charCodeAt(end) === backtick) end++;
    if (end - at === length) return at;
    at = state.src.indexOf('`', end);
  }
  if (state.posMax === state.src.length) state.backticks[length] = -1;
  return -1;
}

const dunderWord = /__[a-z][a-z0-9]*(?:_[a-z0-9]+)*__(?!\w)/y;

/** `__init__` is a name and not a bold word. */
const dunder: Rule = (state, silent) => {
  dunderWord.lastIndex = state.pos;
  if (!dunderWord.test(state.src) || dunderWord.lastIndex > state.posMax) return false;
  take(state, dunderWord.lastIndex, silent);
  return true;
};

const signsOnly = /(?<![\w*~])(?:\*{1,2}[-._/]+\*{1,2}|_[-.*]+_)(?![\w*~])/y;

/** A face such as `*_*` and the stars of a file pattern such as `*.*` are no phrase. */
const face: Rule = (state, silent) => {
  signsOnly.lastIndex = state.pos;
  if (!signsOnly.test(state.src) || signsOnly.lastIndex > state.posMax) return false;
  take(state, signsOnly.lastIndex, silent);
  return true;
};

/** `||text||`, but not the `a || b` and `a||b` of programs. */
const spoiler: Rule = (state, silent) => {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== bar) return false;
  const close = src.startsWith('||', pos) ? src.indexOf('||', pos + 2) : -1;
  const isMarker =
    close > pos + 2 &&
    close + 2 <= posMax &&
    !isInWord(src[pos - 1]) &&
    !isInWord(src[close + 2]) &&
    /^[^\s|](?:.*\S)?$/s.test(src.slice(pos + 2, close));
  if (!isMarker) {
    let end = pos;
    while (end < posMax && src.charCodeAt(end) === bar) end++;
    take(state, end, silent);
    return true;
  }
  if (!silent) {
    state.push('spoiler_open', 'span', 1).markup = '||';
    state.pos = pos + 2;
    state.posMax = close;
    state.md.inline.tokenize(state);
    state.push('spoiler_close', 'span', -1).markup = '||';
    state.posMax = posMax;
  }
  state.pos = close + 2;
  return true;
};

/** Where a link leads; kept in `meta` of its two tokens. */
export type Destination = {
  readonly href: string;
  readonly title: string;
  /** After the closing parenthesis. */
  readonly end: number;
};

const link: Rule = (state, silent) => {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== bracket || src.indexOf('](', pos) < 0) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, pos, true);
  state.pos = pos;
  if (labelEnd < 0 || src.slice(pos + 1, labelEnd).trim() === '') return false;
  const target = destination(state, labelEnd + 1);
  if (target === null) return false;
  if (!silent) {
    state.pos = pos + 1;
    state.posMax = labelEnd;
    state.push('link_open', 'a', 1).meta = target;
    state.linkLevel++;
    state.md.inline.tokenize(state);
    state.linkLevel--;
    state.push('link_close', 'a', -1).meta = target;
    state.posMax = posMax;
  }
  state.pos = target.end;
  return true;
};

/** `(address)` or `(address "title")`. */
function destination({ src, posMax, md }: State, open: number): Destination | null {
  if (src[open] !== '(') return null;
  const address = md.helpers.parseLinkDestination(src, skipSpace(src, open + 1), posMax);
  if (!address.ok || !isOpenable(address.str)) return null;
  let at = skipSpace(src, address.pos);
  let title = '';
  if (at > address.pos) {
    const found = md.helpers.parseLinkTitle(src, at, posMax);
    if (found.ok) {
      title = found.str;
      at = skipSpace(src, found.pos);
    }
  }
  return at < posMax && src[at] === ')' ? { href: address.str, title, end: at + 1 } : null;
}

function skipSpace(src: string, from: number): number {
  let at = from;
  while (src[at] === ' ' || src[at] === '\n') at++;
  return at;
}
