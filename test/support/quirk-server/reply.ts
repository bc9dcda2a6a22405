/** Answers and errors of the quirk server before they become bytes. */
import type { Quirks } from './quirks.ts';

export interface Reply {
  readonly status: number;
  /** undefined: no body. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The same refusal in the shape of this server. */
export function refusalReply({ status, message }: Refusal, { errors }: Quirks): Reply {
  switch (errors) {
    case 'message':
      return { status, body: JSON.stringify({ message, code: 'x' }) };
    case 'error.message':
      return { status, body: JSON.stringify({ error: { message } }) };
    case 'error':
      return { status, body: JSON.stringify({ error: message }) };
    case 'errors':
      return { status, body: JSON.stringify({ errors: [{ message }] }) };
    case 'detail':
      return { status, body: JSON.stringify({ detail: message }) };
    case 'html':
      return { status, body: `<html><body><h1>${message}</h1></body></html>` };
    case 'nothing':
      return { status };
    case 'ok-false':
      return status >= 400 && status < 500
        ? { status: 200, body: JSON.stringify({ ok: false, error: message }) }
        : { status, body: JSON.stringify({ ok: false, error: message }) };
  }
}
