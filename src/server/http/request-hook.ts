/** A seam for tests and fault rehearsals: it stands between the network and the service. */

/**
 * Called before anything is looked at. It may wait, answer by itself, call `next` and change or drop the answer, or
 * `drop` the connection without one (then what it resolves to goes nowhere).
 */
export type RequestHook = (request: Request, next: () => Promise<Response>, drop: () => void) => Promise<Response>;
