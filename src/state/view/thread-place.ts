/**
 * Where each thread is read, and how its messages are shown: the scroll position, the selected message, marks, the part
 * of a long message, messages that are folded or shown as typed, and text that the mouse has selected.
 */
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import { partEnd } from '../../text/layout/parts.ts';
import { dayKey } from '../../text/time.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState, Place, ScrollPlace } from '../model/app-state.ts';
import type { TextSelection } from '../model/place.ts';
import { selectPlace } from '../select/selectors.ts';
import { type PendingId, type ThreadItem, textOf } from '../select/thread-items.ts';
import type { Transition } from '../store.ts';
import { patchView, setFocus } from './view.ts';

/** Re-exported for `commands` and `sync`, which may not import `text`. */
export { isInParts, partEnd } from '../../text/layout/parts.ts';

/** What can be selected in a thread, oldest first: messages, and pending sends as `op:<uuid>`. */
export interface Selectable {
  readonly id: MessageId;
  readonly createdAt: Millis | null;
}

export type ThreadStep = 'next' | 'previous' | 'first' | 'last' | 'next-day' | 'previous-day';

export const setPlace = (state: AppState, id: ConversationId, place: Place): AppState =>
  patchView(state, { places: withEntry(state.view.places, id, place) });

/** Places are compared as objects: when a message was laid out again, an equal place may mean another row. */
export const setScroll =
  (id: ConversationId, scroll: ScrollPlace): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    const isSame = place.scroll === scroll || (place.scroll.at === 'bottom' && scroll.at === 'bottom');
    return isSame ? state : setPlace(state, id, { ...place, scroll });
  };

export const selectMessage =
  (id: ConversationId, messageId: MessageId | null): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    return place.selectedId === messageId ? state : setPlace(state, id, { ...place, selectedId: messageId });
  };

/** Whether the keys of the messages act on one of these. */
export const isSelected = (state: AppState, id: ConversationId, ids: readonly MessageId[]): boolean =>
  state.view.openId === id &&
  state.screen.focus === 'messages' &&
  ids.includes(state.view.places.get(id)?.selectedId ?? '');

/** The most messages of one conversation that can be marked. */
const mostMarked = 500;

/** Whether one more message can be marked. */
export const canMark = (place: Place): boolean => (place.marked?.length ?? 0) < mostMarked;

export const toggleMark =
  (id: ConversationId, messageId: MessageId): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    const { marked = [] } = place;
    if (marked.includes(messageId)) return unmark(id, [messageId])(state);
    return canMark(place) ? setPlace(state, id, { ...place, marked: [...marked, messageId] }) : state;
  };

/** @param ids the messages that lose their marks; null: all of the conversation */
export const unmark =
  (id: ConversationId, ids: readonly MessageId[] | null): Transition =>
  (state) => {
    const place = state.view.places.get(id);
    if (place?.marked === undefined) return state;
    const { marked, ...rest } = place;
    const left = ids === null ? [] : marked.filter((one) => !ids.includes(one));
    if (left.length === marked.length) return state;
    return setPlace(state, id, left.length === 0 ? rest : { ...rest, marked: left });
  };

/**
 * To be applied when messages are gone. Where one of them was selected, no message is afterwards, and the composer gets the
 * keys: a key that was meant for the message must not act on another one.
 */
export const leaveRemoved =
  (id: ConversationId, ids: readonly MessageId[]): Transition =>
  (before) => {
    const state = unmark(id, ids)(before);
    const place = state.view.places.get(id);
    if (place?.selectedId == null || !ids.includes(place.selectedId)) return state;
    const next = isSelected(state, id, ids) ? setFocus('composer')(state) : state;
    return selectMessage(id, null)(next);
  };

/** Shows the next part of a long message, or the one before, from its first row on; at the ends nothing changes. */
export const turnPart =
  (id: ConversationId, item: ThreadItem, direction: 1 | -1): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    const starts = partStarts(place, item);
    const raw = textOf(item);
    const next = direction < 0 ? starts.slice(0, -1) : [...starts, partEnd(raw, starts.at(-1) ?? 0)];
    if ((next.at(-1) ?? 0) >= raw.length || next.length === starts.length) return state;
    const scroll: ScrollPlace = { at: 'message', messageId: item.id, line: 0 };
    return setPlace(state, id, { ...place, scroll, part: { messageId: item.id, starts: next } });
  };

