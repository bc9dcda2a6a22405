/** Starts one thread of the database, and lets the HTTP thread send requests to it. */
import { Worker } from 'node:worker_threads';
import { type AnswerRequest, errorOf, type Reply } from '../http/exchange.ts';
import type { FromWorker, ToWorker, WorkerOptions } from './contract.ts';

export interface DatabaseThread {
  /** As `AnswerRequest`, but rejects when the thread ends by itself. */
  readonly answer: AnswerRequest;
  ping(): Promise<void>;
  say(message: ToWorker): void;
  close(): Promise<void>;
  /** Rejects when the thread ends by itself, and never resolves. */
  readonly failed: Promise<never>;
}

interface Waiting {
  readonly onValidToken: (() => void) | null;
  resolve(reply: Reply | null): void;
  reject(error: Error): void;
}

/**
 * Resolves when the thread has opened the database.
 * @param program the file that the thread runs, which calls `serveThread`
 * @param onChanged called after each commit of this thread, with those who can see the change, and with null when a
 *   write of another process was found
 */
export async function startThread(
  program: string,
  options: WorkerOptions,
  onChanged: (people: readonly number[] | null) => void,
): Promise<DatabaseThread> {
  // What a request allocates is garbage after its answer. Without a limit V8 lets much more of it accumulate in every thread.
  const worker = new Worker(program, { workerData: options, resourceLimits: { maxYoungGenerationSizeMb: 16 } });
  const say = (message: ToWorker): void => worker.postMessage(message);
  const { ask, receive, rejectAll } = createPending(say);
  let isClosing = false;
  let onReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => {
      if (!isClosing) reject(new Error('the thread of the database has ended'));
    });
  });
  failed.catch(rejectAll);
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') onReady();
    else if (message.kind === 'changed') onChanged(message.people);
    else receive(message);
  });
  await Promise.race([ready, failed]);
  return {
    answer: async (request, onValidToken) => {
      const saysValid = onValidToken !== null;
      return (await ask((number) => ({ kind: 'request', number, request, saysValid }), onValidToken)) as Reply;
    },
    ping: async () => void (await ask((number) => ({ kind: 'ping', number }))),
    say,
    close: async () => {
      isClosing = true;
      say({ kind: 'close' });
      await ended;
    },
    failed,
  };
}

/** The requests that the thread has not answered yet. */
function createPending(say: (message: ToWorker) => void) {
  const waiting = new Map<number, Waiting>();
  let lastNumber = 0;
  return {
    ask: (message: (number: number) => ToWorker, onValidToken: Waiting['onValidToken'] = null) =>
      new Promise<Reply | null>((resolve, reject) => {
        lastNumber += 1;
        waiting.set(lastNumber, { resolve, reject, onValidToken });
        say(message(lastNumber));
      }),
    receive: (message: Extract<FromWorker, { readonly number: number }>): void => {
      const found = waiting.get(message.number);
      if (message.kind !== 'valid') waiting.delete(message.number);
      if (message.kind === 'valid') found?.onValidToken?.();
      else if (message.kind === 'reply') found?.resolve(message.reply);
      else if (message.problem === null) found?.resolve(null);
      else found?.reject(errorOf(message.problem));
    },
    rejectAll: (error: Error): void => {
      for (const { reject } of waiting.values()) reject(error);
    },
  };
}
