/**
 * Fetches a file from an address in a message, from any host: without the token, without following redirects,
 * not from private networks that the sender must not reach, and within limits of size and time.
 */
import { Client, type Dispatcher } from 'undici';
import { errorCode } from './classify.ts';
import { createConnector } from './connector.ts';
import { startDeadline } from './deadline.ts';
import { lookupWithin, mayAsk, outOfReach, outOfReachCode, type Reach, reachOfHost } from './private-networks.ts';
import type { ProxySettings } from './proxy-tunnel.ts';
import { type OnRequest, requestReporter } from './sent-request.ts';

export interface DownloadSettings {
  readonly proxy?: ProxySettings | undefined;
  /** Where the host may be. */
  readonly allowed: readonly Reach[];
  readonly maxBytes: number;
  readonly wholeMs: number;
  readonly idleMs: number;
  readonly signal?: AbortSignal;
  /** Called after the request, also after one without an answer. The path is left out, as a message named it. */
  readonly onRequest?: OnRequest;
}

/** `message`: why in a few words, none of them the server's. */
class DownloadProblem extends Error {
  override readonly name = 'DownloadProblem';
}

/** Rejects with `DownloadProblem` alone. */
export async function download(address: string, settings: DownloadSettings): Promise<Uint8Array> {
  const url = new URL(address);
  const { wholeMs, idleMs, proxy, allowed, signal } = settings;
  const deadline = startDeadline(wholeMs, idleMs, signal === undefined ? [] : [signal]);
  const connect = createConnector(
    { connectMs: wholeMs, insecureHttp: true, proxy, lookup: lookupWithin(allowed) },
    () => undefined,
  );
  const about = { method: 'GET', host: url.host, path: '/…', reason: 'picture' };
  const report = requestReporter(about, settings.onRequest);
  let status: number | null = null;
  let received = 0;
  const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16_384 });
  try {
    // A proxy resolves the name by itself.
    const isOut =
      proxy === undefined ? !mayAsk(url.hostname, allowed) : !allowed.includes(await reachOfHost(url.hostname));
    if (isOut) throw outOfReach();
    deadline.restartIdleTimer();
    report.begin();
    const asked = client.request({ method: 'GET', path: url.pathname + url.search, headers, signal: deadline.signal });
    const answer = await deadline.limit(asked);
    status = answer.statusCode;
    const file = await readWhole(answer, settings.maxBytes, (bytes) => {
      received = bytes;
      deadline.restartIdleTimer();
    });
    report.end({ status, sent: 0, received, problem: null });
    return file;
  } catch (error) {
    report.end({ status, sent: 0, received, problem: error instanceof DownloadProblem ? null : error });
    throw error instanceof DownloadProblem ? error : new DownloadProblem(wordsFor(error));
  } finally {
    deadline.end();
    await client.destroy();
  }
}

const headers = { accept: 'image/png, image/jpeg, image/webp, image/gif', 'user-agent': 'msg-tui' };

async function readWhole(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  onBytes: (received: number) => void,
): Promise<Uint8Array> {
  const refuse = (reason: string): DownloadProblem => {
    body.on('error', () => undefined).destroy();
    return new DownloadProblem(reason);
  };
  if (statusCode !== 200) throw refuse(statusWords(statusCode));
  const tooLarge = `it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`;
  if (Number(headers['content-length']) > maxBytes) throw refuse(tooLarge);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    onBytes(bytes);
    if (bytes > maxBytes) throw refuse(tooLarge);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function statusWords(status: number): string {
  if (status >= 300 && status <= 399) return 'it has moved to another address';
  if (status === 401 || status === 403) return 'its server wants a sign-in';
  return status === 404 || status === 410 ? 'it is gone from its server' : `its server answered ${status}`;
}

function wordsFor(error: unknown): string {
  const code = errorCode(error);
  if (code === outOfReachCode) return 'its address is inside a private network';
  if (code === 'DEADLINE' || code === 'IDLE' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'its server is too slow';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its server is not known';
  return /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String(code))
    ? 'the certificate of its server is not trusted'
    : 'its server cannot be reached';
}
