/** Runs in the thread that owns a connection to the database: answers the requests that the HTTP thread sends. */
import type { MessagePort } from 'node:worker_threads';
import { problemOf } from '../http/exchange.ts';
import { createAnswerer } from '../http/request-pipeline.ts';
import { createService } from '../rules/service.ts';
import type { DatabaseEngine } from '../store/sql.ts';
import type { FromWorker, ToWorker, WorkerOptions } from './contract.ts';

type ChangeListener = (people: readonly number[] | null) => void;

/** @param port to the HTTP thread; it is closed with the database, which ends the thread */
export function serveThread(port: MessagePort, engine: DatabaseEngine, { role, readOnOpen }: WorkerOptions): void {
  const service = createService({ engine, readOnOpen });
  const say = (message: FromWorker): void => port.postMessage(message);
  const listeners = new Set<ChangeListener>();
  const onChange = (listener: ChangeListener): void => void listeners.add(listener);
  const answerer = createAnswerer({ service, rateLimiter: null, onChange });
  if (role === 'writer') service.onVisible((people) => say({ kind: 'changed', people }));

  const isWrittenByOthers = createForeignWrites(engine);

  const receive = async (message: ToWorker): Promise<void> => {
    if (message.kind === 'request') {
      const { number, request } = message;
      const onValidToken = message.saysValid ? () => say({ kind: 'valid', number }) : null;
      say({ kind: 'reply', number, reply: await answerer.answer(request, onValidToken) });
    } else if (message.kind === 'ping') {
      const problem = await engine.sql.get('SELECT 1').then(() => null, problemOf);
      say({ kind: 'pong', number: message.number, problem });
    } else if (message.kind === 'changed') {
      for (const listener of listeners) listener(message.people);
    } else if (message.kind === 'check') {
      if (await isWrittenByOthers()) say({ kind: 'changed', people: null });
    } else if (message.kind === 'stopWaiting') {
      answerer.stopWaiting();
    } else {
      await service.close();
      port.close();
    }
  };
  port.on('message', (message: ToWorker) => void receive(message));
  say({ kind: 'ready' });
}

/**
 * Resolves to whether anybody but this connection has written to the data file since the last call; the first time to
 * true.
 */
function createForeignWrites({ sql }: DatabaseEngine): () => Promise<boolean> {
  let last: number | undefined;
  return async () => {
    // SQLite changes the number with each commit of another connection (https://sqlite.org/pragma.html#pragma_data_version).
    const row = await sql.get<{ data_version: number }>('PRAGMA data_version');
    const isChanged = row?.data_version !== last;
    last = row?.data_version;
    return isChanged;
  };
}
