/** Runs the server until it is asked to stop. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { AdminAddress } from '../../server/http/monitoring/admin-address.ts';
import type { Metrics } from '../../server/http/monitoring/metrics.ts';
import type { AnsweredRequest } from '../../server/http/monitoring/observe-requests.ts';
import type { AnswerOptions, HttpOptions, RunningHttp } from '../../server/http/start.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { version } from '../process/version.ts';
import { openDataFile } from './data-file.ts';
import { type ChosenDatabase, chosenDatabase, type DatabaseOptions, openChosen } from './database.ts';
import { complain, print } from './output.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ServeOptions extends DatabaseOptions {
  readonly listen: Address;
  readonly adminListen?: Address;
  readonly logRequests?: true;
  readonly readOnOpen: 'on' | 'off';
  readonly allowRemote?: true;
  readonly rateLimit?: true;
  readonly maxConnections: number;
}

/**
 * Restores V8's default growth of the young generation. The launcher keeps it at 1 MB for a chat, in which the requests
 * that a server answers at the same time have no room: most of what they need would be copied again and again.
 */
const youngGenerationGrows = '--semi-space-growth-factor=2';

/** Milliseconds from one line about a database that cannot be used to the next. */
const complaintPauseMs = 60_000;

/** Milliseconds that requests under way have to finish once the server is asked to stop. */
const stopGraceMs = 10_000;

export async function runServer(options: ServeOptions): Promise<void> {
  setFlagsFromString(youngGenerationGrows);
  // As in `main.ts`, which a server that is bundled alone does not have: without a listener the error would end the server where
  // nobody reads its log any more, or the disk of the log is full.
  process.stderr.on('error', () => undefined);
  // By default Node opens its debugger, through which any user of the machine could run code in the server.
  process.on('SIGUSR1', () => undefined);
  const { createMetrics } = await import('../../server/http/monitoring/metrics.ts');
  const metrics = createMetrics(version);
  const { server, failed } = await startAnswering(chosenDatabase(options), {
    host: options.listen.host,
    port: options.listen.port,
    readOnOpen: options.readOnOpen === 'on',
    allowNonLoopback: options.allowRemote === true,
    maximumConnections: options.maxConnections,
    ...(options.rateLimit === true ? { rateLimit: 'on' as const } : {}),
    stopGraceMs,
    ...(await listeners(metrics, options)),
  }).catch((error: unknown) => refuseToListen(error, options.listen, '--listen'));
  const admin = await openAdmin(server, metrics, options);
  if (options.allowRemote === true)
    complain('warning: tokens and messages travel unencrypted; put a TLS proxy in front');
  if (admin !== null) print(`health and metrics on ${admin.address.url}`);
  print(`listening on ${server.url}`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, resolve);
  });
  await Promise.race([stopped, failed]);
  admin?.stop();
  await server.close();
  await admin?.address.close();
}

interface Answering {
  readonly server: RunningHttp;
  /** Rejects when the server cannot go on, and never resolves. */
  readonly failed: Promise<never>;
}

/** Starts answering: SQLite works in worker threads; PostgreSQL needs none, as waiting for it blocks nothing. */
async function startAnswering(chosen: ChosenDatabase, options: HttpOptions & AnswerOptions): Promise<Answering> {
  const { limitsRate, startHttp, startServer } = await import('../../server/http/start.ts');
  if (chosen.kind !== 'file') {
    return { server: await startServer({ engine: await openChosen(chosen), ...options }), failed: never };
  }
  // What is wrong with the file is found here, and its tables are brought up to date.
  await (await openDataFile(chosen.name)).close();
  const { startThreads } = await import('../../server/worker/start-threads.ts');
  const threads = await startThreads({
    program: fileURLToPath(new URL('./database-thread.cjs', import.meta.url)),
    path: chosen.name,
    readOnOpen: options.readOnOpen ?? true,
    limitsRate: limitsRate(options),
  });
  return { server: await startHttp(threads, options), failed: threads.failed };
}

const never = new Promise<never>(() => undefined);

/** Makes the listeners that count and log requests. */
async function listeners(metrics: Metrics, { logRequests }: ServeOptions): Promise<Partial<HttpOptions>> {
  const { requestLine } = await import('../../server/http/monitoring/request-log.ts');
  const complainSometimes = createComplaints();
  return {
    onAnswered: (request: AnsweredRequest) => {
      metrics.answered(request);
      if (logRequests === true) process.stderr.write(`${requestLine(request, Date.now())}\n`);
    },
    onUnavailable: (error) => {
      metrics.databaseError('unavailable');
      complainSometimes(messageOf(error));
    },
    onFailure: (error, requestId) => {
      metrics.databaseError('failure');
      complain(`${new Date().toISOString()} ${requestId}: ${messageOf(error)}`);
    },
  };
}

/** Returns a function that writes one line a minute at most: a full disk refuses every request. */
function createComplaints(): (cause: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (cause) => {
    const now = Date.now();
    if (now - saidAt < complaintPauseMs) return;
    saidAt = now;
    complain(`${new Date(now).toISOString()} ${cause}: requests are answered with 503`);
  };
}

/** Opens the address of `--admin-listen`. The server is closed again where that is not possible. */
async function openAdmin(
  server: RunningHttp,
  metrics: Metrics,
  { adminListen, allowRemote }: ServeOptions,
): Promise<{ readonly address: AdminAddress; readonly stop: () => void } | null> {
  if (adminListen === undefined) return null;
  const { openAdminAddress } = await import('../../server/http/monitoring/admin-address.ts');
  const { createReadiness } = await import('../../server/http/monitoring/readiness.ts');
  const readiness = createReadiness(server.ping);
  const { connections, requestsInProgress } = server.requests;
  try {
    const address = await openAdminAddress({
      ...adminListen,
      allowNonLoopback: allowRemote === true,
      readiness: readiness.check,
      metrics: () => metrics.text({ connections, requestsInProgress, requestsWaiting: server.waiting }),
    });
    return { address, stop: readiness.stop };
  } catch (error) {
    await server.close();
    return refuseToListen(error, adminListen, '--admin-listen');
  }
}

function refuseToListen(error: unknown, { host, port }: Address, option: string): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    throw new ExitError(exitCodes.failure, `serve: ${host}:${port} is in use; choose another port with ${option}`);
  throw error;
}
