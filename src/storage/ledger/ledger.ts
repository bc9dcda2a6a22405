/**
 * Writes the ledger of a profile: one file of JSON lines for each day (UTC), to which several programs append. Lines are
 * collected and written together, so that no key waits for the disk. An error of the disk never reaches the caller: the
 * lines are counted, and the count is written as soon as the disk takes lines again.
 */
import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDirectory } from '../sqlite/private-files.ts';
import { type LedgerEntry, lineOf } from './entry.ts';

export interface LedgerOptions {
  /** How many days lines are kept; 0: nothing is written, and what is there is removed. */
  readonly keepDays: () => number;
  /** Whether the directory may be made; false once the profile was renamed or removed, which would get an old name back. */
  readonly mayMake?: () => boolean;
  readonly now?: () => number;
  readonly writeEveryMs?: number;
}

const dayMs = 86_400_000;
const usualWriteEveryMs = 2_000;
/** When this many lines are collected, they are written before the timer fires, so that they do not fill the memory. */
const mostCollected = 500;

export const ledgerDirectory = (cacheDirectory: string): string => join(cacheDirectory, 'ledger');

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const isLedgerFile = (name: string): boolean => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name);

export class Ledger {
  readonly #directory: string;
  readonly #options: LedgerOptions;
  #collected: LedgerEntry[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The day and the number of days for which old files were removed last. */
  #tidied = '';
  #isClosed = false;

  /** @param cacheDirectory the directory of the profile's cache */
  constructor(cacheDirectory: string, options: LedgerOptions) {
    this.#directory = ledgerDirectory(cacheDirectory);
    this.#options = options;
  }

  add(entry: LedgerEntry): void {
    if (this.#isClosed) return;
    this.#collected.push(entry);
    if (this.#collected.length >= mostCollected) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#options.writeEveryMs ?? usualWriteEveryMs).unref();
  }

  /** Writes what was collected. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const entries = this.#collected;
    this.#collected = [];
    if (entries.length === 0) return;
    try {
      this.#tidy();
      if (this.#options.keepDays() > 0) this.#write(entries);
    } catch {
      this.#lost += entries.length;
      // The directory may have been removed meanwhile.
      this.#tidied = '';
    }
  }

  /** Writes what was collected, and takes no more. */
  close(): void {
    this.flush();
    this.#isClosed = true;
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** Writes all lines in one call, so that the lines of several programs do not mix. */
  #write(entries: readonly LedgerEntry[]): void {
    const lost = this.#lost === 0 ? '' : lineOf({ kind: 'lost', at: this.#now, count: this.#lost });
    const file = join(this.#directory, `${dayOf(this.#now)}.jsonl`);
    appendFileSync(file, lost + entries.map(lineOf).join(''), { mode: 0o600 });
    this.#lost = 0;
  }

  /** Removes old files, once a day and after a change of the setting. */
  #tidy(): void {
    const days = this.#options.keepDays();
    const state = `${dayOf(this.#now)} ${days}`;
    if (state === this.#tidied) return;
    if (days > 0) {
      if (this.#options.mayMake?.() === false) throw new Error('the profile is gone');
      prepareDirectory(this.#directory);
    }
    removeOld(this.#directory, days, this.#now);
    this.#tidied = state;
  }
}

/** Removes the files of days that are over for longer than `days`. */
function removeOld(directory: string, days: number, now: number): void {
  if (!existsSync(directory)) return;
  const oldest = days === 0 ? '9999' : dayOf(now - days * dayMs);
  for (const name of readdirSync(directory))
    if (isLedgerFile(name) && name.slice(0, 10) < oldest) rmSync(join(directory, name), { force: true });
}
