/** A request written by hand, for what no HTTP client would send. */
import { connect } from 'node:net';

/** Everything the server sends until it closes the connection, or until `until` fits. */
export function raw(url: string, parts: readonly (string | Buffer)[], until?: RegExp): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    const done = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (until?.test(received)) done();
    });
    socket.on('close', done);
    // A server that hangs up on a body still being written is right to do so.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['EPIPE', 'ECONNRESET'].includes(error.code ?? '') ? done() : reject(error),
    );
  });
}
