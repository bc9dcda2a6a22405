/** Text that looks like a command that there is not is sent only by a second Enter. */
import { dropNotice } from '../state/view/connection.ts';
import { typingMs } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

const about = 'send as text';

const armed = (context: CommandContext) => context.get().screen.notices.find((notice) => notice.about === about);

/**
 * Asks once, and with the next Enter says yes. An Enter that comes as fast as a held key does neither.
 * @returns whether the text may be sent now
 */
export function mayGoAsText(context: CommandContext, question: string): boolean {
  const now = context.now();
  const asked = armed(context);
  if (asked === undefined || (asked.until ?? 0) <= now) {
    notify(context, question, { tone: 'warning', about });
    return false;
  }
  if (now - asked.at < typingMs) return false;
  disarm(context);
  return true;
}

/** Another key came, or a paste: the text may be another one. */
export function disarm(context: CommandContext): void {
  if (context.get().screen.notices.length > 0) context.update(dropNotice(about));
}
