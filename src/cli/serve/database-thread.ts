/** The program of the threads that own the data file of the server. It is built as dist/database-thread.cjs. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOptions } from '../../server/worker/contract.ts';
import { serveThread } from '../../server/worker/serve-thread.ts';
import { openDataFile } from './data-file.ts';

/** The time for which a request waits while another process writes to the data file. */
const busyTimeoutMs = 250;

const options = workerData as WorkerOptions;
const port = parentPort;
if (port !== null)
  void openDataFile(options.path, { busyTimeoutMs }).then((engine) => serveThread(port, engine, options));
