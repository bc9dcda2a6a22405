/**
 * The cache as the program sees it: on disk while the disk works, in memory when it does not. It never throws; what went
 * wrong stands in `status`.
 */
import { StorageError, toStorageError } from '../sqlite/errors.ts';
import { DiskCache } from './disk-cache.ts';
import { type Cache, memoryCache } from './memory-cache.ts';

export interface CacheStatus {
  /** Why the cache is kept in memory only; null while it is kept on disk. */
  readonly memoryOnly: StorageError | null;
  /** Name of the damaged file that was put aside when the cache was rebuilt; null when the file was whole. */
  readonly rebuiltFrom: string | null;
}

export interface StoredCache extends Cache {
  readonly status: CacheStatus;
}

/** How cache.db is opened and put aside. Tests put failing disks here. */
export interface CacheFile {
  open(): DiskCache;
  /** Renames the damaged file. Returns its new name. */
  putAside(): string;
}

const operations = Object.getOwnPropertyNames(DiskCache.prototype).filter((name) => name !== 'constructor');

/** Every operation of `DiskCache`, carried out by the cache that is in use. */
export function storedCache(file: CacheFile, onTrouble: (error: StorageError) => void): StoredCache {
  const inUse = new CacheInUse(file, onTrouble);
  const forward = (name: string) => {
    const work = (cache: Cache, args: readonly unknown[]) => Reflect.apply(cache[name as keyof Cache], cache, args);
    return [name, (...args: readonly unknown[]) => inUse.run((cache) => work(cache, args))] as const;
  };
  const forwarded = Object.fromEntries(operations.map(forward)) as unknown as Cache;
  return {
    ...forwarded,
    get status() {
      return inUse.status;
    },
    close: inUse.close,
  };
}

/**
 *     disk ──damaged──► put aside, rebuilt on disk   (once a run)
 *       └───anything else, or damaged again──► memory over what can still be read
 */
class CacheInUse {
  readonly #file: CacheFile;
  readonly #onTrouble: (error: StorageError) => void;
  #cache: Cache;
  /** The open cache.db; null when it could not be opened. */
  #disk: DiskCache | null = null;
  #memoryOnly: StorageError | null = null;
  #rebuiltFrom: string | null = null;

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

  get status(): CacheStatus {
    return { memoryOnly: this.#memoryOnly, rebuiltFrom: this.#rebuiltFrom };
  }

  run<T>(work: (cache: Cache) => T): T {
    // Three attempts at most: the file, the rebuilt file, and memory, which does not throw.
    for (;;) {
      try {
        return work(this.#cache);
      } catch (error) {
        if (this.#memoryOnly !== null) throw error;
        this.#recover(error);
      }
    }
  }

  readonly close = (): void => {
    try {
      this.#cache.close();
    } catch {
      // Nothing is lost: the cache holds only what can be fetched again.
    }
  };

  #recover(error: unknown): void {
    const problem = toStorageError(error, 'The message cache cannot be used');
    if (problem.kind === 'corrupt' && this.#rebuiltFrom === null) {
      if (this.#rebuild()) return;
    }
    this.#memoryOnly = problem;
    this.#cache = memoryCache(this.#disk ?? undefined);
    this.#onTrouble(new StorageError(problem.kind, `${problem.message} Messages are kept in memory only.`));
  }

  #rebuild(): boolean {
    try {
      this.close();
      this.#disk = null;
      this.#rebuiltFrom = this.#file.putAside();
      this.#disk = this.#file.open();
      this.#cache = this.#disk;
    } catch {
      return false;
    }
    const line = `The message cache was damaged and is built anew; the old one is ${this.#rebuiltFrom}.`;
    this.#onTrouble(new StorageError('corrupt', line));
    return true;
  }
}
