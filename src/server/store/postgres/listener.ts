/** Receives notifications on a separate connection, which is opened again whenever it is lost. */
import type { Client } from 'pg';
import { openClient } from './connections.ts';

export interface Listener {
  /** Begins to listen; later calls do nothing. */
  open(): void;
  close(): Promise<void>;
}

/** Milliseconds between two attempts to connect. */
const reconnectMs = 500;
/** Milliseconds between two questions whether the other end is still there. */
const aliveMs = 15_000;

/** @param hear is called with each notification, and with null when some may have been missed */
export function createListener(url: string, channel: string, hear: (text: string | null) => void): Listener {
  let isOpen = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = await openClient(url);
    next.on('notification', ({ payload }) => hear(payload ?? ''));
    client = next;
    if (!isOpen) return next.end();
    next.once('end', again);
    await next.query(`LISTEN ${channel}`);
    hear(null);
    keepAlive(next);
  };

  const again = (): void => {
    clearTimeout(timer);
    if (isOpen) timer = setTimeout(attempt, reconnectMs).unref();
  };

  const attempt = (): void => {
    clearTimeout(timer);
    const previous = client;
    client = null;
    previous?.removeListener('end', again);
    void previous?.end().catch(() => undefined);
    connect().catch(again);
  };

  /** Checks the connection: a network that fails without an error leaves one on which nothing arrives any more. */
  const keepAlive = (current: Client): void => {
    timer = setTimeout(() => {
      current.query('SELECT 1').then(() => keepAlive(current), attempt);
    }, aliveMs).unref();
  };

  return {
    open: () => {
      if (isOpen) return;
      isOpen = true;
      attempt();
    },
    close: async () => {
      isOpen = false;
      clearTimeout(timer);
      const last = client;
      last?.removeListener('end', again);
      await last?.end().catch(() => undefined);
    },
  };
}
