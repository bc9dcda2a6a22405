/**
 * Carries the news of changes from one process to the others, by LISTEN and NOTIFY.
 *
 * A NOTIFY inside the transaction of the change would hold a lock of the whole database server until that transaction is
 * on disk, so that all commits would go one after the other. It is therefore sent after the commit, for all commits of
 * the meantime at once. A process that is killed between the two sends none, so a request that waits for a change reads
 * the database itself when its time is over.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { PoolOptions } from './connections.ts';
import { createListener } from './listener.ts';

export type ChangeListener = (people: readonly number[] | null) => void;

export interface Changes {
  /** To be called after the commit, with `people.seq` of all who can see the change. */
  publish(people: Iterable<number>): void;
  onChange(listener: ChangeListener): () => void;
  /** Waits until everything is sent that was published. */
  close(): Promise<void>;
}

const channel = 'msg_tui_changes';

/** Characters in one notification, which has to be shorter than 8000 bytes. */
const maximumLength = 7900;

/** Milliseconds between two notifications, so that a busy server sends one for many commits. The first one is sent at once. */
const pauseMs = 20;

/** The row is not kept: a crash of the database server ends the connections of all who could hear of it. */
const notify = {
  name: 'notify',
  text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', piece)
    FROM unnest(CAST($1 AS text[])) piece`,
};

/** Milliseconds until a notification that could not be sent is sent again. */
const retryMs = 500;

export function createChanges(pool: Pool, { url, isShared = true }: PoolOptions): Changes {
  const listeners = new Set<ChangeListener>();
  const waiting = new Set<number>();
  /** Names this process in what it sends, so that it does not hear of its own changes twice. */
  const origin = Math.random().toString(36).slice(2);
  let sending: Promise<void> | null = null;
  let hasEnded = false;

  const tell = (people: readonly number[] | null): void => {
    for (const listener of listeners) listener(people);
  };
  const listener = createListener(url, channel, (text) => {
    const [from = '', people = ''] = text === null ? [] : text.split(':');
    if (from !== origin) tell(text === null ? null : people.split(',').map(Number));
  });

  /** Sends what is waiting, also what comes meanwhile. */
  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const people = [...waiting];
      waiting.clear();
      try {
        await pool.query({ ...notify, values: [pieces(origin, people)] });
        if (!hasEnded) await pause(pauseMs);
      } catch {
        if (hasEnded) break;
        for (const person of people) waiting.add(person);
        await pause(retryMs);
      }
    }
    sending = null;
  };

  return {
    publish: (people) => {
      const all = [...people];
      if (all.length === 0) return;
      tell(all);
      if (!isShared) return;
      for (const person of all) waiting.add(person);
      sending ??= send();
    },
    onChange: (added) => {
      listeners.add(added);
      if (isShared) listener.open();
      return () => void listeners.delete(added);
    },
    close: async () => {
      hasEnded = true;
      await sending;
      await listener.close();
    },
  };
}

/** The numbers in as many notifications as they need. */
function pieces(origin: string, people: readonly number[]): string[] {
  const found: string[] = [];
  let piece = '';
  for (const person of people) {
    if (piece !== '' && piece.length + String(person).length < maximumLength) piece += `,${person}`;
    else {
      if (piece !== '') found.push(piece);
      piece = `${origin}:${person}`;
    }
  }
  return piece === '' ? found : [...found, piece];
}
