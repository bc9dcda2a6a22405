/** What of a message can be copied: the whole text, its blocks of code, its links, what it quotes, addresses of its files. */
import type { AppState } from '../model/app-state.ts';
import { attachmentsOf } from './attachments.ts';
import { linksIn } from './links.ts';
import { selectMarked } from './marked.ts';
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
    text: marked.map(textOf).join('\n\n'),
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

const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;

function partsOf(raw: string): Parts {
  const code: string[] = [];
  const quote: string[] = [];
  let open: { readonly marker: string; readonly lines: string[] } | null = null;
  for (const line of raw.split('\n')) {
    const [, marker = '', info = ''] = fence.exec(line) ?? [];
    if (open !== null) {
      if (!marker.startsWith(open.marker) || info.trim() !== '') open.lines.push(line);
      else {
        code.push(open.lines.join('\n'));
        open = null;
      }
    } else if (marker !== '') open = { marker, lines: [] };
    else if (/^ {0,3}>/.test(line)) quote.push(line.replace(/^ {0,3}> ?/, ''));
  }
  if (open !== null) code.push(open.lines.join('\n'));
  return { code: code.filter((text) => text.trim() !== ''), quote: quote.join('\n') };
}
