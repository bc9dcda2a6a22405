/** Changes what is kept on this machine alone: drafts, and what has been read. */

import { noticeNames } from '../../state/model/screen-state.ts';
import type { Transition } from '../../state/store.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import type { Account } from './account.ts';

/** @throws ExitError 1 where the disk refuses it, and where this run has no files at all */
export function saveLocally({ store, session }: Account, change: Transition): void {
  if (store.getState().view.isVolatile === true)
    throw new ExitError(exitCodes.failure, 'not saved, as nothing is kept on disk here; msg-tui doctor says why');
  store.setState(change);
  session.flush();
  // The notice may be there already, about what the disk has refused before; it is removed once the disk takes something.
  const refusal = store.getState().screen.notices.find(({ about }) => about === noticeNames.local);
  if (refusal !== undefined) throw new ExitError(exitCodes.failure, refusal.text);
}
