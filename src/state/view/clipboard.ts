/** What was copied or pasted last in this program; a program in a terminal cannot read the clipboard itself. */
import { cleanInput } from '../../text/safe/sanitize.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

export const rememberClipboard =
  (text: string): Transition =>
  (state) =>
    patchView(state, { clipboard: cleanInput(text) });
