/** Everything that can go wrong with a call, sorted by what the caller can do about it. */

/**
 * `network`: not reached or broken off; `timeout`; `tls`; `redirect`: the server points elsewhere, not followed;
 * `unauthorized` 401; `forbidden` 403; `not-found` 404, 410; `invalid` 400, 422 and other 4xx; `too-large` 413;
 * `rate-limited` 429; `server` 5xx; `not-api`: an answer that does not follow the document; `unusable-id`: refused
 * before anything was sent (R-ID); `aborted`: by our own side.
 */
export type ApiErrorKind =
  | 'network'
  | 'timeout'
  | 'tls'
  | 'redirect'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'invalid'
  | 'too-large'
  | 'rate-limited'
  | 'server'
  | 'not-api'
  | 'unusable-id'
  | 'aborted';

/**
 * What a failed write did on the server (R-CLASS). `not-applied`: certainly nothing, so that it may be repeated;
 * `rejected`: nothing, and it is refused for good; `ambiguous`: it may have been applied.
 */
export type WriteOutcome = 'not-applied' | 'rejected' | 'ambiguous';

export interface ApiErrorFacts {
  readonly kind: ApiErrorKind;
  /** 0 when no answer came. */
  readonly status: number;
  readonly outcome: WriteOutcome;
  /** One line for people: what happened and what the server said, redacted; raw text, not sanitised. */
  readonly message: string;
  readonly requestId: string | null;
  /** How long to wait before any call to this server, already clamped; null when nothing was said. */
  readonly retryAfterMs: number | null;
  /** `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT` … or null. */
  readonly code: string | null;
  /** The message that the answer to a send shows, though not with the text that was sent. */
  readonly namedId?: string;
}

/** The `code` of a 2xx whose body says that nothing was done (`ok: false`): the server works, and refuses. */
export const bodySaysNoCode = 'BODY_SAYS_NO';

/**
 * The `code` of a 2xx whose body is none of the API's, such as the page of a captive portal: who answered is not known.
 */
export const foreignBodyCode = 'FOREIGN_BODY';

/** The `code` of a 2xx that carries a message or conversation with another id than was asked for. */
export const idMismatchCode = 'OTHER_RESOURCE';

/** The `code` of an `unauthorized` that no server said: there is no token to show it. */
export const noTokenCode = 'NO_TOKEN';

/** The `code` of an `unauthorized` that we say ourselves: answers show that the token is another account's. */
export const otherAccountCode = 'OTHER_ACCOUNT';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly facts: ApiErrorFacts;
  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.facts = facts;
  }
  get kind(): ApiErrorKind {
    return this.facts.kind;
  }
  /** An answer under 2xx that means no. */
  get bodySaysNo(): boolean {
    return this.facts.code === bodySaysNoCode;
  }
  /** A 2xx, and yet it may not be the server that said it. */
  get isForeignBody(): boolean {
    return this.facts.code === foreignBodyCode;
  }
  /** The server knows what was asked for by another id. */
  get isIdMismatch(): boolean {
    return this.facts.code === idMismatchCode;
  }
  /** The server, or somebody in its place, says that it was done. */
  get acceptedUnreadable(): boolean {
    const { status } = this.facts;
    return this.kind === 'not-api' && status >= 200 && status < 300 && !this.bodySaysNo;
  }
}
