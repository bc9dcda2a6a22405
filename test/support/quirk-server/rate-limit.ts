/** Answers 429 now and then, says in this server's way how long to wait, and records every client that does not. */
import type { Quirks } from './quirks.ts';
import type { Reply } from './reply.ts';

const waitMs = 7_000;
/** The requests that are refused, counted from the first. */
const refused = new Set([4, 30, 31, 60]);

export function createRateLimit(
  quirks: Quirks,
  now: () => number,
  report: (violation: string) => void,
): () => Reply | null {
  let count = 0;
  let since = 0;
  let until = 0;
  return () => {
    count += 1;
    if (quirks.rateLimit === 'none') return null;
    if (quirks.rateLimit !== 'unsaid' && now() > since && now() < until)
      report(`a request ${until - now()} ms too early`);
    if (!refused.has(count)) return null;
    since = now();
    until = Math.floor(now() / 1000) * 1000 + waitMs;
    return { status: 429, ...waitFields(quirks, until) };
  };
}

function waitFields(quirks: Quirks, until: number): Omit<Reply, 'status'> {
  const seconds = String(waitMs / 1000);
  switch (quirks.rateLimit) {
    case 'retry-after':
      return { headers: { 'retry-after': seconds } };
    case 'retry-after-date':
      return { headers: { 'retry-after': new Date(until).toUTCString() } };
    case 'x-ratelimit-reset':
      return { headers: { 'x-ratelimit-reset': String(until / 1000) } };
    case 'ratelimit-reset':
      return { headers: { 'ratelimit-reset': seconds } };
    case 'body':
      return { body: JSON.stringify({ message: 'slow down', parameters: { retry_after: waitMs / 1000 } }) };
    default:
      return {};
  }
}
