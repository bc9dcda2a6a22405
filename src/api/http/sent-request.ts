/** What is reported about a request once it is over: never its text, its token or the body of its answer. */
import { errorCode } from './classify.ts';

export interface SentRequest {
  /** When it began, in milliseconds of the wall clock. */
  readonly at: number;
  readonly method: string;
  /** Host and port. */
  readonly host: string;
  /** The path with its ids, and of the query the names, with the values of those that are ids, numbers or flags. */
  readonly path: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The code of the failure, where no answer came or its body broke off; `ERROR` for one without a code. */
  readonly problem: string | null;
  /** Bytes of the body that was sent. */
  readonly sent: number;
  /** Bytes of the body that came back, compressed as they came. */
  readonly received: number;
  readonly durationMs: number;
  /** What the request was for, in a few words. */
  readonly reason: string;
}

export type OnRequest = (request: SentRequest) => void;

const shownValues = new Set(['conversation_id', 'group_id', 'limit', 'muted', 'archived', 'pinned']);
const longestPath = 1_000;

/** The address without its host and without values that may be content: `/v1/messages?conversation_id=c1&cursor=…`. */
export function shownPath({ pathname, searchParams }: URL): string {
  const query = [...searchParams].map(([name, value]) => {
    const shown = shownValues.has(name) ? encodeURIComponent(value) : '…';
    return `${encodeURIComponent(name)}=${shown}`;
  });
  const path = query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
}

/** What is known of a request before it begins. */
type RequestFacts = Pick<SentRequest, 'method' | 'host' | 'path' | 'reason'>;

/** How a request ended; `problem` is the error that ended it, null when none did. */
type RequestEnd = Pick<SentRequest, 'status' | 'sent' | 'received'> & { readonly problem: unknown };

/** Reports a request once, when it is over. One that was called off before it began is not reported. */
export function requestReporter(facts: RequestFacts, onRequest: OnRequest | undefined) {
  let begun: { readonly at: number; readonly clock: number } | null = null;
  return {
    begin: (): void => {
      begun = { at: Date.now(), clock: performance.now() };
    },
    end: ({ problem, ...end }: RequestEnd): void => {
      if (begun === null) return;
      const { at, clock } = begun;
      begun = null;
      const durationMs = Math.round(performance.now() - clock);
      const code = problem === null ? null : (errorCode(problem) ?? 'ERROR');
      onRequest?.({ at, ...facts, ...end, problem: code, durationMs });
    },
  };
}
