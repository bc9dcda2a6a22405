/** Fills the pages about messages and people with what has to be read from the disk, after they have been drawn. */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { AppState } from '../model/app-state.ts';
import type { DetailsOverlay, Findings, MessageVersion, Person, PersonOverlay } from '../model/details.ts';
import type { IncrementalSearch } from '../search/incremental-search.ts';
import { replaceOverlay, topOverlay } from '../view/overlays.ts';

interface FoundVersions extends Pick<DetailsOverlay, 'conversationId' | 'itemId'> {
  readonly versions: readonly MessageVersion[];
  readonly isDone: true;
}

function topDetails(state: AppState): DetailsOverlay | null {
  const top = topOverlay(state);
  return top?.kind === 'details' ? top : null;
}

/** @param read `Session.versions` */
export const versionsSearch = (
  read: (id: ConversationId, messageId: MessageId) => readonly MessageVersion[],
): IncrementalSearch<FoundVersions> => ({
  wanted(state) {
    const top = topDetails(state);
    return top === null || top.versions !== null ? null : JSON.stringify([top.conversationId, top.itemId]);
  },
  async *results(state) {
    const top = topDetails(state);
    if (top === null) return;
    const { conversationId, itemId } = top;
    yield { conversationId, itemId, versions: read(conversationId, itemId), isDone: true };
  },
  publish:
    ({ conversationId, itemId, versions }) =>
    (state) => {
      const top = topDetails(state);
      return top?.itemId === itemId && top.conversationId === conversationId
        ? replaceOverlay({ ...top, versions })(state)
        : state;
    },
});

function topPerson(state: AppState): PersonOverlay | null {
  const top = topOverlay(state);
  return top?.kind === 'person' ? top : null;
}

/** @param find `Session.person` */
export const personSearch = (find: (of: Person) => AsyncIterable<Findings>): IncrementalSearch<Findings> => ({
  wanted(state) {
    const top = topPerson(state);
    return top === null || top.findings?.isDone === true ? null : JSON.stringify(top.of);
  },
  async *results(state) {
    const top = topPerson(state);
    if (top !== null) yield* find(top.of);
  },
  publish: (findings) => (state) => {
    const top = topPerson(state);
    return top?.of.id === findings.of.id && top.of.kind === findings.of.kind
      ? replaceOverlay({ ...top, findings })(state)
      : state;
  },
});
