/**
 * Writes drafts when typing pauses, and at the latest two seconds after the first key that is not on disk (R-DRAFT).
 * Finds out when two processes write in the same draft, and keeps the words of both.
 *
 * A conversation has one draft on disk, which holds what the process that wrote last has in its composer. Each process
 * keeps the text of the other one in memory, and puts it below its own when it ends. The record does not say whose words it
 * holds, so they are recognised by comparison: a text that this process has joined to the record itself, one that the other
 * process has sent since, one that is in the record already.
 *
 * A record for each process would spare these comparisons. But everything that reads drafts (the list, the commands, the
 * recovery of a damaged file, earlier versions) would have to join the records, and that of a process that was killed
 * would have to be found and given to another one. A revision number would only say that another process has written. That
 * is known without it, and it does not say which of the words have to be kept.
 */
import type { ConversationId } from '../../protocol/types.ts';
import { eachChange } from '../../state/collections/sharded-map.ts';
import { emptyDraft, holdsNothing } from '../../state/composer/draft.ts';
import { updateDraft, withOfferedText } from '../../state/composer/drafts.ts';
import { isSameDraft, withAddedFiles } from '../../state/local/merge-local.ts';
import type { RecordChange } from '../../state/local/records.ts';
import { hasContent } from '../../state/local/unsent-text.ts';
import type { Draft, Local, OpAction } from '../../state/model/app-state.ts';
import { patchView } from '../../state/view/view.ts';
import { type LocalServices, refusedPauseMs, type SavedLocal, saveRecords } from '../services/durable-write.ts';
import { keyAdvice, notify } from '../services/notices.ts';
import { stateOf, update } from '../services/services.ts';

type Drafts = ReadonlyMap<ConversationId, Draft>;

/** A draft is written when no key was pressed for this long. */
const draftPauseMs = 400;
/** While typing goes on, drafts are written at least this often. */
const draftMostMs = 2_000;

export class DraftWriter {
  readonly #context: LocalServices;
  readonly #saved: SavedLocal;
  readonly #takeOver: () => void;
  /** Drafts in which a key was pressed here since they were read. */
  readonly #typed = new Set<ConversationId>();
  /** What another process has written in drafts that are being written here too. */
  readonly #conflicting = new Map<ConversationId, Draft>();
  #cancel: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #isRunning = false;
  /** When the first and the last change that is not on disk yet was made, on the monotonic clock. */
  #firstChangeAt = 0;
  #lastChangeAt = 0;

  /** @param takeOver takes over what other processes have written, if they have: what is unknown here must not be replaced */
  constructor(context: LocalServices, saved: SavedLocal, takeOver: () => void) {
    this.#context = context;
    this.#saved = saved;
    this.#takeOver = takeOver;
  }

  start(): void {
    this.#isRunning = true;
  }

  stop(): void {
    this.#isRunning = false;
    this.flushAll();
    this.#cancelRetry?.();
  }

  /** Writes what is not on disk yet, with the words of other processes that would be lost: the program may end after it. */
  flushAll(): void {
    this.#takeOver();
    this.#mergeConflictingDrafts();
    this.flush();
  }

  /** Drafts have changed from `before` to `now`. */
  noteChanges(before: Drafts, now: Drafts): void {
    let isBeside = false;
    eachChange(before, now, (id, draft) => {
      if (draft) this.#typed.add(id);
      else this.#typed.delete(id);
      isBeside ||= draft === undefined && this.#conflicting.has(id);
    });
    // The record is gone with what was sent, and the other process writes it again only while it is open there.
    if (isBeside) this.flush();
    else this.#flushSoon();
  }

  #flushSoon(): void {
    this.#lastChangeAt = this.#context.clock.monotonic();
    if (this.#cancel !== null) return;
    this.#firstChangeAt = this.#lastChangeAt;
    this.#cancel = this.#context.clock.after(draftPauseMs, this.#flushWhenPaused);
  }

