/** Asks for a second Enter before a text is sent that looks like a slash command but is none. */
import { dropNotice } from '../state/view/notices.ts';
import { typingMs } from '../state/view/too-soon.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

const prefix = 'send as text in ';

const armed = (context: CommandContext) =>
  context.get().screen.notices.find(({ about }) => about.startsWith(prefix)) ?? null;

/**
 * Asks at the first Enter, and returns true at the next one. An Enter that comes as fast as a held key does neither.
 * @returns whether the text may be sent now
 */
export function mayGoAsText(context: CommandContext, question: string): boolean {
  const now = context.now();
  const asked = armed(context);
  const about = `${prefix}${context.get().view.openId}`;
  if (asked?.about !== about || (asked.until ?? 0) <= now) {
    notify(context, question, { tone: 'warning', about });
    return false;
  }
  if (now - asked.at < typingMs) return false;
  disarm(context);
  return true;
}

/** Forgets the question. To be called at each other key and paste, as the text may be another one then. */
export function disarm(context: CommandContext): void {
  const asked = armed(context);
  if (asked !== null) context.update(dropNotice(asked.about));
}
