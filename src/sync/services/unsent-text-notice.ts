/** The notice about unsent text in a conversation that is gone on the server. */
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { notice } from './notices.ts';
import type { Services } from './services.ts';

const about = 'left words';

export function unsentTextNotice(context: Services, count: number): Transition {
  const words = count === 1 ? 'One unsent text is' : `${count} unsent texts are`;
  const text = `${words} left of a conversation that is gone. It stays in the list until they are edited or discarded.`;
  return notice(context, 'warning', about, text, { isLasting: true });
}

export const conversationIsBack: Transition = dropNotice(about);
