/** One request over real HTTP, as plainly as it can be written, and what came back. */

export interface Caller {
  readonly url: string;
  readonly token: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
  readonly json: any;
}

export type Fields = Readonly<Record<string, string>> | string;

export interface CallOptions {
  /** A string is sent as it stands. */
  readonly form?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function call(caller: Caller, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { form } = options;
  const body = form === undefined ? null : typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const response = await fetch(`${caller.url}${path}`, {
    method,
    body,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${caller.token}`,
      ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...options.headers,
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates, or finds, the conversation with a contact or group. */
export async function conversationWith(caller: Caller, party: Readonly<Record<string, string>>): Promise<string> {
  const reply = await call(caller, 'POST', '/v1/conversations', { form: party });
  if (typeof reply.json?.id !== 'string') throw new Error(`no conversation: ${reply.status} ${reply.text}`);
  return reply.json.id;
}

/** Sends a message; the created resource. */
export async function sendTo(caller: Caller, conversationId: string, message: string) {
  const reply = await call(caller, 'POST', '/v1/messages', { form: { conversation_id: conversationId, message } });
  if (typeof reply.json?.id !== 'string') throw new Error(`not sent: ${reply.status} ${reply.text}`);
  return reply.json;
}
