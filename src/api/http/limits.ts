/** The limits of one request: times and sizes (R-LIMIT). Tests pass smaller ones. */

export interface Limits {
  /** Milliseconds until the connection is up, TLS included. */
  readonly connectMs: number;
  /** Milliseconds for a whole GET, PUT or DELETE. */
  readonly wholeMs: number;
  /** Milliseconds for a whole POST. */
  readonly wholePostMs: number;
  /** Milliseconds without a byte: before the headers of a GET, and within the body of any answer. */
  readonly idleMs: number;
  readonly headerBytes: number;
  /** Of the decompressed body, counted while it is read. */
  readonly bodyBytes: number;
}

export const defaultLimits: Limits = {
  connectMs: 10_000,
  wholeMs: 30_000,
  wholePostMs: 60_000,
  idleMs: 15_000,
  headerBytes: 16_384,
  bodyBytes: 8 * 1024 * 1024,
};
