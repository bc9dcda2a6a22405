/** Stops the HTTP server: no new connections, and what is under way is answered. */
import type { Server } from 'node:http';
import { Server as ListeningSocket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestObserver } from './monitoring/observe-requests.ts';

/**
 * Resolves when all connections are closed. One that is open stays so for a hundredth of the time where no request is answered on
 * it: a request that was sent before the caller could know of the stop would be lost with it, and a proxy never sends a POST again.
 * @param graceMs milliseconds after which the connections that are left are closed without an answer
 */
export async function stopListening(server: Server, requests: RequestObserver, graceMs: number): Promise<void> {
  requests.closeAfterAnswers();
  // The `close` of node:http would also close the connections that wait for a request.
  const closed = new Promise<void>((resolve) => void ListeningSocket.prototype.close.call(server, () => resolve()));
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await delay(graceMs / 100);
  requests.closeIdle();
  await closed;
  clearTimeout(force);
}
