/** The corpus as answers of the API: a body of its own, the id of a resource, and the fields beside an id. */

/** `body`: nothing else comes. `id`: it replaces an id. `inside`: what its brackets hold is an id, or more fields. */
export type Place = 'body' | 'id' | 'inside';
export const places: readonly Place[] = ['body', 'id', 'inside'];

export type Resource = 'message' | 'conversation' | 'messages' | 'conversations';

const rests = {
  message:
    '"conversation_id":"c1","contact":{"id":"k1","username":"me"},"message":"odd","reactions":[],"attachments":[],"read_at":null,"created_at":1760000000,"updated_at":null',
  conversation:
    '"contact_id":"k2","group_id":null,"pinned_message_id":null,"is_pinned":false,"is_muted":false,"last_active_at":null,"last_opened_at":null,"created_at":1750000000,"archived_at":null',
} as const;

const owns = { message: '"id":"m1"', conversation: '"id":"c1"' } as const;

/** What is asked for has the id `m1` or `c1`; lists hold the odd row alone. */
export function corpusAnswer(bytes: Buffer, place: Place, resource: Resource): Buffer {
  if (place === 'body') return bytes;
  const single = resource === 'messages' || resource === 'message' ? 'message' : 'conversation';
  const row = Buffer.concat([Buffer.from('{'), oddId(bytes, place, owns[single]), Buffer.from(`,${rests[single]}}`)]);
  if (resource === single) return row;
  return Buffer.concat([Buffer.from('{"has_more":false,"data":['), row, Buffer.from(']}')]);
}

function oddId(bytes: Buffer, place: Place, own: string): Buffer {
  const inner = bytes.subarray(1, -1);
  const first = bytes.toString('latin1', 0, 1);
  if (place === 'inside' && first === '{') return Buffer.concat([Buffer.from(`${own},`), inner]);
  return Buffer.concat([Buffer.from('"id":'), place === 'inside' && first === '[' ? inner : bytes]);
}

/** Every string and number in the bytes, exactly as written there: what an id of a row may be. */
export function scalarsIn(bytes: Buffer): ReadonlySet<string> {
  const text = bytes.toString();
  const strings = (text.match(/"(?:[^"\\]|\\.)*"/gs) ?? []).flatMap((written) => read(written));
  const numbers = text.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  // Of no more digits than a double holds, and not so small that it reads as nothing.
  const exact = numbers.filter((one) => one.length < 15 && (Number(one) !== 0 || !/[1-9].*e/i.test(one)));
  return new Set([...strings, ...numbers, ...exact.map((one) => String(Number(one)))]);
}

function read(written: string): readonly string[] {
  try {
    return [JSON.parse(written) as string];
  } catch {
    return [];
  }
}
