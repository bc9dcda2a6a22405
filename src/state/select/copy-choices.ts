/** What of a message can be copied: the whole text, its blocks of code, its links, what it quotes, addresses of its files. */
import type { AppState } from '../model/app-state.ts';
import { attachmentsOf } from './attachments.ts';
import { linksIn } from './links.ts';
import { selectMarked } from './marked.ts';
import { copiedText } from './message-texts.ts';
import { selectSelectedItem } from './selectors.ts';
import { type ThreadItem, textOf } from './thread-items.ts';

export interface CopyChoice {
  readonly kind: 'marked' | 'message' | 'code' | 'link' | 'quote' | 'attachment';
  /** Raw text; sanitised when drawn. */
  readonly label: string;
  /** Raw text; sanitised for the clipboard. */
  readonly text: string;
}

/** The most code blocks, links and addresses that are offered, of each. */
const mostOfAKind = 20;
const labelLength = 200;

/**
 * The choices, the most likely one first. None without a message and marks.
 * @param item the message, the selected one as a rule
 */
export function selectCopyChoices(
  state: AppState,
  item: ThreadItem | null = selectSelectedItem(state),
): readonly CopyChoice[] {
  const marked = selectMarked(state);
  const together: CopyChoice = {
    kind: 'marked',
    label: marked.length === 1 ? 'The marked message' : `The ${marked.length} marked messages`,
    text: marked.map(copiedText).join('\n\n'),
  };
  return [...(marked.length > 0 ? [together] : []), ...(item === null ? [] : choicesOf(item))];
}

function choicesOf(item: ThreadItem): readonly CopyChoice[] {
  const raw = textOf(item);
  const { code, quote } = partsOf(raw);
  const links = linksIn(raw, []).addresses.slice(0, mostOfAKind);
  const files = attachmentsOf(item)
    .filter(({ url }) => url !== null)
    .slice(0, mostOfAKind);
  return [
    ...(raw.trim() === '' && files.length > 0 ? [] : [choice('message', 'Message', raw)]),
    ...code.slice(0, mostOfAKind).map((text, i) => choice('code', numbered('Code block', i, code.length), text)),
    ...links.map(({ href }, i) => choice('link', numbered('Link', i, links.length), href)),
    ...(quote === '' ? [] : [choice('quote', 'Quote', quote)]),
    ...files.map(({ label, url }) => choice('attachment', label, url ?? '')),
  ];
}

const numbered = (word: string, index: number, count: number): string => (count > 1 ? `${word} ${index + 1}` : word);

function choice(kind: CopyChoice['kind'], name: string, text: string): CopyChoice {
  const firstLine = text.slice(0, labelLength).trim().split('\n', 1)[0] ?? '';
  return { kind, label: firstLine === '' ? name : `${name}: ${firstLine}`, text };
}

interface Parts {
  /** The texts inside the fences. */
  readonly code: readonly string[];
  /** The quoted lines without their signs. */
  readonly quote: string;
}

/** It may follow the marker of a list item. */
const fence = /^((?: *(?:[-*+]|\d{1,9}[.)]) )* *)(`{3,}|~{3,})([^`]*)$/;

/** A block of code that is open. */
interface OpenCode {
  readonly marker: string;
  /** The columns before the opening fence, which are no part of the code. */
  readonly indent: number;
  readonly lines: string[];
}

/** The code before a closing fence, which may stand at the end of the last line; null where the line closes nothing. */
function beforeFence(line: string, { marker }: OpenCode): string | null {
  const text = line.trimEnd();
  const closes = text.endsWith(marker) && (marker.startsWith('`') || /^ *~+$/.test(text));
  return closes ? text.slice(0, -marker.length) : null;
}

const without = (line: string, indent: number): string => line.slice(Math.min(indent, line.search(/[^ ]|$/)));

const quoteMark = /^ {0,3}> ?/;
/** Quotes in quotes in which code is looked for. */
const deepestQuote = 10;

/** Finds the blocks of code as they are drawn, see `text/markdown/block-rules`, in quotes too. */
function partsOf(raw: string, depth = 0): Parts {
  const code: string[] = [];
  const quote: string[] = [];
  let open: OpenCode | null = null;
  let quoted: string[] = [];
  const endQuote = (): void => {
    if (quoted.length > 0 && depth < deepestQuote) code.push(...partsOf(quoted.join('\n'), depth + 1).code);
    quote.push(...quoted);
    quoted = [];
  };
  for (const line of raw.split('\n')) {
    if (open === null && quoteMark.test(line)) {
      quoted.push(line.replace(quoteMark, ''));
      continue;
    }
    endQuote();
    const [, before = '', marker = ''] = fence.exec(line) ?? [];
    if (open !== null) {
      const last = beforeFence(line, open);
      if (last === null || !/^[ `~]*$/.test(last)) open.lines.push(without(last ?? line, open.indent));
      if (last === null) continue;
      code.push(open.lines.join('\n'));
      open = null;
    } else if (marker !== '') open = { marker, indent: before.length, lines: [] };
  }
  endQuote();
  if (open !== null) code.push(open.lines.join('\n'));
  return { code: code.filter((text) => text.trim() !== ''), quote: quote.join('\n') };
}
