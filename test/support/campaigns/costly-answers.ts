/** Answers of a few kilobytes or megabytes that are made to cost memory and time, and what they cost the built program. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { seed } from '../../journeys/cast.ts';
import { journey } from '../terminals/journey.ts';

const items = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join();

/** A page of messages, made from one that the server would have sent; `like` is the beginning of its newest row, as JSON. */
type Page = (like: string) => { readonly body: string; readonly headers?: Readonly<Record<string, string>> };

const row =
  (field: string): Page =>
  (like) => ({ body: `{"has_more":false,"data":[${like},${field}}]}` });

export const costlyPages = {
  'millions of objects': () => ({ body: `{"has_more":false,"data":[${'{},'.repeat(2_700_000)}{}]}` }),
  '350,000 reactions': row(`"reactions":[${items(350_000, (at) => `{"r${at}":["a"]}`)}]`),
  '200,000 reaction names': row(`"reactions":{${items(200_000, (at) => `"r${at}":["a"]`)}}`),
  '60,000 reaction names': row(`"reactions":{${items(60_000, (at) => `"r${at}":["a"]`)}}`),
  '90,000 people who reacted': row(`"reactions":{"heart":[${items(90_000, (at) => `"k${at}"`)}]}`),
  'an attachment of 200,000 fields': row(`"attachments":[{${items(200_000, (at) => `"f${at}":1`)}}]`),
  'an attachment of 90,000 fields': row(`"attachments":[{${items(90_000, (at) => `"f${at}":1`)}}]`),
  '30,000 attachments': row(`"attachments":[${items(30_000, (at) => `{"id":"f${at}","name":"n"}`)}]`),
  'a Link header of blanks': (like) => ({
    body: `{"has_more":true,"data":[${like}}]}`,
    headers: { link: `<x>; rel=${' '.repeat(15_000)}x` },
  }),
  'marks of two kinds in turn': row(`"message":"a${'\\u0301\\u0316'.repeat(60_000)}"`),
} as const satisfies Readonly<Record<string, Page>>;

export type CostlyPage = keyof typeof costlyPages;

export interface Cost {
  /** Milliseconds from a key to its letter, the worst and that of 95 of 100. */
  readonly worstMs: number;
  readonly p95Ms: number;
  /** The most that the program ever had in memory; null where the system does not say. */
  readonly megabytes: number | null;
}

/** Opens the conversation, whose page is the costly one from then on, and types while it is asked for again and again. */
export async function costOf(name: CostlyPage, keys: number): Promise<Cost> {
  const page: Page = costlyPages[name];
  let isCostly = false;
  // Packed once: the test that packs and the one that looks at the screen are one process.
  let made: { readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Readonly<Record<string, string>> } | null =
    null;
  let served = 0;
  const j = await journey({
    seed,
    hook: async (request, next) => {
      const answer = await next();
      const { pathname, searchParams } = new URL(request.url);
      const isPage = pathname === '/v1/messages' && searchParams.has('conversation_id') && answer.status === 200;
      if (!isCostly || request.method !== 'GET' || !isPage) return answer;
      const { data } = (await answer.json()) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
      const { reactions: _, attachments: __, ...like } = data[0] ?? {};
      if (made === null) {
        const { body, headers = {} } = page(JSON.stringify(like).slice(0, -1));
        made = { bytes: new Uint8Array(gzipSync(body)), headers };
      }
      served += 1;
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...made.headers };
      return new Response(made.bytes, { headers });
    },
  });
  await j.open('ann');
  await j.see('Write a message');
  isCostly = true;
  const asked = async (): Promise<void> => {
    const before = served;
    // The page of a conversation is asked for when the list shows that something has come.
    await j.server.as('ann').send('me', 'and more words');
    j.press('server.poll');
    await expect.poll(() => served, { timeout: 30_000 }).toBeGreaterThan(before);
  };
  const waits: number[] = [];
  for (let at = 0; at < keys; at++) {
    if (at % 10 === 0) await asked();
    // As fast as somebody types, so that the answer is read in between.
    await setTimeout(50);
    waits.push(await keyMs(j.tui.cursor, () => j.type('abcdefghij'[at % 10] ?? ''), j.see));
  }
  const sorted = waits.toSorted((a, b) => a - b);
  const status = `/proc/${j.tui.pid}/status`;
  const peak = existsSync(status)
    ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024
    : null;
  return { worstMs: sorted.at(-1) ?? 0, p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0, megabytes: peak };
}

async function keyMs(
  cursor: () => { readonly x: number; readonly y: number },
  act: () => void,
  see: (sight: () => boolean, timeoutMs?: number) => Promise<void>,
): Promise<number> {
  const before = cursor();
  const began = performance.now();
  act();
  await see(() => cursor().x !== before.x || cursor().y !== before.y, 30_000);
  return performance.now() - began;
}