export const selectText =
  (textSelection: TextSelection | null): Transition =>
  (state) =>
    (state.view.textSelection ?? null) === textSelection ? state : patchView(state, { textSelection });

const mostUnfolded = 50;

/** Shows a long message whole, or its first rows alone. */
export const setFolded =
  (id: ConversationId, messageId: MessageId, folded: boolean): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    const others = (place.unfolded ?? []).filter((one) => one !== messageId);
    const { part, ...rest } = place;
    const kept = part === undefined || part.messageId === messageId ? rest : { ...rest, part };
    return setPlace(state, id, { ...kept, unfolded: folded ? others : [...others, messageId].slice(-mostUnfolded) });
  };

/** Shows a message as it was typed, or formatted again. */
export const toggleRaw =
  (id: ConversationId, messageId: MessageId): Transition =>
  (state) => {
    const place = selectPlace(state, id);
    return setPlace(state, id, { ...place, rawId: place.rawId === messageId ? null : messageId });
  };

/** The offset in the raw text of an item at which the shown part begins. */
export const partStart = (place: Place, item: ThreadItem): number => partStarts(place, item).at(-1) ?? 0;

/** Empty when the text has become shorter than the stored offsets. */
function partStarts({ part }: Place, item: ThreadItem): readonly number[] {
  return part?.messageId === item.id && (part.starts.at(-1) ?? 0) < textOf(item).length ? part.starts : none;
}

const none: readonly number[] = [];

/** To be applied when a pending send has become a message, or was removed (null): selection and scroll position follow it. */
export const followPending =
  (id: ConversationId, uuid: string, messageId: MessageId | null): Transition =>
  (state) => {
    const place = state.view.places.get(id);
    if (place === undefined) return state;
    const pending: PendingId = `op:${uuid}`;
    const isSelected = place.selectedId === pending;
    const isAnchor = place.scroll.at !== 'bottom' && place.scroll.messageId === pending;
    const isUnfolded = place.unfolded?.includes(pending) === true;
    if (!isSelected && !isAnchor && !isUnfolded) return state;
    const unfolded = place.unfolded?.map((one) => (one === pending && messageId !== null ? messageId : one));
    const scroll = isAnchor ? anchorAt(place.scroll, messageId) : place.scroll;
    const selectedId = isSelected ? messageId : place.selectedId;
    return setPlace(state, id, { ...place, scroll, selectedId, ...(isUnfolded && unfolded && { unfolded }) });
  };

const anchorAt = (scroll: ScrollPlace, messageId: MessageId | null): ScrollPlace =>
  messageId === null || scroll.at === 'bottom' ? { at: 'bottom' } : { ...scroll, messageId };

/** The id of the item that a step leads to; null without items. Without a selection every step leads to the newest. */
export function stepTarget(
  items: readonly Selectable[],
  selectedId: MessageId | null,
  step: ThreadStep,
): MessageId | null {
  const last = items.length - 1;
  if (step === 'first') return items[0]?.id ?? null;
  const index = selectedId === null ? -1 : items.findLastIndex((item) => item.id === selectedId);
  if (step === 'last' || index === -1) return items[last]?.id ?? null;
  if (step === 'next') return items[Math.min(index + 1, last)]?.id ?? null;
  if (step === 'previous') return items[Math.max(index - 1, 0)]?.id ?? null;
  return items[dayStep(items, index, step)]?.id ?? null;
}

/** The index of the first item of the next day; backwards, of this day, then of the day before. */
function dayStep(items: readonly Selectable[], from: number, step: 'next-day' | 'previous-day'): number {
  const startsDay = (index: number): boolean => index === 0 || dayAt(items, index) !== dayAt(items, index - 1);
  const direction = step === 'next-day' ? 1 : -1;
  let index = from + direction;
  while (index >= 0 && index < items.length && !startsDay(index)) index += direction;
  return Math.min(Math.max(index, 0), items.length - 1);
}

function dayAt(items: readonly Selectable[], index: number): string | number | null {
  const createdAt = items[index]?.createdAt ?? null;
  return createdAt === null ? null : dayKey(createdAt);
}
