/**
 * Messages of which the server says that they were updated, though their words were seen to stay: a reaction did it. Some
 * servers set `updated_at` then (server-differences: Time of an update), and say so still when the reaction is taken back.
 */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { withEntry } from '../collections/sharded-map.ts';
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

/** So many of one conversation are remembered. */
const mostOfOne = 200;

/** Without `updated_at`, or with one that says nothing: some servers set it to the time of the creation. */
export const isUpdated = ({ createdAt, updatedAt }: Message): boolean =>
  updatedAt !== null && createdAt !== null && updatedAt > createdAt;

/** Whether `now` is marked as updated since `before`, with the same words. */
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
