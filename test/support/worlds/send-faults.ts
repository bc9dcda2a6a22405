/** Everything that can become of one POST of a message, as a table: what the server does, and what the client hears. */
import type { ApiError } from '../../../src/api/errors.ts';
import { apiFault } from '../servers/fake-service.ts';

export interface SendFault {
  readonly name: string;
  /** When the server commits, in milliseconds after the request came; null = never. */
  readonly appliesAfterMs: number | null;
  /** `message`: the true answer; `silence`: none, for ever. */
  readonly answer: 'message' | 'silence' | ApiError;
  /** How long lists do not show what was committed. */
  readonly lagMs: number;
  /** How long the answer takes. */
  readonly thinksMs?: number;
}

const row = (
  name: string,
  answer: SendFault['answer'],
  appliesAfterMs: number | null = null,
  lagMs = 0,
): SendFault => ({ name, answer, appliesAfterMs, lagMs });

const reset = apiFault('network', 'ambiguous');
const timeout = apiFault('timeout', 'ambiguous');
const status = (code: number): ApiError => apiFault('server', 'ambiguous', { status: code });

export const sendFaults: readonly SendFault[] = [
  row('well', 'message', 0),
  row('well, lists lag 2 s', 'message', 0, 2_000),
  row('well, lists lag 60 s', 'message', 0, 60_000),
  row('connection refused', apiFault('network', 'not-applied')),
  row('connect timeout', apiFault('timeout', 'not-applied')),
  row('TLS failure', apiFault('tls', 'not-applied')),
  row('429', apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 4_000 })),
  row('401', apiFault('unauthorized', 'not-applied', { status: 401 })),
  row('403', apiFault('forbidden', 'not-applied', { status: 403 })),
  row('307', apiFault('redirect', 'not-applied', { status: 307 })),
  row('400', apiFault('invalid', 'rejected', { status: 400 })),
  { ...row('413, answered after 3 s', apiFault('too-large', 'rejected', { status: 413 })), thinksMs: 3_000 },
  row('404', apiFault('not-found', 'rejected', { status: 404 })),
  row('409, applied', apiFault('invalid', 'ambiguous', { status: 409 }), 0),
  row('303, applied', apiFault('redirect', 'ambiguous', { status: 303 }), 0),
  row('500', status(500)),
  row('500, applied', status(500), 0),
  row('503', status(503)),
  row('504, applied after 1 s', status(504), 1_000),
  row('reset', reset),
  row('reset, applied', reset, 0),
  row('reset, applied, lists lag 60 s', reset, 0, 60_000),
  row('timeout', timeout),
  row('timeout, applied', timeout, 0),
  row('timeout, applied after 20 s', timeout, 20_000),
  row('timeout, applied after 120 s', timeout, 120_000),
  row('silence', 'silence'),
  row('silence, applied', 'silence', 0),
  row('another answer', apiFault('not-api', 'ambiguous', { status: 200 })),
  row('another answer, applied', apiFault('not-api', 'ambiguous', { status: 201 }), 0),
];

/** The server says, or the connection shows, that nothing was applied. */
export const provesNothingApplied = ({ answer }: SendFault): boolean =>
  typeof answer === 'object' && answer.facts.outcome !== 'ambiguous';
