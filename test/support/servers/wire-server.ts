/** HTTP servers on port 0 for one test: handlers for polite ones, raw sockets for the others; all closed by `close`. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly port: number | undefined;
}

export interface WireServer {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  close(): Promise<void>;
}

async function listening(server: Server | RawServer, seen: Seen[], disconnect: () => void): Promise<WireServer> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close: async () => {
      disconnect();
      await new Promise((done) => server.close(done));
    },
  };
}

export async function httpServer(
  answer: (...args: [...Parameters<RequestListener>, Seen]) => void,
): Promise<WireServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(parts).toString(), port: request.socket.remotePort };
      seen.push(one);
      answer(request, response, one);
    });
  });
  return listening(server, seen, () => server.closeAllConnections());
}

/** `script` gets each connection once its request has begun to come in, with all that has come. */
export async function rawServer(script: (socket: Socket, request: string) => void): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const seen: Seen[] = [];
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const text = data.toString('latin1');
      const [method = '', url = ''] = text.split(' ');
      seen.push({ method, url, headers: {}, body: text, port: socket.remotePort });
      script(socket, text);
    });
  });
  return listening(server, seen, () => {
    for (const socket of sockets) socket.destroy();
  });
}
