/** The notice about unsent text in a conversation that is gone on the server. */
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { notice } from './notices.ts';
import type { Services } from './services.ts';

const about = 'unsent text of a gone conversation';

export function unsentTextNotice(context: Services, count: number): Transition {
  const [texts, they] = count === 1 ? ['One unsent text is', 'it is'] : [`${count} unsent texts are`, 'they are'];
  const rest = `The conversation stays in the list until ${they} edited or discarded.`;
  return notice(context, 'warning', about, `${texts} left of a conversation that is gone. ${rest}`, {
    isLasting: true,
  });
}

export const dropUnsentTextNotice: Transition = dropNotice(about);
