/** Notices: short texts for the user that say what happened and what follows. */
import type { MessageId } from '../../protocol/types.ts';
import type { Notice } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';
import { addNotice } from '../../state/view/notices.ts';
import { type Services, update } from './services.ts';

const passingMs = 8_000;

/** Names the notice about what a message has lost, which goes with the message. */
export const aboutLoss = (id: MessageId): string => `kept ${id}`;

/** Shows a notice. A later one with the same `about` takes its place. */
export function showNotice(
  context: Pick<Services, 'store' | 'clock'>,
  tone: Notice['tone'],
  about: string,
  text: string,
): void {
  update(context, notice(context, tone, about, text));
}

/** `; KEY does it`, or '' where the command has no key. */
export function keyAdvice({ keyOf }: Pick<Services, 'keyOf'>, commandId: string, does: string): string {
  const key = keyOf?.(commandId) ?? '';
  return key === '' ? '' : `; ${key} ${does}`;
}

/** Errors and questions stay until they are resolved or dismissed; other notices go by themselves. */
export function notice(
  context: Pick<Services, 'clock'>,
  tone: Notice['tone'],
  about: string,
  text: string,
  { isLasting = tone === 'error' }: { readonly isLasting?: boolean } = {},
): Transition {
  const at = context.clock.now();
  return addNotice({ tone, about, text, at, until: isLasting ? null : at + passingMs });
}
