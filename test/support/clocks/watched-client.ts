/** A client that reports which of its calls are under way, so that a clock can be stopped meanwhile. */
import type { Client } from '../../../src/api/operations.ts';

export interface WatchedClient {
  /** Closing it leaves the real one open for the next run. */
  readonly client: Client;
  readonly isBusy: () => boolean;
  /** Resolves once nothing is under way any more. */
  readonly idle: () => Promise<void>;
}

export function watchedClient(client: Client): WatchedClient {
  const underWay = new Set<Promise<unknown>>();
  const watched = new Proxy(client, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      if (key === 'close') return async () => undefined;
      return (...args: unknown[]) => {
        const call = Reflect.apply(value, target, args) as Promise<unknown>;
        underWay.add(call);
        const done = (): void => void underWay.delete(call);
        call.then(done, done);
        return call;
      };
    },
  });
  return {
    client: watched,
    isBusy: () => underWay.size > 0,
    idle: async () => {
      for (;;) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (underWay.size === 0) return;
        await Promise.allSettled([...underWay]);
      }
    },
  };
}
