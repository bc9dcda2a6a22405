/** Removes messages that the newest page lacks, once the server says of each one that it is gone. */
import { isAddressable } from '../../../protocol/fields.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { removeDeleted } from '../../merge/merge-page.ts';
import { askedAtOnce, type ConfirmedItems, isConfirmed, isGone } from '../../read/absent-items.ts';
import { findMessage } from '../../read/read-message.ts';
import { isWithinLagWindow, isWithinLagWindowOfSend } from '../../read/within-lag-window.ts';
import type { Services } from '../../services/services.ts';

/** What the server has said about messages that its pages lacked, by times on the monotonic clock. */
export interface AbsentMessages {
  readonly confirmed: ConfirmedItems<MessageId>;
  /** Since when it has said of a new message that it is gone. */
  readonly goneSince: Map<MessageId, number>;
}

/** For so long the server has to say of a new message that it is gone. */
const goneForMs = 8_000;

export interface Absence {
  readonly id: ConversationId;
  /** The messages that the page lacks. */
  readonly missing: readonly Message[];
  readonly page: readonly Message[];
  /** Taken from the write tracker before the page was requested. */
  readonly mark: number;
}

/**
 * Asks the server about messages that its page lacks and removes those that are gone. A message whose id cannot be
 * part of an address cannot be asked about, so it is removed at once. One that was just sent is left alone, because
 * reads may lag behind writes. Rejects with ApiError.
 *
 * @returns how many were removed
 */
export async function removeAbsent(
  context: Services,
  { confirmed, goneSince }: AbsentMessages,
  { id, missing, page, mark }: Absence,
): Promise<number> {
  const now = context.clock.monotonic();
  const suspects = missing.filter(
    (message) =>
      !context.writes.overlapsSince(mark, `message ${message.id}`) &&
      !isWithinLagWindowOfSend(context, message) &&
      !isConfirmed(confirmed, message.id, now),
  );
  const gone: MessageId[] = suspects.filter((message) => !isAddressable(message.id)).map((message) => message.id);
  for (const message of suspects.filter((one) => isAddressable(one.id)).slice(-askedAtOnce)) {
    if (!(await isGone(async () => (await findMessage(context, message.id)) !== null))) {
      goneSince.delete(message.id);
      confirmed.set(message.id, now);
    } else if (mayNotShowYet(context, message, page) && now - (goneSince.get(message.id) ?? now) < goneForMs)
      goneSince.set(message.id, goneSince.get(message.id) ?? now);
    else gone.push(message.id);
  }
  for (const one of gone) goneSince.delete(one);
  if (gone.length > 0) removeDeleted(context, id, gone);
  return gone.length;
}

/** Whether another copy of the server, which lags behind, may have given the page: it shows nothing newer than the message. */
const mayNotShowYet = (context: Services, { createdAt }: Message, page: readonly Message[]): boolean =>
  isWithinLagWindow(context, createdAt) && !page.some((row) => (row.createdAt ?? 0) > (createdAt ?? 0));
