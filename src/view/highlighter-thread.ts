/** The program of the thread that colours code, built as dist/highlighter.cjs. It answers each request, in their order. */
import { parentPort } from 'node:worker_threads';
import { hasLanguage, highlight } from '../text/markdown/highlighter.ts';
import type { ColourAnswer, ColourRequest } from './code-colours.ts';

function answer({ code, language }: ColourRequest): ColourAnswer {
  if (!hasLanguage(language)) return null;
  try {
    return highlight(code, language);
  } catch {
    return [];
  }
}

parentPort?.on('message', (request: ColourRequest) => parentPort?.postMessage(answer(request)));
