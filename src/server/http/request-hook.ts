/** A hook for tests and for simulated faults, called for each request before the service sees it. */

/**
 * The hook may wait, answer by itself, call `next` and change or discard the answer, or `drop` the connection; what it
 * resolves to is then ignored.
 */
export type RequestHook = (request: Request, next: () => Promise<Response>, drop: () => void) => Promise<Response>;
