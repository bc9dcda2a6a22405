/** A request and its answer as plain data, so that another thread can answer it. */
import { ServiceError, type ServiceErrorStatus } from '../rules/service-error.ts';

export interface PlainRequest {
  readonly method: string;
  /** A key of `routes`; null where the path is none of them. */
  readonly route: string | null;
  /** The `:id` of the path, decoded. */
  readonly id: string | null;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly token: string | null;
  readonly ifNoneMatch: string | null;
  readonly idempotencyKey: string | null;
  readonly prefer: string | null;
  readonly contentType: string | null;
  readonly body: Uint8Array;
  /** Why the body could not be read. */
  readonly bodyProblem: Problem | null;
}

export const isList = ({ route }: PlainRequest): boolean => route === '/v1/messages' || route === '/v1/conversations';
export const isRead = ({ method }: PlainRequest): boolean => method === 'GET' || method === 'HEAD';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** null for an answer without a body. */
  readonly body: string | null;
}

export interface Reply {
  /** The number of the user whose token the request carried; null when it carried no valid one. */
  readonly person: number | null;
  readonly result: Answer | { readonly problem: Problem };
}

/**
 * Never rejects.
 *
 * @param onValidToken called as soon as the token of the request is known to be valid, which may be long before the
 *   answer; null where nobody needs to know
 */
export type AnswerRequest = (request: PlainRequest, onValidToken: (() => void) | null) => Promise<Reply>;

/** An error as plain data. */
export type Problem =
  | {
      readonly kind: 'refusal';
      readonly status: ServiceErrorStatus;
      readonly code: string;
      readonly message: string;
      readonly param: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'failure'; readonly name: string; readonly message: string; readonly stack: string };

export function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) {
    const { status, code, message, param, headers } = error;
    return { kind: 'refusal', status, code, message, param, headers };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failure', name, message, stack: stack ?? '' };
}

export function errorOf(problem: Problem): Error {
  if (problem.kind === 'failure') {
    const { name, message, stack } = problem;
    return Object.assign(new Error(message), { name, stack });
  }
  const { status, code, message, param, headers } = problem;
  return new ServiceError(status, code, message, { headers, ...(param === null ? {} : { param }) });
}
