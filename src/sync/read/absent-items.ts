/**
 * What lists lack proves nothing: a list may lag behind writes, and may leave items out. So the server is asked about each
 * item that is missing, few at a time, and not again soon where it still had the item.
 */
import { apiError, isNotShown } from '../services/request.ts';

/** Items that a list lacked although the server still had them, and when it said so, on the monotonic clock. */
export type ConfirmedItems<Id> = Map<Id, number>;

/** The most requests about missing items after one list. */
export const askedAtOnce = 5;

/**
 * Whether the server still had the item so lately that it is not asked again.
 *
 * @param now milliseconds on the monotonic clock
 * @param forMs how long an answer of the server counts
 */
export const isConfirmed = <Id>(confirmed: ConfirmedItems<Id>, id: Id, now: number, forMs = 60_000): boolean =>
  now - (confirmed.get(id) ?? Number.NEGATIVE_INFINITY) < forMs;

/**
 * Whether the request about an item that a list lacks says that it is gone. An answer with another item or id says
 * so; a refusal to show it does not, as after leaving a group. Rejects with ApiError.
 *
 * @param isThere makes the request, and resolves to whether the answer shows the item
 * @param isYoung whether the item was created a moment ago, so that reads may not show it yet
 */
export async function isGone(isThere: () => Promise<boolean>, isYoung = (): boolean => false): Promise<boolean> {
  try {
    return !(await isThere());
  } catch (error) {
    if (apiError(error).isIdMismatch) return !isYoung();
    if (isNotShown(error)) return false;
    throw error;
  }
}
