/** The versions of messages for the cache in memory, by the same rules as `versions.ts`. */
import { isOfAnotherTime } from '../../protocol/time.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { MessageVersion } from '../../state/model/details.ts';
import { longestVersion, versionLimits } from './versions.ts';

interface SavedVersion extends MessageVersion {
  readonly conversationId: ConversationId;
  readonly id: MessageId;
}

export class MemoryVersions {
  /** Newest first. */
  #all: readonly SavedVersion[] = [];

  save(conversationId: ConversationId, before: Message | undefined, { id, text, createdAt }: Message): void {
    if (before === undefined || before.text === text) return;
    if (before.createdAt !== createdAt) {
      if (isOfAnotherTime(before.createdAt, createdAt)) this.forget(conversationId, [id]);
      return;
    }
    if (Buffer.byteLength(before.text) > longestVersion) return;
    const isSame = (one: SavedVersion): boolean => one.conversationId === conversationId && one.id === id;
    const others = this.#all.filter((one) => !isSame(one) || one.text !== before.text);
    const surplus = others.filter(isSame)[versionLimits.ofMessage - 1];
    const kept = { conversationId, id, text: before.text, until: Date.now() };
    this.#all = [kept, ...others.filter((one) => one !== surplus)].slice(0, versionLimits.all);
  }

  of(conversationId: ConversationId, id: MessageId): readonly MessageVersion[] {
    return this.#all
      .filter((one) => one.conversationId === conversationId && one.id === id)
      .map(({ text, until }) => ({ text, until }));
  }

  /** @param older the versions of `from` that are kept elsewhere, newest first */
  move(conversationId: ConversationId, from: MessageId, to: MessageId, older: readonly MessageVersion[]): void {
    const isMoved = (one: SavedVersion): boolean => one.conversationId === conversationId && one.id === from;
    const moved = this.#all.map((one) => (isMoved(one) ? { ...one, id: to } : one));
    this.#all = [...moved, ...older.map((one) => ({ ...one, conversationId, id: to }))].slice(0, versionLimits.all);
  }

  editedIn(conversationId: ConversationId): readonly MessageId[] {
    return this.#all.filter((one) => one.conversationId === conversationId).map(({ id }) => id);
  }

  /** Without ids: all of the conversation. */
  forget(conversationId: ConversationId, ids?: readonly MessageId[]): void {
    this.#all = this.#all.filter((one) => one.conversationId !== conversationId || ids?.includes(one.id) === false);
  }
}
