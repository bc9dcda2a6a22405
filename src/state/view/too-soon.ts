/** A question takes no answer that comes too soon, as its key may have been typed before the question was seen. */
import type { Millis } from '../../protocol/types.ts';
import type { Confirm } from './overlays.ts';

/**
 * Keys that come within this time of one another are typing. A question takes no answer so soon after it has opened or
 * after another key.
 */
export const typingMs = 400;

export const isTooSoon = ({ openedAt }: { readonly openedAt: Millis }, now: Millis): boolean =>
  now - openedAt < typingMs;

/** Whether a question may be answered: not within the first moments, and only while its message has not changed. */
export function answerTo(confirm: Confirm, textNow: string | null, now: Millis): 'too-soon' | 'changed' | 'valid' {
  if (isTooSoon(confirm, now)) return 'too-soon';
  return confirm.textThen === textNow ? 'valid' : 'changed';
}
