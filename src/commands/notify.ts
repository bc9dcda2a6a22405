/** Short notices with which commands answer: why something was not done, or what to do next. */

import type { Notice } from '../state/model/app-state.ts';
import { addNotice, dropNotice } from '../state/view/notices.ts';
import type { CommandContext } from './context.ts';

const shownMs = 5_000;

export interface NoticeOptions {
  readonly tone?: Notice['tone'];
  readonly about?: string;
  /** Null: until what it is about is resolved. */
  readonly forMs?: number | null;
  readonly isRefusal?: true;
}

/** A later notice about the same thing replaces it. */
export function notify(
  context: CommandContext,
  text: string,
  { tone = 'info', about = 'command', forMs = shownMs, ...kind }: NoticeOptions = {},
): void {
  const at = context.now();
  context.update(addNotice({ tone, text, at, until: forMs === null ? null : at + forMs, about, ...kind }));
}

/** Shows the problem until a later call says by null that there is none any more. */
export function notifyProblem(context: CommandContext, about: string, problem: string | null): void {
  if (problem === null) context.update(dropNotice(about));
  else notify(context, problem, { tone: 'warning', about, forMs: null });
}
