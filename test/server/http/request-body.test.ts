import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openOwnTarget } from '../../contract/target.ts';

test('a caller who closes the connection in the middle of a body is not an error of the server', async () => {
  const failures: unknown[] = [];
  const target = await openOwnTarget({ onFailure: (error) => void failures.push(error) });
  onTestFinished(() => target.close());
  const { hostname, port } = new URL(target.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /v1/messages HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${target.token}\r\n`;
  socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nmess`);
  const alive = async (): Promise<number> =>
    (await fetch(`${target.url}/v1/messages`, { headers: { authorization: `Bearer ${target.token}` } })).status;
  // By the answer to this one the head of the other has been read.
  expect(await alive()).toBe(200);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
  expect(await alive()).toBe(200);
  expect(failures).toEqual([]);
});
