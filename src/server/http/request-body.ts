/** Reads the query and the form body of a request, within their limits. */
import type { IncomingMessage } from 'node:http';
import { decodeForm, FormError, type FormMap } from '../../protocol/form-decode.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { PlainRequest } from './exchange.ts';

/** Bytes. */
const maximumBody = 256 * 1024;

export const decodeQuery = (query: string): FormMap => decode(query);

/** Throws `ServiceError` 415 for a body that is no form, and 400 for one that is not UTF-8 or is badly written. */
export function decodeBody({ body, contentType }: Pick<PlainRequest, 'body' | 'contentType'>): FormMap {
  if (body.byteLength > 0 || contentType !== null) checkType(contentType);
  try {
    return decode(new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(body));
  } catch (error) {
    throw error instanceof TypeError ? notUtf8 : error;
  }
}

/**
 * Reads the body as bytes. Rejects with `ServiceError` 413, 415, and 400 for a body that ends too early. It reads the
 * request of Node: the streams of a web `Request` take longer than the rest of a request.
 */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const { 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (encoding !== undefined && encoding !== 'identity') throw unsupported('Compressed bodies are not accepted.');
  if (Number(length ?? '0') > maximumBody) throw tooLarge();
  if (request.destroyed) throw incomplete;
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      how();
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maximumBody) return;
      request.pause();
      settle(() => reject(tooLarge()));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    // A caller who closes the connection within the body is no failure of the server.
    const onClose = (): void => settle(() => reject(incomplete));
    // An error is followed by the close, and without a listener it would end the process.
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** The error also closes the connection, which cannot be used again as the rest of the body is not read. */
const tooLarge = (): ServiceError =>
  new ServiceError(413, 'body_too_large', `The body is larger than ${maximumBody} bytes.`, {
    headers: { Connection: 'close' },
  });

const incomplete = new ServiceError(400, 'request_invalid', 'The body is incomplete.');

const notUtf8 = new ServiceError(400, 'parameter_invalid', 'The body is not UTF-8.');

function checkType(type: string | null): void {
  const [name, ...parameters] = (type ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (name !== 'application/x-www-form-urlencoded' || (charset !== undefined && charset !== 'utf-8')) {
    throw unsupported('Bodies must be application/x-www-form-urlencoded in UTF-8.');
  }
}

const unsupported = (message: string): ServiceError =>
  new ServiceError(415, 'media_type_unsupported', message, {
    headers: { 'Accept-Post': 'application/x-www-form-urlencoded' },
  });

function decode(encoded: string): FormMap {
  try {
    return decodeForm(encoded);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    const { parameter } = error;
    const message = parameter === null ? error.message : `${parameter}: ${error.message}`;
    throw new ServiceError(400, 'parameter_invalid', message, parameter === null ? {} : { param: parameter });
  }
}
