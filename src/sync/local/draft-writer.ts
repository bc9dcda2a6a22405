/**
 * Writes drafts when typing pauses, and at the latest two seconds after the first key that is not on disk (R-DRAFT).
 * Finds out when two processes write in the same draft, and keeps the words of both.
 *
 * A conversation has one draft on disk, with all that is unsent in it. A process that has nothing unsaved in a draft shows
 * what the disk holds: whatever another process did with the text, it had read it. Only a process with unsaved words may
 * find on the disk a text that it does not go on from. It writes that text below its own, and as long as the user writes
 * there, the composer does not show it: it is offered.
 */
import type { ConversationId } from '../../protocol/types.ts';
import { eachChange, withEntries } from '../../state/collections/sharded-map.ts';
import { emptyDraft, holdsNothing } from '../../state/composer/draft.ts';
import { draftOf, updateDraft, withOfferedText, withoutBeginning } from '../../state/composer/drafts.ts';
import { isSameDraft, withAddedFiles } from '../../state/local/merge-local.ts';
import type { RecordChange } from '../../state/local/records.ts';
import { hasUnsentContent, unsentTextOf } from '../../state/local/unsent-text.ts';
import type { Draft } from '../../state/model/app-state.ts';
import { patchView } from '../../state/view/view.ts';
import { type LocalServices, refusedPauseMs, type SavedLocal, save } from '../services/durable-write.ts';
import { keyAdvice, showNotice } from '../services/notices.ts';
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
  /** What another process has written in drafts that are written here too. The disk has it below the text of this one. */
  readonly #otherTexts = new Map<ConversationId, string>();
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

  /** Writes what is not on disk yet, with what other processes have written meanwhile: the program may end after it. */
  flushAll(): void {
    this.#takeOver();
    if (this.flush(true)) return;
    this.#takeOver();
    this.flush();
  }

  /** Drafts have changed from `before` to `now`. */
  noteChanges(before: Drafts, now: Drafts): void {
    let isSent = false;
    eachChange(before, now, (id, draft) => {
      const other = this.#otherTexts.get(id);
      if (other === undefined) return;
      if (draft === undefined) isSent = true;
      else if (draft.lastChange === 'yank' && draft.text.includes(other)) this.#otherTexts.delete(id);
    });
    // The record is gone with what was sent, and the other text with it.
    if (isSent) this.flush();
    else this.#flushSoon();
  }

  #flushSoon(): void {
    this.#lastChangeAt = this.#context.clock.monotonic();
    if (this.#cancel !== null) return;
    this.#firstChangeAt = this.#lastChangeAt;
    this.#cancel = this.#context.clock.after(draftPauseMs, this.#flushWhenPaused);
  }

  /**
   * Every draft is on disk when it returns, unless the disk refused. With `ifCurrent` it writes nothing and returns false where
   * another process has written what was not taken over here yet.
   */
  flush(ifCurrent = false): boolean {
    this.#cancel?.();
    this.#cancel = null;
    const drafts = this.#records();
    const held = this.#saved.local.drafts;
    const changes: RecordChange[] = [];
    eachChange(held, drafts, (id, draft) => {
      if (isSaved(held.get(id), draft)) return;
      changes.push(['drafts', id, draft === undefined || holdsNothing(draft) ? null : draft]);
    });
    let isCurrent = true;
    const write = (): void => {
      isCurrent = this.#context.outbox.saveRecords(changes, ifCurrent);
    };
    const isDone = changes.length === 0 || save(this.#context, write);
    if (!isCurrent) return false;
    if (isDone) this.#saved.local = { ...this.#saved.local, drafts };
    else this.#offerAgain();
    const isText = ([, id]: RecordChange): boolean => hasUnsentContent(drafts.get(id) ?? emptyDraft);
    this.#noteUnsaved(isDone ? 0 : changes.filter(isText).length);
    return true;
  }

  /** The drafts as they are to be on disk. */
  #records(): Drafts {
    const { drafts } = stateOf(this.#context).local;
    const joined = [...this.#otherTexts].map(
      ([id, other]) => [id, withTextBelow(drafts.get(id) ?? emptyDraft, other)] as const,
    );
    return joined.length === 0 ? drafts : withEntries(drafts, joined);
  }

  /** Quitting asks about drafts that would be lost. */
  #noteUnsaved(unsavedDrafts: number): void {
    update(this.#context, (state) =>
      (state.view.unsavedDrafts ?? 0) === unsavedDrafts ? state : patchView(state, { unsavedDrafts }),
    );
  }

  /**
   * Compares what another process has put on disk with what is being written here, before it is taken over.
   *
   * @returns the conversations whose drafts stay as they are here
   */
  detectDraftConflicts(disk: Drafts): ReadonlySet<ConversationId> {
    const { local, view } = stateOf(this.#context);
    const known = this.#saved.local.drafts;
    const unsaved = new Set<ConversationId>();
    eachChange(known, this.#records(), (id, record) => {
      if (!isSameRecord(known.get(id), record)) unsaved.add(id);
    });
    const kept = new Set<ConversationId>();
    for (const id of new Set([...unsaved, ...this.#otherTexts.keys()])) {
      const [mine, before, theirs] = [local.drafts.get(id), known.get(id), disk.get(id)];
      const isUnsaved = unsaved.has(id);
      const isChanged = !isSameRecord(before, theirs);
      if (isChanged && isUnsaved && mine !== undefined && !holdsNothing(mine)) this.#offerOtherText(id, theirs, before);
      else if (isChanged || (!isUnsaved && view.openId !== id)) {
        this.#otherTexts.delete(id);
        continue;
      }
      kept.add(id);
    }
    return kept;
  }

  /** Offers the text of the other process to the user. Its files cannot be offered, and are attached here at once. */
  #offerOtherText(id: ConversationId, theirs: Draft = emptyDraft, before: Draft = emptyDraft): void {
    const mine = draftOf(stateOf(this.#context), id);
    const earlier = this.#otherTexts.get(id) ?? '';
    const own = without(unsentTextOf(before), earlier);
    if (holdsNothing(theirs)) this.#dropWhatIsGone(id, own);
    const text = without(without(unsentTextOf(theirs), unsentTextOf(mine)), own);
    if (text === '') this.#otherTexts.delete(id);
    else this.#otherTexts.set(id, text);
    update(
      this.#context,
      updateDraft(id, (draft) => withAddedFiles(withOfferedText(draft, text, earlier), theirs, before)),
    );
    if (text === earlier || text === '') return;
    const advice = keyAdvice(this.#context, 'text.yank', 'puts its text here');
    showNotice(this.#context, 'warning', `draft ${id}`, `Another msg-tui writes in this conversation, too${advice}.`);
  }

  /**
   * The other process has sent, or erased, what the disk held of the draft, while the user typed on in it here: what is left
   * is what was typed since. With the rest it would be sent twice.
   */
  #dropWhatIsGone(id: ConversationId, gone: string): void {
    const before = stateOf(this.#context).local.drafts;
    update(
      this.#context,
      updateDraft(id, (draft) => withoutBeginning(draft, gone)),
    );
    if (stateOf(this.#context).local.drafts === before) return;
    const advice = keyAdvice(this.#context, 'text.undo', 'brings it back');
    const text = `Another msg-tui has sent or erased what stood here before${advice}.`;
    showNotice(this.#context, 'warning', `draft ${id}`, text);
  }

  /** One timer for all keys: it is moved on when it fires, not with every key. */
  readonly #flushWhenPaused = (): void => {
    const { clock } = this.#context;
    const now = clock.monotonic();
    const at = Math.min(this.#lastChangeAt + draftPauseMs, this.#firstChangeAt + draftMostMs);
    if (at <= now) this.flushAll();
    else this.#cancel = clock.after(at - now, this.#flushWhenPaused);
  };

  /** Writes the drafts that the disk refused again after a while, whether a key is pressed or not. */
  #offerAgain(): void {
    if (!this.#isRunning) return;
    this.#cancelRetry ??= this.#context.clock.after(refusedPauseMs, () => {
      this.#cancelRetry = null;
      this.flushAll();
    });
  }
}

/** `text` without the lines of `known`, where it holds them in one piece. */
function without(text: string, known: string): string {
  const at = known === '' ? -1 : `\n${text}\n`.indexOf(`\n${known}\n`);
  if (at < 0) return text;
  const around = [text.slice(0, Math.max(at - 1, 0)), text.slice(at + known.length + 1)];
  return around.filter((part) => part !== '').join('\n');
}

/** Puts `other` below the text, or below what comes back when the edit of a message ends. */
function withTextBelow(draft: Draft, other: string): Draft {
  const { editing } = draft;
  const written = editing === null ? draft.text : (editing.stash ?? '');
  const text = written === '' ? other : `${written}\n${other}`;
  return editing === null ? { ...draft, text } : { ...draft, editing: { ...editing, stash: text } };
}

const isSaved = (held: Draft | undefined, record: Draft | undefined): boolean =>
  isSameRecord(held, record) && (held === undefined || record === undefined || held.cursor === record.cursor);

/** The disk has no record of a draft with nothing in it. */
const isSameRecord = (a: Draft = emptyDraft, b: Draft = emptyDraft): boolean => isSameDraft(a, b);
