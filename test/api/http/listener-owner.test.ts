/** To whose programs on this machine the token goes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { ownersOf, parseTable } from '../../../src/api/http/listener-owner.ts';
import { factsOf } from '../../support/builders/api-errors.ts';
import { canBeOthers, othersServer, otherUid } from '../../support/system/other-user.ts';

const token = 'canary-0123456789';

describe('the tables of the kernel', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const row = (local: string, remote: string, state: string, uid: number): string =>
    `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 437497 1 0 100 0 0 10 0\n`;
  const tables = (four: string, six = '') => ({ four: parseTable(head + four), six: parseTable(head + six) });
  const none = '00000000:0000';
  const six = (address: string, port: string) => `${address}:${port}`;

  test('the listener at the address itself is found before the one for all addresses', () => {
    const four = row('00000000:2253', none, '0A', 7) + row('0100007F:2253', none, '0A', 1000);
    expect(ownersOf(tables(four), '127.0.0.1', 8787, 5000)).toEqual([1000]);
    expect(ownersOf(tables(four), '127.0.0.2', 8787, 5000)).toEqual([7]);
    expect(ownersOf(tables(four), '127.0.0.1', 8788, 5000)).toEqual([]);
  });

  test('a listener on IPv6 that takes IPv4 as well is found, and so is the one at ::1', () => {
    const any = row(six('0'.repeat(32), '2253'), six('0'.repeat(32), '0000'), '0A', 8);
    const one = row(six('00000000000000000000000001000000', '2253'), six('0'.repeat(32), '0000'), '0A', 9);
    expect(ownersOf(tables('', any), '127.0.0.1', 8787, 5000)).toEqual([8]);
    expect(ownersOf(tables('', any + one), '::1', 8787, 5000)).toEqual([9]);
  });

  test('the process that has accepted this connection counts as well, and one that has accepted others does not', () => {
    const accepted = row('0100007F:2253', '0100007F:1388', '01', 66);
    const own = row('0100007F:1388', '0100007F:2253', '01', 1000);
    const others = row('0100007F:2253', '0100007F:1389', '01', 67);
    expect(ownersOf(tables(accepted + own + others), '127.0.0.1', 8787, 5000)).toEqual([66]);
  });
});

test.runIf(canBeOthers)('a program of a user who is not trusted is sent nothing', async () => {
  const squatter = await othersServer();
  const asked: number[] = [];
  const trustsOwner = (uid: number): boolean => {
    asked.push(uid);
    return uid !== otherUid;
  };
  const client = createClient({ baseUrl: `http://127.0.0.1:${squatter.port}`, token, trustsOwner });
  onTestFinished(() => client.close());
  for (const call of [
    () => client.listConversations({}),
    () => client.sendMessage({ conversationId: 'c1', message: 'words', idempotencyKey: 'k' }),
  ]) {
    const facts = await factsOf(call());
    expect(facts).toMatchObject({ kind: 'network', outcome: 'not-applied', code: 'OTHER_OWNER' });
    expect(facts.message).toMatch(
      /^port \d+ of this machine is served by another user than before \(uid 65534\); the token/,
    );
  }
  expect(squatter.heard().length).toBe(0);
  expect(asked).toContain(otherUid);
});

test.runIf(process.platform === 'linux')(
  'the owner is checked once for each connection, and our own program gets an answer',
  async () => {
    const server = createServer((_, response) => void response.end('{"data":[],"has_more":false}'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const asked: number[] = [];
    const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
    const client = createClient({ baseUrl, token, trustsOwner: (uid) => asked.push(uid) > 0 });
    onTestFinished(() => client.close());
    for (let n = 0; n < 5; n++) await client.listConversations({});
    expect(new Set(asked)).toEqual(new Set([process.getuid?.()]));
    expect(asked.length).toBeLessThanOrEqual(2);
  },
);
