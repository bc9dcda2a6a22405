/** Runs the server until it is asked to stop. */
import { ExitError, exitCodes, messageOf } from '../exit.ts';
import { chosenDatabase, type DatabaseOptions, openChosen } from './database.ts';
import { complain, print } from './output.ts';

export interface ServeOptions extends DatabaseOptions {
  readonly listen: { readonly host: string; readonly port: number };
  readonly readOnOpen: 'on' | 'off';
  readonly allowRemote?: true;
  readonly rateLimit?: true;
  readonly maxConnections: number;
}

/** SQLite waits for a lock inside the event loop and blocks every request; after this time the request gets a 503. */
const busyTimeoutMs = 250;

export async function runServer(options: ServeOptions): Promise<void> {
  const { startServer } = await import('../../server/http/start.ts');
  const server = await startServer({
    engine: await openChosen(chosenDatabase(options), { sqlite: { busyTimeoutMs } }),
    host: options.listen.host,
    port: options.listen.port,
    readOnOpen: options.readOnOpen === 'on',
    allowNonLoopback: options.allowRemote === true,
    maximumConnections: options.maxConnections,
    ...(options.rateLimit === true ? { rateLimit: 'on' as const } : {}),
    onFailure: (error, requestId) => complain(`${requestId}: ${messageOf(error)}`),
  }).catch((error: unknown) => refuseToListen(error, options.listen));
  if (options.allowRemote === true)
    complain('warning: tokens and messages travel unencrypted; put a TLS proxy in front');
  print(`listening on ${server.url}`);
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await server.close();
}

function refuseToListen(error: unknown, { host, port }: ServeOptions['listen']): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    throw new ExitError(exitCodes.failure, `serve: ${host}:${port} is in use; choose another port with --listen`);
  throw error;
}
