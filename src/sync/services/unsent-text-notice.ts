/** The notice about unsent text in a conversation that is gone on the server. */
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { notice } from './notices.ts';
import type { Services } from './services.ts';

const about = 'unsent text of a gone conversation';

export function unsentTextNotice(context: Services, count: number): Transition {
  const texts = count === 1 ? 'One unsent text is' : `${count} unsent texts are`;
  const until = count === 1 ? 'it is' : 'they are';
  const rest = `The conversation stays in the list until ${until} edited or discarded.`;
  return notice(context, 'warning', about, `${texts} left of a conversation that is gone. ${rest}`, {
    isLasting: true,
  });
}

export const conversationIsBack: Transition = dropNotice(about);
