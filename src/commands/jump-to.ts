/** Goes to a message wherever it is in the history of a conversation, and remembers where the user was before. */
import type { ConversationId, MessageId, Millis } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { HistoryAim, HistoryKey } from '../state/model/history.ts';
import { selectComposer, selectPlace } from '../state/select/selectors.ts';
import type { Transition } from '../state/store.ts';
import { isSameDay, rememberPlace, setSeeking, showSeeking, stopSeeking } from '../state/view/jumps.ts';
import { patchView, setFocus } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { itemOf, stepSelection } from './selection.ts';

interface Destination {
  readonly conversationId: ConversationId;
  readonly aim: HistoryAim;
  /** The end of "Fetching back to …". */
  readonly words: string;
  /** The notice for the case that there is no such message. */
  readonly missing: string;
  /** The keyboard stays in the composer, if that has it. Otherwise the messages get it. */
  readonly keepsComposer?: boolean;
}

/** The composer has the keyboard as before, in the mode of vim that it had. */
const backToComposer =
  (vim: AppState['view']['vim']): Transition =>
  (state) =>
    patchView(setFocus('composer')(state), vim === undefined ? {} : { vim });

/** Shows and selects the message; where the cache does not reach so far back, its history is fetched first. */
export function jumpTo(context: CommandContext, destination: Destination): void {
  const found = context.findInHistory(destination.conversationId, destination.aim);
  if (found === 'further back') fetchBackTo(context, destination);
  else arrive(context, destination, found);
}

function arrive(
  context: CommandContext,
  { conversationId, aim, words, missing, keepsComposer = false }: Destination,
  key: HistoryKey | null,
): void {
  const { screen, view } = context.get();
  context.update(stopSeeking);
  if (key === null) {
    notify(context, missing);
    return;
  }
  context.update(rememberPlace);
  const isShown = context.showMessage(conversationId, key) && itemOf(context.get(), conversationId, key.id) !== null;
  if (keepsComposer && screen.focus === 'composer') context.update(backToComposer(view.vim));
  if (!isShown) notify(context, missing);
  else if (aim.kind === 'date' && !isSameDay(aim.at, key.createdAt))
    notify(context, `No message from ${words}; this is the next one`);
}

/**
 * Ends when the message is there, when Esc stops it, and when another conversation is opened. The keyboard stays where it
 * is if the user has written something meanwhile, or has gone to another pane.
 */
function fetchBackTo(context: CommandContext, destination: Destination): void {
  const { conversationId, aim, words } = destination;
  const seeking = { conversationId, aim, words };
  const begun = context.get();
  const isWanted = (): boolean => {
    const { view } = context.get();
    return view.seeking === seeking && view.openId === conversationId;
  };
  const onPage = (oldest: Millis | null): void => {
    if (isWanted()) context.update(showSeeking(seeking, oldest, context.now()));
  };
  context.update(setSeeking(seeking));
  onPage(null);
  void context.fetchBack(conversationId, aim, { isWanted, onPage }).then((end) => {
    if (context.get().view.seeking !== seeking) return;
    context.update(stopSeeking);
    if (end === null) return;
    if (end.trouble === null) {
      const { screen } = context.get();
      arrive(context, destination, end.found);
      const isBusy = screen.overlays.length > 0 || screen.focus !== begun.screen.focus;
      if (isBusy || selectComposer(context.get()) !== selectComposer(begun)) context.update(setFocus(screen.focus));
      return;
    }
    if (aim.kind === 'first') goToTop(context);
    notify(context, `Stopped fetching back to ${words}: ${end.trouble}`, { tone: 'warning' });
  });
}

/** Selects the oldest message that is held, for the case that the first one cannot be fetched. */
function goToTop(context: CommandContext): void {
  context.update(rememberPlace);
  stepSelection(context, 'first');
  context.scrollThread('top');
}

export function jumpToMessage(
  context: CommandContext,
  conversationId: ConversationId,
  messageId: MessageId,
  how: Pick<Destination, 'words' | 'keepsComposer'>,
): void {
  jumpTo(context, { conversationId, aim: { kind: 'message', messageId }, missing: 'The message is gone', ...how });
}

export function goToFirst(context: CommandContext): void {
  const { openId } = context.get().view;
  if (openId === null) return;
  const missing = 'There is no message yet';
  jumpTo(context, { conversationId: openId, aim: { kind: 'first' }, words: 'the first message', missing });
}

/** Goes to the newest message; the keyboard stays where it is. */
export function goToNewest(context: CommandContext): void {
  const state = context.get();
  const { openId } = state.view;
  if (openId === null) return;
  if (selectPlace(state, openId).scroll.at !== 'bottom') context.update(rememberPlace);
  context.update(stopSeeking);
  context.scrollThread('bottom');
}
