/**
 * Makes sure that the data file and those beside it can be read and replaced by their owner alone, before SQLite opens
 * them.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The names of the files beside the database, which SQLite opens and writes messages into. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Creates the data file where it is missing; SQLite gives the files beside it the same mode. Throws one clear line
 * when one of them is a link, no plain file, somebody else's, or cannot be created, and when others could replace the
 * files.
 * @param path absolute
 */
export function prepareDataFile(path: string): void {
  checkDirectory(dirname(path));
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`cannot create ${path}: there is no folder ${dirname(path)}; make it first`);
    if (code !== 'EEXIST') throw new Error(`cannot create ${path}: ${code ?? 'unknown reason'}`, { cause: error });
  }
  requireWritable(dirname(path));
  // SQLite refuses such a file, which was named by mistake and has to stay as it is.
  if (isOpenToOthers(lstatSync(path)) && !mayBeDatabase(path)) return;
  for (const file of [path, ...companions.map((end) => path + end)]) makePrivate(file);
}

const header = 'SQLite format 3\0';

/**
 * Also true of what is refused afterwards (a link, or the file of somebody else), and of an empty file, which is a database
 * without tables. Closing a file drops the locks that SQLite holds on it: this is called only for a file that others can
 * read, and the data file is private by the time this process has opened it.
 */
function mayBeDatabase(path: string): boolean {
  const facts = lstatSync(path);
  if (!facts.isFile() || facts.size === 0 || facts.uid !== process.getuid?.()) return true;
  const start = Buffer.alloc(header.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === header;
  } finally {
    closeSync(file);
  }
}

/** SQLite makes its log in the directory. Where it cannot, it says only that it is "unable to open database file". */
function requireWritable(directory: string): void {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EROFS' ? 'the file system is read-only' : (code ?? 'unknown reason');
    throw new Error(`cannot write in the directory ${directory}: ${why}`, { cause: error });
  }
}

function makePrivate(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (!facts.isFile()) throw new Error(`${path} is not a plain file`);
  if (facts.nlink > 1) throw new Error(`${path} has a second name (a hard link); remove one of them`);
  const uid = process.getuid?.();
  if (uid !== undefined && facts.uid !== uid) throw new Error(`${path} belongs to another user`);
  if (isOpenToOthers(facts)) chmodSync(path, 0o600);
}

const isOpenToOthers = ({ mode }: Stats): boolean => process.getuid !== undefined && (mode & 0o077) !== 0;

/** Throws where others could replace our files. In a sticky directory such as `/tmp` they can only create files. */
function checkDirectory(path: string): void {
  const uid = process.getuid?.();
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || uid === undefined) return;
  if (facts.uid !== uid && facts.uid !== 0) {
    throw new Error(`the directory ${path} belongs to another user (uid ${facts.uid}); choose one of your own`);
  }
  if (isWritableByOthers(facts) && (facts.mode & 0o1000) === 0) {
    throw new Error(`others can write in the directory ${path}; run chmod go-w on it or choose another one`);
  }
}

/** A group with the number of its owner is a private one, as many Linux systems make for each user. */
const isWritableByOthers = ({ mode, gid, uid }: Stats): boolean =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