  /** Every draft is on disk when it returns, unless the disk refused. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const { drafts } = stateOf(this.#context).local;
    const held = this.#saved.local.drafts;
    const changes: RecordChange[] = [];
    eachChange(held, drafts, (id, draft) => {
      const theirs = this.#conflicting.get(id);
      // Where all was sent or erased here, what another process has written stays.
      const kept = draft === undefined || isEmptyDraft(draft) ? theirs : draft;
      const isRemoved = draft === undefined && theirs !== undefined;
      if (isRemoved || !isSaved(held.get(id), kept)) changes.push(['drafts', id, kept ?? null]);
    });
    const isDone = saveRecords(this.#context, changes);
    if (isDone) this.#saved.local = { ...this.#saved.local, drafts };
    else this.#offerAgain();
    const isText = ([, id]: RecordChange): boolean => hasContent(drafts.get(id) ?? emptyDraft);
    this.#noteUnsaved(isDone ? 0 : changes.filter(isText).length);
  }

  /** Quitting asks about drafts that would be lost. */
  #noteUnsaved(unsavedDrafts: number): void {
    update(this.#context, (state) =>
      (state.view.unsavedDrafts ?? 0) === unsavedDrafts ? state : patchView(state, { unsavedDrafts }),
    );
  }

  /** True for a draft that is being written: it is open here, or the disk does not have it as it is here. */
  readonly isTyped = (id: ConversationId): boolean => {
    if (!this.#typed.has(id)) return false;
    const { view, local } = stateOf(this.#context);
    if (view.openId === id || !isSaved(this.#saved.local.drafts.get(id), local.drafts.get(id))) return true;
    this.#typed.delete(id);
    return false;
  };

  /** Compares what another process has put on disk with what is being written here, before it is taken over. */
  detectDraftConflicts({ drafts, outbox }: Pick<Local, 'drafts' | 'outbox'>): void {
    const held = stateOf(this.#context).local.drafts;
    // A draft that is not written here follows the disk: what is there need not be remembered, nor what has been sent. Where
    // nothing is left here, the text was put on the disk, and what became of it there is up to the other process.
    for (const [id, { text }] of this.#conflicting) {
      const isOnDisk = !held.has(id) || drafts.get(id)?.text.includes(text) === true;
      if ((isOnDisk && !this.isTyped(id)) || outbox.some(({ action }) => isSending(action, id, text)))
        this.#conflicting.delete(id);
    }
    for (const id of [...this.#typed].filter(this.isTyped)) {
      const theirs = drafts.get(id);
      const before = this.#saved.local.drafts.get(id);
      if (theirs === undefined) {
        this.#conflicting.delete(id);
        // The other process has sent or erased its text, and with it the record of this one.
        this.#flushSoon();
      } else if (before === undefined || !isSameDraft(theirs, before)) this.#offerOtherText(id, theirs, before);
    }
  }

  /** Offers the text of the other process to the user. Its files cannot be offered, and are attached here at once. */
  #offerOtherText(id: ConversationId, theirs: Draft, before: Draft | undefined): void {
    const mine = stateOf(this.#context).local.drafts.get(id);
    const earlier = this.#conflicting.get(id)?.text ?? '';
    const text = otherText(theirs, mine, before, earlier);
    if (text === '') this.#conflicting.delete(id);
    else this.#conflicting.set(id, { ...theirs, text });
    update(
      this.#context,
      updateDraft(id, (draft) => withAddedFiles(withOfferedText(draft, text, earlier), theirs, before)),
    );
    if (text === earlier) return;
    const advice = keyAdvice(this.#context, 'text.yank', 'puts its text here');
    notify(this.#context, 'warning', `draft ${id}`, `Another msg-tui writes in this conversation, too${advice}.`);
  }

  /**
   * The text of the other draft must not be lost: it is put below that of this process, or below what comes back when the
   * edit of a message ends. Its files were attached to the draft of this process when the conflict was found, and may have
   * been sent or removed since. Where nothing is left here, the disk has it already.
   */
  #mergeConflictingDrafts(): void {
    for (const [id, theirs] of this.#conflicting)
      if (stateOf(this.#context).local.drafts.has(id))
        update(
          this.#context,
          updateDraft(id, (mine) => withTextBelow(mine, theirs.text)),
        );
    this.#conflicting.clear();
  }

  /** One timer for all keys: it is moved on when it fires, not with every key. */
  readonly #flushWhenPaused = (): void => {
    const { clock } = this.#context;
    const now = clock.monotonic();
    const at = Math.min(this.#lastChangeAt + draftPauseMs, this.#firstChangeAt + draftMostMs);
    if (at <= now) this.#flushKnown();
    else this.#cancel = clock.after(at - now, this.#flushWhenPaused);
  };

  /** Writes the drafts that the disk refused again after a while, whether a key is pressed or not. */
  #offerAgain(): void {
    if (!this.#isRunning) return;
    this.#cancelRetry ??= this.#context.clock.after(refusedPauseMs, () => {
      this.#cancelRetry = null;
      this.#flushKnown();
    });
  }

  #flushKnown(): void {
    this.#takeOver();
    this.flush();
  }
}

const isSending = (action: OpAction, id: ConversationId, text: string): boolean =>
  action.kind === 'message.send' && action.conversationId === id && action.text.trim() === text.trim();

/**
 * What is not in the composer of this process: `theirs`, without the words of this process.
 *
 * @param before the record as this process has read or written it last
 * @param earlier what was not in its composer before
 */
function otherText(theirs: Draft, mine: Draft | undefined, before: Draft | undefined, earlier: string): string {
  const [own, written] = [mine?.text ?? '', before?.text ?? ''];
  if (own !== '' && theirs.text === own) return earlier;
  const text = withoutBelow(withoutBelow(theirs.text, own), written);
  // A process in which the conversation is not open shows the text that this one has put in the place of its own, and goes on
  // from there. Its own text is known to this process alone.
  const isFollowed = written !== '' && text.includes(written) && !text.includes(earlier);
  return isFollowed ? `${text}\n${earlier}` : text;
}

/** A process that ends puts the text of this one below its own; here it would come twice. */
const withoutBelow = (text: string, known: string): string =>
  known !== '' && text.endsWith(`\n${known}`) ? text.slice(0, -known.length - 1) : text;

function withTextBelow(mine: Draft, theirs: string): Draft {
  const { editing } = mine;
  const written = editing === null ? mine.text : (editing.stash ?? '');
  if (mine.text.includes(theirs) || written.includes(theirs)) return mine;
  const text = written === '' ? theirs : `${written}\n${theirs}`;
  return editing === null ? { ...mine, text } : { ...mine, editing: { ...editing, stash: text } };
}

const isSaved = (a: Draft | undefined, b: Draft | undefined): boolean => {
  if (a === undefined || b === undefined) return a === b || isEmptyDraft(a ?? b);
  return a.cursor === b.cursor && isSameDraft(a, b);
};

const isEmptyDraft = (draft: Draft | undefined): boolean => draft !== undefined && holdsNothing(draft);
