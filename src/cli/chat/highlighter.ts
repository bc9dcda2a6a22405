/** Starts the thread that colours code. It has no environment, so that no token is in it, and a limited heap. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { StartColourer } from '../../view/code-colours.ts';

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

export const startHighlighter: StartColourer = async (onAnswer, onEnd) => {
  // The module is loaded here because that takes 3 ms, and by `require` because compiled code from the cache cannot call
  // `import`.
  const { Worker } = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
  // Starting the thread takes as long, so a key may be handled before.
  await new Promise(setImmediate);
  const file = fileURLToPath(new URL('./highlighter.cjs', import.meta.url));
  // Whatever it writes stays off the screen.
  const worker = new Worker(file, { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits });
  worker.unref();
  worker.on('message', onAnswer);
  worker.on('error', onEnd);
  worker.on('exit', onEnd);
  return { ask: (request) => worker.postMessage(request), end: () => void worker.terminate() };
};
