/** The cache as the program sees it: on disk while that works, then in memory. It never throws; a failure is reported once. */
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { DiskCache } from './disk-cache.ts';
import { type CacheStore, memoryCache } from './memory-cache.ts';

/** How cache.db is opened and put aside. Tests put failing disks here. */
export interface CacheFile {
  open(): DiskCache;
  /** Renames the damaged file. Returns its new name. */
  putAside(): string;
}

/** The cache does not go back to the disk in the same run, even where the cause is gone, as after space was freed. */
const lasting = 'In this run, new messages are kept in memory only.';

const operations = Object.getOwnPropertyNames(DiskCache.prototype).filter((name) => name !== 'constructor');

/** Every operation of `DiskCache`, carried out by the cache that is in use. */
export function resilientCache(file: CacheFile, onTrouble: (error: StorageError) => void): CacheStore {
  const inUse = new CacheInUse(file, onTrouble);
  const forward = (name: string) => {
    const work = (cache: CacheStore, args: readonly unknown[]) =>
      Reflect.apply(cache[name as keyof CacheStore], cache, args);
    return [name, (...args: readonly unknown[]) => inUse.run((cache) => work(cache, args))] as const;
  };
  return { ...(Object.fromEntries(operations.map(forward)) as CacheStore), close: inUse.close };
}

/**
 *     disk ──damaged──► put aside, rebuilt on disk   (once a run)
 *       └───anything else, or damaged again──► memory over what can still be read
 */
class CacheInUse {
  readonly #file: CacheFile;
  readonly #onTrouble: (error: StorageError) => void;
  #cache: CacheStore;
  /** The open cache.db, which memory reads too; null when it could not be opened. */
  #disk: DiskCache | null = null;
  #isInMemory = false;
  #wasRebuilt = false;

  constructor(file: CacheFile, onTrouble: (error: StorageError) => void) {
    this.#file = file;
    this.#onTrouble = onTrouble;
    try {
      this.#disk = file.open();
      this.#cache = this.#disk;
    } catch (error) {
      this.#cache = memoryCache();
      this.#recover(error);
    }
  }

  run<T>(work: (cache: CacheStore) => T): T {
    // Three attempts at most: the file, the rebuilt file, and memory, which does not throw.
    for (;;) {
      try {
        return work(this.#cache);
      } catch (error) {
        if (this.#isInMemory) throw error;
        this.#recover(error);
      }
    }
  }

  readonly close = (): void => {
    try {
      this.#disk?.close();
    } catch {
      // What was written is on the disk; the rest can be fetched again.
    }
  };

  #recover(error: unknown): void {
    const problem = toStorageError(error, 'The message cache cannot be used');
    if (problem.kind === 'corrupt' && !this.#wasRebuilt && this.#rebuild()) return;
    this.#isInMemory = true;
    this.#cache = memoryCache(this.#disk ?? undefined);
    this.#onTrouble(new StorageError(problem.kind, `${problem.message} ${lasting}`));
  }

  #rebuild(): boolean {
    let aside: string;
    try {
      this.close();
      this.#disk = null;
      aside = this.#file.putAside();
      this.#wasRebuilt = true;
      this.#disk = this.#file.open();
      this.#cache = this.#disk;
    } catch {
      return false;
    }
    const line = `The message cache was damaged and is built anew; the old one is ${aside}.`;
    this.#onTrouble(new StorageError('corrupt', line));
    return true;
  }
}
