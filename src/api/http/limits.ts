/** The bounds of one request (R-LIMIT); tests make them smaller. */

export interface Limits {
  /** Until TCP and TLS are up. */
  readonly connectMs: number;
  /** The whole of a GET, PUT or DELETE. */
  readonly wholeMs: number;
  /** The whole of a POST. */
  readonly wholePostMs: number;
  /** Without a byte: before the head of a read, and between the bytes of any body. */
  readonly idleMs: number;
  readonly headerBytes: number;
  /** Decoded, counted while it streams in. */
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
