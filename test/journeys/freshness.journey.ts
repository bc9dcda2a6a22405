/** How old what was seen was, as the chat and the command line report it from the ledger. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf, type RequestEntry } from '../../src/storage/ledger/entry.ts';
import { journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { talking, withAnn } from './cast.ts';

/** Half an hour of polls, one in ten seconds, hours ago: the chat did not run in between. */
function polls(): readonly RequestEntry[] {
  const from = Date.now() - 3 * 3_600_000;
  const poll = { kind: 'request', method: 'GET', host: 'chat.example', path: '/v1/messages', status: 304 } as const;
  const rest = {
    problem: null,
    sent: 0,
    received: 0,
    durationMs: 0,
    reason: 'newest messages of the open conversation',
  };
  return Array.from({ length: 181 }, (_, index) => ({ ...poll, ...rest, at: from + index * 10_000 }));
}

test('the chat and status report the age of what was shown', async () => {
  const j = await journey({ seed: talking(withAnn) });
  await j.see('as of');
  await j.quit();
  const [file = ''] = readdirSync(j.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /ledger.[\d-]+\.jsonl$/.test(name),
  );
  appendFileSync(join(j.folder, file), polls().map(lineOf).join(''));

  const env = { PATH: process.env.PATH ?? '', ...environmentIn(j.folder) };
  const account = { MSG_TUI_SERVER: j.server.url, MSG_TUI_TOKEN: j.server.me.token };
  const status = (...words: string[]): string =>
    execFileSync(process.execPath, [program, 'status', ...words], { env: { ...env, ...account }, encoding: 'utf8' });
  expect(status().replaceAll(/\s+/g, ' ')).toMatch(
    /median [45]\.\d s, 95 % within 9\.\d s, \d+ requests an hour, \d+ % not modified/,
  );
  expect(JSON.parse(status('--json')).freshness).toMatchObject({ median_ms: expect.any(Number) });

  j.start();
  await j.open('ann');
  j.type('/freshness\r');
  await j.see(/median [45]\.\d s, 95 % within 9\.\d s/);
});
