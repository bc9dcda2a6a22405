/** Stops the HTTP server: no new connections, and what is under way is answered. */
import type { Server } from 'node:http';
import type { RequestObserver } from './monitoring/observe-requests.ts';

/**
 * Resolves when all connections are closed.
 * @param graceMs milliseconds after which the connections that are left are closed without an answer
 */
export function stopListening(server: Server, requests: RequestObserver, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    // node:http would wait for a connection that has not sent anything yet.
    requests.closeConnections();
  });
}
