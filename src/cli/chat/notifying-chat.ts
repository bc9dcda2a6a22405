/**
 * Lets one of several chats on an account notify of a message: the one that was used last, as the user is most likely to be
 * at its terminal. Another one may have been the first to read the message, or the only one, and the last one may have
 * ended. So the others wait a moment, and then the first that asks for a message gets it.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeNewFile } from '../../config/atomic-write.ts';
import { readNote, writeNote } from '../../config/notes.ts';
import type { MessageId } from '../../protocol/types.ts';
import { systemClock } from '../../sync/services/clock.ts';
import type { InputEvent } from '../../terminal/events.ts';

export interface NotifyingChatOptions {
  /** A directory of the account; null where nothing is to be written. */
  readonly directory: string | null;
  readonly pid?: number;
  readonly monotonic?: () => number;
  /** Calls back after what is done now, so that a key is shown before. */
  readonly after?: (callback: () => void) => void;
}

/** Holds the number of the process that was used last. */
const file = 'used-last';
/** The shortest time between two looks at the file. */
const everyMs = 1_000;
/**
 * How much later than the chat that was used last another one asks: longer than that one may put a notification off, as it
 * pauses for two seconds between two rounds.
 */
const laterMs = 2_500;
/** A directory with a file for each message that a chat has notified of lately, and how long the file is kept. */
const notified = 'notified';
const keptMs = 600_000;

export class NotifyingChat {
  readonly #options: NotifyingChatOptions;
  readonly #pid: number;
  readonly #monotonic: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isOver = false;

  constructor(options: NotifyingChatOptions) {
    this.#options = options;
    this.#pid = options.pid ?? process.pid;
    this.#monotonic = options.monotonic ?? systemClock.monotonic;
  }

  /** To be called with everything that comes from the terminal. */
  note(event: InputEvent): void {
    if (event.type !== 'reply' && (event.type !== 'focus' || event.focused)) this.use();
  }

  use(): void {
    const now = this.#monotonic();
    if (this.#isOver || now - this.#lookedAt < everyMs) return;
    this.#lookedAt = now;
    const { after = (callback) => void setTimeout(callback, 1).unref() } = this.#options;
    after(() => {
      if (!this.#isOver && this.#usedLast() !== this.#pid) this.#write(String(this.#pid));
    });
  }

  /** How long the notification is to wait for another chat. */
  delayMs(): number {
    const last = this.#usedLast();
    return last === null || last === this.#pid ? 0 : laterMs;
  }

  /** @returns those of the messages of which another chat has notified, as far as that can be known */
  notifiedElsewhere(ids: readonly MessageId[]): ReadonlySet<MessageId> {
    const { directory } = this.#options;
    return new Set(directory === null ? [] : ids.filter((id) => existsSync(fileOf(directory, id))));
  }

  /** @returns the messages that no other chat has claimed; all of them where that cannot be known */
  claim(ids: readonly MessageId[]): ReadonlySet<MessageId> {
    const { directory } = this.#options;
    if (directory === null) return new Set(ids);
    try {
      mkdirSync(join(directory, notified), { recursive: true, mode: 0o700 });
      dropOld(join(directory, notified));
    } catch {
      return new Set(ids);
    }
    return new Set(ids.filter((id) => isFirst(fileOf(directory, id))));
  }

  /** Call when the chat leaves the account. */
  end(): void {
    this.#isOver = true;
    if (this.#usedLast() === this.#pid) this.#write('');
  }

  #usedLast(): number | null {
    const { directory } = this.#options;
    return directory === null ? null : readNote(directory, file, (text) => Number.parseInt(text, 10) || null);
  }

  #write(text: string): void {
    const { directory } = this.#options;
    if (directory !== null) writeNote(directory, file, text);
  }
}

const fileOf = (directory: string, id: MessageId): string =>
  join(directory, notified, createHash('sha256').update(id).digest('hex'));

/** @returns false when another chat was faster; true also where the file cannot be made, as the user is to be told once at least */
function isFirst(path: string): boolean {
  try {
    return makeNewFile(path);
  } catch {
    return true;
  }
}

function dropOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMs) rmSync(path, { force: true });
  }
}
