/** Reads the cached list at a start: first what the screen shows, then the rest in slices that let keys through. */
import type { ConversationId } from '../../../protocol/types.ts';
import {
  type CachedList,
  type CachedPart,
  takeCachedContacts,
  takeCachedList,
} from '../../../state/cache/cached-list.ts';
import { conversationOf } from '../../../state/cache/conversations.ts';
import type { AppState } from '../../../state/model/app-state.ts';
import type { AppStore, Transition } from '../../../state/store.ts';
import { setListRest } from '../../../state/view/connection.ts';
import { unfreezeList } from '../../../state/view/list-place.ts';
import type { CacheDisk, ListDisk } from '../../services/ports.ts';

/** More rows than most screens show. Each costs time before the first frame, most of it to count its unread messages. */
const firstRows = 100;
const firstContacts = 300;
const sliceRows = 400;
/** So many slices enter the state together. */
const slicesEach = 3;

export interface Loading {
  /** Holds the top of the list, and every conversation that is open or has a draft or an op, wherever it is in the list. */
  readonly state: AppState;
  /** Reads the rest into the store; the list says meanwhile that there is more. */
  finish(store: AppStore, pause: () => Promise<void>, isOver: () => boolean): Promise<void>;
}

/** Whether the cache has any conversation, or knows that there are none. Every start makes the file. */
export const isListCached = (disk: Pick<CacheDisk, 'listReading'>, { state }: Pick<Loading, 'state'>): boolean =>
  state.cache.conversations.size > 0 || disk.listReading() !== null;

export function beginLoading(disk: ListDisk, state: AppState): Loading {
  const { readLines, me } = state.local;
  const top = disk.listTop(firstRows, readLines, me);
  const own = disk.listOf(ownConversations(state), readLines, me);
  const contacts = disk.contactsAfter(null, firstContacts);
  const rest = top.hasMore ? 'coming' : 'none';
  const transitions = [takeCachedList(top), takeCachedList(own), takeCachedContacts(contacts), setListRest(rest)];
  return {
    state: transitions.reduce((next, transition) => transition(next), state),
    finish: async (store, pause, isOver) => {
      const take = async (transition: Transition): Promise<void> => {
        await pause();
        if (!isOver()) store.setState(transition);
        await pause();
      };
      let after: ConversationId | null = null;
      let read: CachedPart[] = [];
      for (let { hasMore } = top; hasMore && !isOver(); ) {
        const part: CachedPart = disk.listAfter(after, sliceRows, readLines, me);
        after = part.conversations.at(-1)?.id ?? after;
        hasMore = part.hasMore;
        read.push(part);
        // Every update sorts the list again, which is large by then.
        if (hasMore && read.length < slicesEach) await pause();
        else {
          await take(takeCachedList(joined(read)));
          read = [];
        }
      }
      for (let last = contacts.at(-1); last !== undefined && !isOver(); ) {
        const part = disk.contactsAfter(last.id, sliceRows);
        if (part.length > 0) await take(takeCachedContacts(part));
        last = part.at(-1);
      }
      if (isOver() || rest === 'none') return;
      // The rest was read by id. The rows in sight do not move when the list is sorted again, if the rest is below them.
      store.setState((state) => unfreezeList(setListRest('none')(state)));
    },
  };
}

const joined = (parts: readonly CachedList[]): CachedList => ({
  conversations: parts.flatMap(({ conversations }) => conversations),
  contacts: parts.flatMap(({ contacts }) => contacts),
  lastMessages: parts.flatMap(({ lastMessages }) => lastMessages),
  unread: parts.flatMap(({ unread }) => unread),
});

function ownConversations({ local }: AppState): readonly ConversationId[] {
  const ids = [local.opened, ...local.outbox.map(conversationOf), ...local.drafts.keys()];
  return [...new Set(ids.filter((id) => id !== null))];
}
