/** The files of pictures on disk, so that one is fetched once. It may be deleted at any time. */
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Every failure of the disk counts as a picture that is not there. */
export interface PictureCache {
  read(href: string): Promise<Uint8Array | null>;
  /** A file that is there already counts as new. */
  write(href: string, file: Uint8Array): Promise<void>;
  /** To be called for a file that could not be decoded: after a power cut a file may be empty, and it would stay so. */
  remove(href: string): Promise<void>;
}

const defaultLimit = 64_000_000;

/**
 * @param prepare makes the directory; throws where nothing may be kept in it
 * @param limit of the bytes of all files together; beyond it the oldest ones are removed
 */
export function createPictureCache(
  directory: string,
  prepare: (directory: string) => void,
  limit = defaultLimit,
): PictureCache {
  // A name made of a digest holds nothing that a sender chose.
  const fileOf = (href: string): string => join(directory, createHash('sha256').update(href).digest('hex'));
  return {
    read: (href) => readFile(fileOf(href)).catch(() => null),
    async write(href, file) {
      try {
        if (await touch(fileOf(href))) return;
        prepare(directory);
        await makeRoom(directory, limit - file.byteLength);
        await writeWhole(fileOf(href), file);
      } catch {
        // A picture that could not be stored is fetched again when it is needed.
      }
    },
    remove: (href) => rm(fileOf(href), { force: true }).catch(() => undefined),
  };
}

/** @returns false where there is no such file */
async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}

/** A program that is killed here leaves no half of a file under its name. */
async function writeWhole(path: string, file: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(file);
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}

async function makeRoom(directory: string, room: number): Promise<void> {
  const paths = (await readdir(directory)).map((name) => join(directory, name));
  const found = await Promise.all(paths.map(async (path) => ({ path, ...sizeAndAge(await stat(path)) })));
  let bytes = 0;
  for (const { path, size } of found.sort((a, b) => b.at - a.at)) {
    bytes += size;
    if (bytes > room) await rm(path, { force: true });
  }
}

const sizeAndAge = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) => ({ size, at: mtimeMs });
