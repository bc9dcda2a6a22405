/**
 * Answers a repeated POST with the answer of the first one and without a second effect (server-differences:
 * Idempotency).
 */

import { emptiedAnswer } from '../store/idempotency.ts';
import type { PersonRow } from '../store/people.ts';
import { digestOf } from '../store/secrets.ts';
import type { Rules, Service } from './service.ts';
import { badParameter, notFound } from './service-error.ts';

export interface KeyedRequest {
  readonly caller: PersonRow;
  /** The value of `Idempotency-Key`. */
  readonly key: string;
  readonly path: string;
  readonly raw: Uint8Array;
}

export interface KeyedAnswer {
  readonly status: number;
  readonly body: string;
}

/** Stores the answer in the same transaction as the effect. A refusal has no effect and is not stored. */
export async function once(
  service: Service,
  request: KeyedRequest,
  work: (rules: Rules) => Promise<KeyedAnswer>,
): Promise<KeyedAnswer> {
  const { caller, key } = request;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badParameter('Idempotency-Key', 'must be 1 to 255 visible characters');
  const digest = digestOf(Buffer.concat([Buffer.from(`${request.path}\n`), request.raw]));
  return service.transaction(async (rules) => {
    const { idempotency } = rules.store;
    // The second statement is carried out after the first one, and is sent without waiting.
    const [, kept] = await Promise.all([
      idempotency.lock(caller.seq),
      idempotency.find(caller.seq, key, service.now()),
    ]);
    if (kept === undefined) {
      const fresh = await work(rules);
      idempotency.save(caller.seq, key, { request_digest: digest, ...fresh }, service.now());
      return fresh;
    }
    if (!Buffer.from(kept.request_digest).equals(digest)) {
      throw badParameter('Idempotency-Key', 'was used for another request', 'idempotency_key_reused');
    }
    // The message was posted and has been deleted since: it is not posted a second time. The trigger `empty_kept_answer`
    // of the schema has emptied the answer.
    if (kept.body === emptiedAnswer) throw notFound('message');
    return { status: kept.status, body: kept.body };
  });
}
