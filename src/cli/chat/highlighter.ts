/** Starts the thread that colours code. It has no environment, so that no token is in it, and a limited heap. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { StartColourer } from '../../view/code-colours.ts';

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

export const startHighlighter: StartColourer = async (onAnswer, onEnd) => {
  // Loading it takes 3 ms, and compiled code from the cache cannot call `import`.
  const { Worker } = createRequire(import.meta.url)('node:worker_threads') as typeof import('node:worker_threads');
  // So does starting it, and a key may come first.
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
