/** Writes what exists only here to the disk as it changes: read lines, names, who I am, traits; drafts half a second later. */
import type { AppState, Draft, Local } from '../state/state.ts';
import type { Transition } from '../state/store.ts';
import { durably, type SyncContext, stateOf } from './context.ts';

export interface LocalKeeper {
  /** Drafts are on disk when it returns. */
  flush(): void;
  stop(): void;
}

const draftDelayMs = 500;
const consequence = 'Not saved on this machine:';

/** Drafts wait no longer than half a second after the first change (reliability.md R-DRAFT). */
export function keepLocal(context: SyncContext): LocalKeeper {
  let saved = stateOf(context).local;
  let cancel: (() => void) | null = null;

  const flushDrafts = (): void => {
    cancel?.();
    cancel = null;
    const { drafts } = stateOf(context).local;
    const held = saved.drafts;
    saved = { ...saved, drafts };
    eachChange(held, drafts, (id, draft) => {
      if (!isSameText(held.get(id), draft)) save(() => context.outbox.saveDraft(id, draft ?? null));
    });
  };
  const save = (write: () => void): void => {
    durably(context, 'local', consequence, write);
  };
  const follow = ({ local }: AppState): void => {
    const before = saved;
    saved = { ...local, drafts: before.drafts };
    if (local.readLines !== before.readLines)
      eachChange(before.readLines, local.readLines, (id, line) =>
        save(() => context.outbox.saveReadLine(id, line ?? null)),
      );
    if (local.names !== before.names)
      eachChange(before.names, local.names, (id, name) => save(() => context.outbox.saveName(id, name ?? null)));
    if (local.opened !== before.opened) save(() => context.outbox.saveOpened(local.opened));
    if (local.me !== before.me) save(() => context.outbox.saveMe(local.me));
    if (local.traits !== before.traits) save(() => context.outbox.saveTraits(local.traits));
    if (local.drafts !== before.drafts) cancel ??= context.clock.after(draftDelayMs, flushDrafts);
  };

  const unsubscribe = context.store.subscribe(follow);
  return {
    flush: flushDrafts,
    stop: () => {
      unsubscribe();
      flushDrafts();
    },
  };
}

function eachChange<K, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  change: (key: K, value: V | undefined) => void,
): void {
  if (before === after) return;
  for (const [key, value] of after) if (before.get(key) !== value) change(key, value);
  for (const key of before.keys()) if (!after.has(key)) change(key, undefined);
}

const isSameText = (a: Draft | undefined, b: Draft | undefined): boolean =>
  a?.text === b?.text && a?.cursor === b?.cursor;

/** The draft goes in the update that brings the op made from it. */
export const withoutDraft =
  (id: string | undefined): Transition =>
  (state) => {
    if (id === undefined || !state.local.drafts.has(id)) return state;
    const drafts = new Map(state.local.drafts);
    drafts.delete(id);
    const local: Local = { ...state.local, drafts };
    return { ...state, local };
  };
