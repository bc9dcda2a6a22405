/** Bounds how many connections are open at once, and keeps callers without a token from taking all the places. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** True when every place was taken: the request is to be answered with 503. */
  isTurnedAway(socket: Socket): boolean;
  /** A request on this connection carried a valid token, so the connection keeps its place until it is closed. */
  trust(socket: Socket): void;
}

/** Milliseconds in which a new connection must show a valid token before another may take its place. */
const untrustedGraceMs = 1000;
/** Connections beyond the limit that are answered at the same time; more than that are closed without an answer. */
const turnedAwayPlaces = 100;

export function limitConnections(server: Server, maximum: number): Connections {
  const trusted = new Set<Socket>();
  /** When each of them was opened; the oldest comes first. */
  const untrusted = new Map<Socket, number>();
  const turnedAway = new Set<Socket>();

  const makePlace = (now: number): boolean => {
    if (trusted.size + untrusted.size < maximum) return true;
    const [oldest] = untrusted;
    if (oldest === undefined || now - oldest[1] < untrustedGraceMs) return false;
    oldest[0].destroy();
    return untrusted.delete(oldest[0]);
  };

  server.maxConnections = maximum + turnedAwayPlaces;
  server.on('connection', (socket) => {
    const now = performance.now();
    if (makePlace(now)) untrusted.set(socket, now);
    // It is kept until its request is answered, or until the time for the headers is over.
    else turnedAway.add(socket);
    socket.once('close', () => {
      trusted.delete(socket);
      untrusted.delete(socket);
      turnedAway.delete(socket);
    });
  });

  return {
    isTurnedAway: (socket) => turnedAway.has(socket),
    trust: (socket) => {
      if (untrusted.delete(socket)) trusted.add(socket);
    },
  };
}
