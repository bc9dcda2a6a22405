/** Collects the warnings and errors that a chat would show while a command, which has no screen, carries a change out. */
import type { Notice } from '../../state/model/app-state.ts';
import { isRefusalName, noticeNames } from '../../state/model/screen-state.ts';
import type { AppStore } from '../../state/store.ts';
import { ExitError } from '../process/exit.ts';
import { isAboutFiles } from './storage-troubles.ts';

/** Whether the notice says that the change itself was refused, with which the command ends anyway. */
const isRefusal = ({ about }: Notice): boolean => about === noticeNames.notSent || isRefusalName(about);

/** Whether the notice comes from the reading of the list before the change: it may be about any conversation. */
const isOfList = ({ about }: Notice): boolean => about === noticeNames.unsentText;

/** Whether it is a warning about the change. Every command prints the notices about the files by itself. */
const isOfChange = (notice: Notice): boolean =>
  notice.tone !== 'info' && !isRefusal(notice) && !isAboutFiles(notice) && !isOfList(notice);

export class RaisedNotices {
  readonly #texts = new Set<string>();
  /** Ends the collection. */
  readonly stop: () => void;

  constructor(store: AppStore) {
    const before = new Set(store.getState().screen.notices);
    this.stop = store.subscribe(({ screen }) => {
      for (const notice of screen.notices) if (isOfChange(notice) && !before.has(notice)) this.#texts.add(notice.text);
    });
  }

  /** Raw texts in the order in which they were raised, each once. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /** The error, with what was raised before it. */
  addedTo(error: unknown): unknown {
    if (!(error instanceof ExitError) || this.#texts.size === 0) return error;
    return new ExitError(error.code, error.message, { ...error.details, warnings: this.texts });
  }
}
