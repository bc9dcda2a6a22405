/** The notice about unsent text in a conversation that is gone on the server. */
import { noticeNames } from '../../state/model/screen-state.ts';
import type { Transition } from '../../state/store.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { notice } from './notices.ts';
import type { Services } from './services.ts';

export function unsentTextNotice(context: Services, count: number): Transition {
  const [texts, they] =
    count === 1 ? ['One unsent text is', 'the text is'] : [`${count} unsent texts are`, 'the texts are'];
  const rest = `The conversation stays in the list until ${they} discarded.`;
  return notice(context, 'warning', noticeNames.unsentText, `${texts} left of a conversation that is gone. ${rest}`, {
    isLasting: true,
  });
}

export const dropUnsentTextNotice: Transition = dropNotice(noticeNames.unsentText);
