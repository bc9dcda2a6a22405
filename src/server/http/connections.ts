/** Limits how many connections are open at once, and keeps callers without a token from using all of them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Whether the limit was reached when this connection was opened: its request is answered with 503. */
  isTurnedAway(socket: Socket): boolean;
  isTrusted(socket: Socket): boolean;
  /** To be called as soon as a request has shown a valid token: the connection then stays until it is closed. */
  trust(socket: Socket): void;
}

/** Milliseconds after which a connection without a valid token may be closed in favour of a new one. */
const untrustedGraceMs = 1000;
/** Connections beyond the limit that are answered at the same time; more than that are closed without an answer. */
const turnedAwayPlaces = 100;

export function limitConnections(server: Server, maximum: number): Connections {
  const trusted = new Set<Socket>();
  /** When each connection without a token was opened, the oldest first. */
  const untrusted = new Map<Socket, number>();
  const turnedAway = new Set<Socket>();

  const makePlace = (now: number): boolean => {
    if (trusted.size + untrusted.size < maximum) return true;
    const [oldest] = untrusted;
    if (oldest === undefined || now - oldest[1] < untrustedGraceMs) return false;
    oldest[0].destroy();
    return untrusted.delete(oldest[0]);
  };

  // Node's own limit (`maxConnections`) would close a connection before a place could be made for it.
  server.on('connection', (socket) => {
    const now = performance.now();
    if (makePlace(now)) untrusted.set(socket, now);
    // It is kept until its request is answered, or until the time for the headers is over.
    else if (turnedAway.size < turnedAwayPlaces) turnedAway.add(socket);
    else socket.destroy();
    socket.once('close', () => {
      trusted.delete(socket);
      untrusted.delete(socket);
      turnedAway.delete(socket);
    });
  });

  return {
    isTurnedAway: (socket) => turnedAway.has(socket),
    isTrusted: (socket) => trusted.has(socket),
    trust: (socket) => {
      if (untrusted.delete(socket)) trusted.add(socket);
    },
  };
}
