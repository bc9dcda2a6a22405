/** A refusal that the caller is shown: status, machine-readable code, one sentence, and the wrong parameter. */

export type ServiceErrorStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 503;

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: ServiceErrorStatus;
  readonly code: string;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: ServiceErrorStatus,
    code: string,
    message: string,
    more: { readonly param?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = more.param ?? null;
    this.headers = more.headers ?? {};
  }
}

export const badParameter = (param: string, message: string, code = 'parameter_invalid'): ServiceError =>
  new ServiceError(400, code, `${param}: ${message}`, { param });

export const missingParameter = (param: string): ServiceError =>
  badParameter(param, 'is required', 'parameter_missing');

export const notFound = (what: string, param?: string): ServiceError =>
  new ServiceError(404, 'not_found', `No such ${what}.`, param === undefined ? {} : { param });

export const forbidden = (message: string, param?: string): ServiceError =>
  new ServiceError(403, 'forbidden', message, param === undefined ? {} : { param });
