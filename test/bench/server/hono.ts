/** The floor of every request: hono answers a constant. Writes `listening URL` on stdout and serves until it is ended. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
const body = JSON.stringify({ has_more: false, data: [] });
app.get('/', () => new Response(body, { headers: { 'Content-Type': 'application/json' } }));
const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
