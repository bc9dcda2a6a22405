/** Makes the rows of a thread's items when they are shown, and keeps them until the item or its context changes. */
import type { Millis } from '../protocol/types.ts';
import { RecentMap } from '../state/collections/memo.ts';
import type { Place, Thread } from '../state/model/app-state.ts';
import { hasPicture, type PictureFacts } from '../state/pictures/policy.ts';
import { bodyColumns, isFolded } from '../state/select/folded-messages.ts';
import type { Quoted } from '../state/select/quoted.ts';
import type { ThreadItem } from '../state/select/selectors.ts';
import { partStart } from '../state/view/thread-place.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { dayKey, dayLabel } from '../text/time.ts';
import type { KeyOf, Look } from './frame.ts';
import { type ItemContext, messageBlock, sameContext } from './message.ts';
import type { Blocks, MessageBlock } from './thread-scroll.ts';

/** Messages of one author within this time share one author line. */
const groupingMs = 5 * 60_000;
const keptBlocks = 400;

interface ThreadFacts {
  readonly items: readonly ThreadItem[];
  readonly thread: Thread | undefined;
  readonly isLoading: boolean;
  readonly place: Place;
  /** The message that an item quotes. */
  readonly quotedBy: (item: ThreadItem) => Quoted | null;
  /** Columns of the pane, borders included. */
  readonly columns: number;
  /** The most columns of a line of text. */
  readonly textWidth: number;
  readonly now: Millis;
  readonly pictures: PictureFacts;
}

interface Kept {
  readonly item: ThreadItem;
  readonly context: ItemContext;
  readonly block: MessageBlock;
  /** How many colours had arrived when code was drawn without colours; null where none are missing. */
  readonly waitsAt: number | null;
}

/**
 * The blocks of a call are kept, so it is to be called anew when colours of code have arrived. `drawn` counts the blocks
 * made so far.
 */
interface BlockMaker {
  (facts: ThreadFacts): Blocks<ThreadItem>;
  readonly drawn: () => number;
}

export function createBlocks(look: Look, keyOf: KeyOf): BlockMaker {
  const plain = new RecentMap<string, Kept>(keptBlocks);
  const selected = new RecentMap<string, Kept>(8);
  const { missed: missedColours, arrived: arrivedColours } = look.markdown;
  const isCurrent = ({ waitsAt }: Kept): boolean => waitsAt === null || waitsAt === arrivedColours();
  let drawn = 0;

  const blockOf = (facts: ThreadFacts, index: number, isUncovered = false): MessageBlock => {
    const item = facts.items[index];
    if (item === undefined) return nothing;
    const own = contextOf(facts, item, index, look);
    const context = isUncovered ? { ...own, isSelected: true } : own;
    const cache = context.isSelected ? selected : plain;
    const held = cache.get(item.id);
    if (held !== undefined && held.item === item && isCurrent(held) && sameContext(held.context, context))
      return held.block;
    drawn++;
    const missed = missedColours();
    const block = messageBlock(item, context, look, keyOf);
    cache.set(item.id, { item, context, block, waitsAt: missedColours() === missed ? null : arrivedColours() });
    return block;
  };

  const make = (facts: ThreadFacts): Blocks<ThreadItem> => {
    // While a page is laid out, most of its blocks are asked for several times.
    const made = new Map<number, MessageBlock>();
    return {
      items: facts.items,
      blockOf: (index) => {
        const block = made.get(index) ?? blockOf(facts, index);
        made.set(index, block);
        return block;
      },
      uncovered: (index) => blockOf(facts, index, true),
    };
  };
  return Object.assign(make, { drawn: () => drawn });
}

const nothing: MessageBlock = { rows: [], lead: 0 };

function contextOf(facts: ThreadFacts, item: ThreadItem, index: number, look: Look): ItemContext {
  const { thread, columns, textWidth, now, place } = facts;
  const previous = facts.items[index - 1];
  const afterGap = thread?.gaps.includes(item.id) === true;
  const isFirstNew = previous !== undefined && thread?.newLineAfter === previous.id && !item.isOwn;
  const startsDay = item.createdAt !== null && !sameDay(previous?.createdAt ?? null, item.createdAt);
  return {
    columns,
    textColumns: Math.max(1, Math.min(textWidth + 5, columns - 3)),
    showsAuthor: afterGap || isFirstNew || startsDay || !continues(previous, item),
    showsTime: !sameMinute(previous?.createdAt ?? null, item.createdAt),
    day: startsDay && item.createdAt !== null ? dayLabel(item.createdAt, now) : null,
    isFirstNew,
    afterGap,
    before: index === 0 ? edgeText(facts, look) : null,
    isSelected: item.id === place.selectedId,
    isMarked: place.marked?.includes(item.id) === true,
    partStart: partStart(place, item),
    isRaw: place.rawId === item.id,
    pictures: hasPicture(item.message?.attachments ?? []) ? facts.pictures : null,
    isFolded: isFolded(place, item, bodyColumns(columns, textWidth)),
    quoted: facts.quotedBy(item),
  };
}

/** Two unknown times count as the same. */
const sameMinute = (a: Millis | null, b: Millis | null): boolean =>
  a === null || b === null ? a === b : Math.floor(a / 60_000) === Math.floor(b / 60_000);

/** Two times in one minute, which most messages of a busy conversation have, need no calendar. */
const sameDay = (a: Millis | null, b: Millis): boolean => a !== null && (sameMinute(a, b) || dayKey(a) === dayKey(b));

function continues(previous: ThreadItem | undefined, item: ThreadItem): boolean {
  if (previous === undefined || item.authorId === null || previous.authorId !== item.authorId) return false;
  if (previous.createdAt === null || item.createdAt === null) return previous.createdAt === item.createdAt;
  return Math.abs(item.createdAt - previous.createdAt) < groupingMs;
}

/** The line about older messages above the first loaded item. */
function edgeText({ thread, isLoading }: ThreadFacts, { signs }: Look): SafeText | null {
  if (thread === undefined || thread.older === 'end') return null;
  if (thread.older === 'unreachable') return literal('Older messages cannot be fetched from this server.');
  return isLoading ? safe`Loading older messages${signs.ellipsis}` : safe`Older messages${signs.ellipsis}`;
}
