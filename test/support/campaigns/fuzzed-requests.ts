/** Requests that hardly any client would make, as bytes: methods, addresses, headers and bodies mixed at random. */
import fc from 'fast-check';

const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'BREW');
const id = fc.constantFrom(
  '',
  'x',
  '..',
  '%2e%2e',
  '%00',
  '%',
  'a/b',
  'A'.repeat(100),
  '__proto__',
  '0123456789abcdef',
);
const path = fc.oneof(
  fc.constantFrom(
    '/v1/messages',
    '/v1/conversations',
    '/v1',
    '/',
    '*',
    '//v1/messages',
    'http://evil.example/v1/messages',
  ),
  id.map((one) => `/v1/messages/${one}`),
  id.map((one) => `/v1/conversations/${one}`),
);
const name = fc.constantFrom(
  ...['conversation_id', 'message', 'contact_id', 'group_id', 'limit', 'is_pinned', 'archived_at', 'starting_after'],
  ...[
    'reactions[a][]',
    'reactions',
    'attachments[0][file_url]',
    'a[b[c]]',
    '[]',
    '',
    '__proto__[x]',
    'x[a][b][c][d][e]',
  ],
);
const value = fc.oneof(
  fc.constantFrom('', 'true', '-1', '1e400', '%', '%ff', '%00', 'null', '9007199254740993', 'x'.repeat(12_000)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
);
const pairs = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((list) => list.map(([key, one]) => `${key}=${one}`).join('&'));
const header = fc.constantFrom(
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: application/json',
  'Content-Type: text/plain',
  'Content-Encoding: gzip',
  'Transfer-Encoding: chunked',
  'Origin: https://evil.example',
  'Idempotency-Key: one',
  'Idempotency-Key: ',
  'If-None-Match: "x", W/"y"',
  'If-None-Match: *',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'X-HTTP-Method-Override: DELETE',
  'Range: bytes=0-1',
);

export interface FuzzedRequest {
  readonly bytes: string;
}

/** `port` and `token` are those of the server; most requests are signed in, as everything else is refused early. */
export const fuzzedRequest = (port: number, token: string): fc.Arbitrary<FuzzedRequest> =>
  fc
    .record({
      method,
      path,
      query: fc.option(pairs),
      headers: fc.uniqueArray(header, { maxLength: 4 }),
      body: fc.option(pairs),
      isSigned: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
      lengthOff: fc.constantFrom(0, 0, 0, 0, -1),
    })
    .map((one) => {
      const body = one.body ?? '';
      const lines = [
        `${one.method} ${one.path}${one.query === null ? '' : `?${one.query}`} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        ...(one.isSigned ? [`Authorization: Bearer ${token}`] : []),
        ...one.headers,
        ...(one.headers.some((text) => text.startsWith('Transfer')) || body === ''
          ? []
          : [`Content-Length: ${Math.max(0, Buffer.byteLength(body) + one.lengthOff)}`]),
        'Connection: close',
      ];
      return { bytes: `${lines.join('\r\n')}\r\n\r\n${body}` };
    });
