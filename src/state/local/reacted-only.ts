/**
 * Remembers messages that the server calls updated although their texts stayed the same: a reaction caused that. Some
 * servers set `updated_at` then (server-differences: Time of an update), and say so still when the reaction is taken back.
 */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** The most messages of one conversation that are remembered. */
const mostOfOne = 200;

/** Whether the message was updated after its creation; some servers set `updated_at` to the time of the creation. */
export const isUpdated = ({ createdAt, updatedAt }: Message): boolean =>
  updatedAt !== null && createdAt !== null && updatedAt > createdAt;

/** Whether `now` is marked as updated since `before`, with the same text. */
export const isReactedOnly = (before: Message, now: Message): boolean =>
  before.text === now.text && !isUpdated(before) && isUpdated(now);

export const noteReactedOnly =
  (id: ConversationId, messages: readonly MessageId[]): Transition =>
  (state) => {
    if (messages.length === 0) return state;
    const held = reactedOnly(state, id).filter((one) => !messages.includes(one));
    const kept = [...held, ...messages].slice(-mostOfOne);
    return patchLocal(state, { reactedOnly: withEntry(state.local.reactedOnly, id, kept) });
  };

export const reactedOnly = (state: AppState, id: ConversationId): readonly MessageId[] =>
  state.local.reactedOnly.get(id) ?? none;

const none: readonly MessageId[] = [];
