/** Opens the outbox and acquires a role: sender, reader beside another sender, or in memory where the disk refuses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OtherSender } from '../../state/model/app-state.ts';
import { StorageError, type StorageErrorKind } from '../sqlite/errors.ts';
import { sizeOf } from '../sqlite/open-read-only.ts';
import { memoryOutbox } from './memory.ts';
import { openOutbox } from './open.ts';
import type { StoredOutbox } from './outbox.ts';
import type { Salvaged } from './recovery/salvage.ts';
import { acquireSenderLock, isStopped, type LockAnswer } from './sender-lock.ts';

export interface OutboxWithRole {
  readonly outbox: StoredOutbox | ReturnType<typeof memoryOutbox>;
  readonly isSender: boolean;
  /** Nothing is kept on disk: quitting loses what was not sent. */
  readonly isVolatile: boolean;
  /** The process that was the sender when the role was last asked for; null when this one is. */
  otherSender(): OtherSender | null;
  /** What the user has to know about the files, one line each. */
  readonly troubles: readonly string[];
  /** Tries to become the sender. True when this process is, and has handled the last one's interrupted ops. */
  takeSenderRole(): boolean;
  close(): void;
}

export interface RoleOptions {
  /**
   * For a command that is over soon. It begins without the sender role, so that a chat that starts at the same moment gets
   * it, and takes the role only by `takeSenderRole`.
   */
  readonly isBrief?: boolean;
}

/**
 * Where the disk cannot be written, reading works and `enqueue` refuses, so that texts stay in the composer
 * (R-STORE-3). Without SQLite everything works in memory, and a notice says so. @throws StorageError for files that
 * must not be touched: of a newer version, of another user, or beyond salvage
 */
export function openOutboxWithRole(directory: string, { isBrief = false }: RoleOptions = {}): OutboxWithRole {
  let lock: LockAnswer | null = null;
  try {
    if (isBrief) return openBriefly(directory);
    lock = acquireSenderLock(directory);
    return withRole(directory, lock);
  } catch (error) {
    if (lock !== null && 'release' in lock) lock.release();
    if (!(error instanceof StorageError) || !goesOnWithoutDisk(error)) throw error;
    return error.kind === 'no-sqlite' ? withoutSqlite(directory, error) : withoutDisk(error);
  }
}

function withRole(directory: string, first: LockAnswer): OutboxWithRole {
  const isSender = 'release' in first;
  return onDisk(directory, openOutbox(directory, { role: isSender ? 'sender' : 'reader' }), first, false);
}

/**
 * A reader must not create, migrate or repair the file: where that is needed, the role is held while it is opened. An empty
 * file is damaged where nobody has the role, and is being made where somebody has.
 */
function openBriefly(directory: string): OutboxWithRole {
  if (sizeOf(join(directory, 'outbox.db')) > 0) {
    try {
      return onDisk(directory, openOutbox(directory, { role: 'reader' }), { heldBy: null }, true);
    } catch (error) {
      if (!(error instanceof StorageError && (error.kind === 'in-use' || error.kind === 'corrupt'))) throw error;
    }
  }
  const lock = acquireSenderLock(directory, true);
  const isFree = 'release' in lock;
  try {
    const outbox = openOutbox(directory, { role: isFree ? 'sender' : 'reader' });
    return onDisk(directory, outbox, isFree ? { heldBy: null } : lock, true);
  } finally {
    if (isFree) lock.release();
  }
}

/** @param first the lock, or who has it; nobody known where it was not asked for */
function onDisk(directory: string, outbox: StoredOutbox, first: LockAnswer, isBrief: boolean): OutboxWithRole {
  let lock = first;
  return {
    outbox,
    isSender: 'release' in lock,
    isVolatile: false,
    otherSender() {
      if ('release' in lock) return null;
      const { heldBy: pid } = lock;
      return { pid, isStopped: pid !== null && isStopped(pid), ...(lock.isBrief === true && { isBrief: true }) };
    },
    troubles: [...troublesOf(outbox, isBrief)],
    takeSenderRole() {
      if (!('release' in lock)) lock = acquireSenderLock(directory, isBrief);
      if (!('release' in lock)) return false;
      outbox.becomeSender();
      return true;
    },
    close() {
      try {
        outbox.close();
      } finally {
        if ('release' in lock) lock.release();
      }
    },
  };
}

/**
 * Records that were set aside stay until the user removes them: the chat names them at each start, and a command, which may
 * run every minute, does not.
 */
function* troublesOf({ status }: StoredOutbox, isBrief: boolean): Generator<string> {
  const { salvaged, setAside } = status;
  if (salvaged !== null) yield damageText(salvaged);
  if (isBrief || setAside === 0) return;
  if (setAside === 1) yield '1 record of the outbox cannot be read; it is kept: see msg-tui outbox list.';
  else yield `${setAside} records of the outbox cannot be read; they are kept: see msg-tui outbox list.`;
}

const damageText = ({ records, copy }: Salvaged): string =>
  `The outbox was damaged: ${records === 1 ? '1 record was' : `${records} records were`} saved. What could not be read is left in the original: ${copy}`;

const kindsWithoutDisk: readonly StorageErrorKind[] = ['full', 'read-only', 'no-sqlite', 'no-files', 'no-locks', 'io'];

/**
 * Whether the program goes on without the file. A `permission` error with a cause comes from the system; one without refuses
 * links and foreign files.
 */
function goesOnWithoutDisk({ kind, cause }: StorageError): boolean {
  if (kind === 'permission') return cause !== undefined;
  return kindsWithoutDisk.includes(kind);
}

function withoutDisk(problem: StorageError): OutboxWithRole {
  const reason = new StorageError(problem.kind, `${problem.message} Nothing is sent that could be lost.`);
  const trouble = `You can read, but nothing can be sent and drafts last for this run only. ${problem.message}`;
  return inMemory(memoryOutbox({ reason }), trouble);
}

/** Ops that an earlier run left in the file are sent by the next start that has SQLite. */
function withoutSqlite(directory: string, problem: StorageError): OutboxWithRole {
  const lost = 'Nothing is kept on disk: drafts and messages that were not sent are gone when you quit.';
  const isThere = existsSync(join(directory, 'outbox.db'));
  const earlier = isThere ? ' What waits from earlier stays in its file and is not shown.' : '';
  return inMemory(memoryOutbox({ volatile: true }), `${lost}${earlier} ${problem.message}`);
}

function inMemory(outbox: ReturnType<typeof memoryOutbox>, trouble: string): OutboxWithRole {
  return {
    outbox,
    isSender: true,
    isVolatile: true,
    otherSender: () => null,
    troubles: [trouble],
    takeSenderRole: () => true,
    close: () => undefined,
  };
}
