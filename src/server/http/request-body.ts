/** Reads the query and the form body of a request, within their limits. */
import { decodeForm, FormError, type FormMap } from '../../protocol/form-decode.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Ask } from './exchange.ts';

/** Bytes. */
export const maximumBody = 256 * 1024;

export const decodeQuery = (query: string): FormMap => decode(query);

/** Throws `ServiceError` 415 for a body that is no form. */
export function decodeBody({ body, contentType }: Pick<Ask, 'body' | 'contentType'>): FormMap {
  if (body.byteLength > 0 || contentType !== null) checkType(contentType);
  return decode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body));
}

/** Reads the body as bytes. Throws `ServiceError` 413 and 415. */
export async function readBody(request: Request): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') throw unsupported('Compressed bodies are not accepted.');
  const tooLarge = () =>
    // The rest of the body is not read, so the connection cannot be used again.
    new ServiceError(413, 'body_too_large', `The body is larger than ${maximumBody} bytes.`, {
      headers: { Connection: 'close' },
    });
  if (Number(request.headers.get('content-length') ?? '0') > maximumBody) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > maximumBody) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // A caller who closes the connection within the body is no failure of the server.
    throw error instanceof ServiceError ? error : incomplete;
  }
  return Buffer.concat(chunks);
}

const incomplete = new ServiceError(400, 'request_invalid', 'The body did not come whole.');

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
