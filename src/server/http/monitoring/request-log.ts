/** Makes the line of JSON that the log has for each request. */
import type { AnsweredRequest } from './observe-requests.ts';

/** @param now milliseconds since 1970 */
export function requestLine(request: AnsweredRequest, now: number): string {
  const { requestId, method, route, status, seconds, bytes } = request;
  const time = new Date(now).toISOString();
  const ms = Math.round(seconds * 1e5) / 100;
  return JSON.stringify({ time, request_id: requestId, method, route, status, ms, bytes });
}
