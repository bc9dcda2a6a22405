/** Short notices with which commands answer: why something was not done, or what to do next. */

import type { Notice } from '../state/model/app-state.ts';
import { addNotice } from '../state/view/notices.ts';
import type { CommandContext } from './context.ts';

const shownMs = 5_000;

/** A later notice about the same thing replaces it. */
export function notify(
  context: CommandContext,
  text: string,
  { tone = 'info', about = 'command', forMs = shownMs }: { tone?: Notice['tone']; about?: string; forMs?: number } = {},
): void {
  const at = context.now();
  context.update(addNotice({ tone, text, at, until: at + forMs, about }));
}
