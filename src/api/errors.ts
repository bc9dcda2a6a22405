/** `ApiError`, the one error of every call to the server, with its kinds and what each means for a write. */

/**
 * `network`: the server was not reached, or the connection broke. `timeout`: no connection or no complete answer in
 * time, and 408. `tls`: the certificate or the encryption was refused. `redirect`: the server points to another
 * address, which is not followed. `unauthorized`: 401. `forbidden`: 403. `not-found`: 404 and 410. `invalid`: 400, 422
 * and other 4xx. `too-large`: 413. `rate-limited`: 429. `server`: 5xx and 425. `not-api`: the answer does not follow the API
 * document. `unusable-id`: refused here, before anything was sent (R-ID). `aborted`: ended by this program.
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
  /** One line for people: what happened and what the server said. The token is redacted; not sanitised. */
  readonly message: string;
  readonly requestId: string | null;
  /**
   * Names the request for those who run the server: `GET /v1/messages, request r7`. Null where none was made, and for
   * failures of the network that every request would have met.
   */
  readonly request: string | null;
  /** How long the server asks to wait before any call, within our bounds; null when it does not ask. */
  readonly retryAfterMs: number | null;
  /** The code of the cause (`ECONNREFUSED`) or one of the codes below; null when there is none. */
  readonly code: string | null;
  /** The id in the answer to a send, when its message does not have the text that was sent. */
  readonly namedId?: string;
}

/** The `code` of a 2xx whose body says that nothing was done (`ok: false`). */
export const bodySaysNoCode = 'BODY_SAYS_NO';

/** The `code` of a 2xx without JSON, such as the page of a captive portal: somebody else may have answered. */
export const foreignBodyCode = 'FOREIGN_BODY';

/** The `code` of a 2xx with a message or conversation whose id is not the one in the request. */
export const idMismatchCode = 'OTHER_RESOURCE';

/** The `code` of an `unauthorized` without a request: there is no token to send. */
export const noTokenCode = 'NO_TOKEN';

/** The `code` of an `unauthorized` that this program raises: answers show that the token is another account's. */
export const otherAccountCode = 'OTHER_ACCOUNT';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly facts: ApiErrorFacts;
  /** Facts that are not given: there was no answer, and no wait was asked for. */
  constructor(facts: Pick<ApiErrorFacts, 'kind' | 'outcome' | 'message'> & Partial<ApiErrorFacts>) {
    super(facts.message);
    this.facts = { status: 0, requestId: null, request: null, retryAfterMs: null, code: null, ...facts };
  }
  get kind(): ApiErrorKind {
    return this.facts.kind;
  }
  /** The status is 2xx and the body says that nothing was done. */
  get bodySaysNo(): boolean {
    return this.facts.code === bodySaysNoCode;
  }
  /** The status is 2xx and the body is not JSON, so that the answer may not be the server's. */
  get isForeignBody(): boolean {
    return this.facts.code === foreignBodyCode;
  }
  /** The server answered with another id than the one in the request. */
  get isIdMismatch(): boolean {
    return this.facts.code === idMismatchCode;
  }
  /** The status says that the request was accepted, and the body does not show what came of it. */
  get acceptedUnreadable(): boolean {
    const { status } = this.facts;
    return this.kind === 'not-api' && status >= 200 && status < 300 && !this.bodySaysNo;
  }
}
