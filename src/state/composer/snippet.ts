/** Expands snippets: `;name` before the cursor becomes a text with its fields filled in, and Tab selects the places left. */

import { localDay } from '../../text/time.ts';
import { lazyPattern } from '../../text/unicode/lazy-pattern.ts';
import type { Draft } from '../model/app-state.ts';
import { type Range, replaceRange } from './draft.ts';

/** The name is distinguished from other words by the semicolon, before which there is a blank or nothing. */
const called = lazyPattern(() => /(?:^|\s);([\p{L}\p{N}][\p{L}\p{N}_-]{0,39})$/u);
const callLength = 42;

/** The name of a snippet between a semicolon and the cursor; null where there is none. */
export function calledSnippet({ text, cursor, anchor }: Draft): string | null {
  if (anchor !== null) return null;
  return called().exec(text.slice(Math.max(0, cursor - callLength), cursor))?.[1] ?? null;
}

export interface SnippetFacts {
  /** The name of the conversation that the message is for. */
  readonly name: string;
  readonly now: Date;
  /** What was copied or pasted last in this program; null where nothing was. */
  readonly clipboard: string | null;
}

interface Expanded {
  readonly text: string;
  /** Places to fill in, in the order in which Tab visits them. */
  readonly stops: readonly Range[];
  /** `{clipboard}` was asked for, and nothing was copied or pasted in this program yet. */
  readonly lacksClipboard: boolean;
}

const field = /\{(?:(name|clipboard|cursor)|date(?:([+-]\d{1,4})([dwmy]))?|(\d):([^{}\n]{0,200}))\}/g;

/** Anything else in braces is left unchanged. */
export function expandSnippet(template: string, facts: SnippetFacts): Expanded {
  let text = '';
  let lacksClipboard = false;
  let at = 0;
  const stops: { readonly order: number; readonly range: Range }[] = [];
  for (const match of template.matchAll(field)) {
    const [whole, word, amount = '0', unit = 'd', order, shown = ''] = match;
    text += template.slice(at, match.index);
    at = match.index + whole.length;
    const isDate = word === undefined && order === undefined;
    const other = word === 'name' ? facts.name : word === 'clipboard' ? (facts.clipboard ?? '') : shown;
    const filled = isDate ? dateIn(facts.now, Number(amount), unit) : other;
    lacksClipboard ||= word === 'clipboard' && facts.clipboard === null;
    if (order !== undefined || word === 'cursor')
      stops.push({ order: Number(order ?? 10), range: { start: text.length, end: text.length + filled.length } });
    text += filled;
  }
  text += template.slice(at);
  const sorted = stops.sort((a, b) => a.order - b.order).map(({ range }) => range);
  return { text, stops: sorted, lacksClipboard };
}

/** `2026-11-24`, in the time of this machine. */
function dateIn(now: Date, amount: number, unit: string): string {
  const date = new Date(now);
  if (unit === 'd' || unit === 'w') date.setDate(date.getDate() + amount * (unit === 'w' ? 7 : 1));
  else addMonths(date, amount * (unit === 'y' ? 12 : 1));
  return localDay(date.getTime());
}

/** In a month that has no such day, its last one is meant: 28 February, a month after 31 January. */
function addMonths(date: Date, months: number): void {
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + months);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, last));
}

/** Puts the snippet in the place of `;name`, as one undo step, and selects its first place. */
export function insertSnippet(draft: Draft, name: string, { text, stops }: Expanded): Draft {
  const start = draft.cursor - name.length - 1;
  const inserted = replaceRange(draft, { start, end: draft.cursor }, text, 'other');
  const moved = stops.map((stop) => ({ start: stop.start + start, end: stop.end + start }));
  return moved.length === 0 ? inserted : nextStop({ ...inserted, stops: moved });
}

/** Selects the next place to fill in. */
export function nextStop(draft: Draft): Draft {
  const { stops = [], ...rest } = draft;
  const [next, ...others] = stops;
  if (next === undefined) return rest;
  const anchor = next.start === next.end ? null : next.start;
  return { ...rest, cursor: next.end, anchor, lastChange: 'other', ...(others.length > 0 && { stops: others }) };
}
