/** Carries out input: keys run commands of the one table, a click acts on the target of the span under it. */

import { rowIds } from '../commands/accept.ts';
import { detachClicked } from '../commands/attach.ts';
import { takeCompletion } from '../commands/completion.ts';
import type { CommandContext } from '../commands/context.ts';
import { askAboutLink } from '../commands/copy.ts';
import { invoke } from '../commands/invoke.ts';
import { jumpToMessage } from '../commands/jump-to.ts';
import { KeyRunner } from '../commands/key-runner.ts';
import type { Keymap } from '../commands/keymap.ts';
import { openMenu } from '../commands/menu.ts';
import { notify } from '../commands/notify.ts';
import { openAndWrite } from '../commands/open-conversation.ts';
import { toggleReaction } from '../commands/react.ts';
import { showPerson } from '../commands/sheets.ts';
import { selectPalette } from '../commands/table.ts';
import type { MessageId, Millis } from '../protocol/types.ts';
import { moveToOffset } from '../state/composer/draft-move.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import { selectThreadItems } from '../state/select/selectors.ts';
import { selectCompletion } from '../state/view/completion.ts';
import { scrollListTo, selectInList } from '../state/view/list-place.ts';
import { chooseRow, topOverlay } from '../state/view/overlays.ts';
import { selectMessage, selectText } from '../state/view/thread-place.ts';
import { setFocus } from '../state/view/view.ts';
import type { InputEvent, KeyEvent, MouseEvent } from '../terminal/events.ts';
import type { Target } from '../text/layout/row.ts';
import { paneAt } from '../view/layout.ts';
import type { Panes } from '../view/panes.ts';
import type { ChoiceRows } from './choice-rows.ts';
import { DividerMouse } from './divider-mouse.ts';
import { ThreadMouse } from './thread-mouse.ts';

export interface RouterOptions {
  readonly context: CommandContext;
  readonly keymap: Keymap;
  readonly panes: () => Panes;
  readonly choiceRows: ChoiceRows;
  /** The target of the span that stands at a cell of the screen. */
  readonly targetAt: (x: number, y: number) => Target | null;
  /** Shows a typed character before its command runs, and corrects the screen afterwards. */
  readonly echo: { foresee(event: KeyEvent): void; settle(): void };
  readonly onFocus: (focused: boolean) => void;
  readonly onReply: (event: Extract<InputEvent, { type: 'reply' }>) => void;
}

const wheelRows = 3;
const wheelConversations = 2;
const openPaste = 'The paste has not ended: Enter is a new line. Ctrl-C and a second without keys end it';

export function createRouter(options: RouterOptions): (event: InputEvent) => void {
  const { context } = options;
  const keys = new KeyRunner(context, options.keymap);
  let taken: Taken | null = null;
  const divider = new DividerMouse(context, options.panes);
  const threadMouse = new ThreadMouse({ ...options, click: (target) => actOn(options, target) });
  return (event) => {
    switch (event.type) {
      case 'key':
        if (context.get().view.textSelection) context.update(selectText(null));
        onKey(keys, options.echo, event);
        break;
      case 'paste':
        keys.paste(event.text);
        break;
      case 'paste-open':
        notify(context, openPaste);
        break;
      case 'mouse':
        if (event.action === 'press') keys.rest();
        if (topOverlay(context.get()) !== null) taken = onMouseInOverlay(options, event) ?? taken;
        else if (divider.handle(event)) return true;
        else if (!isSecondClick(taken, event, context.now()) && !threadMouse.handle(event)) onMouse(options, event);
        break;
      case 'focus':
        options.onFocus(event.focused);
        break;
      case 'reply':
        options.onReply(event);
    }
  };
}

function onKey(keys: KeyRunner, echo: RouterOptions['echo'], event: KeyEvent): void {
  if (!keys.isHolding) echo.foresee(event);
  keys.press(event);
  echo.settle();
}

function onMouse(options: RouterOptions, event: MouseEvent): void {
  const { context } = options;
  const state = context.get();
  const pane = paneAt(options.panes().layout(state), event.x, event.y);
  if (event.action === 'wheel-up' || event.action === 'wheel-down') {
    const direction = event.action === 'wheel-up' ? -1 : 1;
    if (pane === 'list') wheelList(options, direction);
    else context.scrollThread({ rows: direction * wheelRows });
    return;
  }
  if (event.action !== 'press') return;
  const target = options.targetAt(event.x, event.y);
  if (event.button === 'right' && target !== null) openMenuOf(options, target);
  if (event.button !== 'left') return;
  if (pane === 'composer') clickComposer(options, event);
  if (target !== null) actOn(options, target);
}

/** Puts the keyboard and the cursor where the click was. */
function clickComposer({ context, panes }: RouterOptions, { x, y }: MouseEvent): void {
  const state = context.get();
  const { openId } = state.view;
  const offset = panes().offsetAt(state, panes().layout(state), { x, y });
  context.update(setFocus('composer'));
  if (openId !== null && offset !== null) context.update(updateDraft(openId, (draft) => moveToOffset(draft, offset)));
}

/** The click that accepted a row of a picker. */
interface Taken {
  readonly x: number;
  readonly y: number;
  readonly at: Millis;
}

const doubleClickMs = 500;

/** The second half of a double click on a picker row must not act on the pane that the closed picker covered. */
const isSecondClick = (taken: Taken | null, { action, x, y }: MouseEvent, now: Millis): boolean =>
  taken !== null && action === 'press' && x === taken.x && y === taken.y && now - taken.at < doubleClickMs;

/** A click on a picker row accepts it, the wheel moves the selection. @returns the click that accepted a row */
function onMouseInOverlay(options: RouterOptions, event: MouseEvent): Taken | null {
  const { context, choiceRows } = options;
  const { action, button, x, y } = event;
  const row = choiceRows.at(x, y);
  if (row === null) {
    const target = action === 'press' && button === 'left' ? options.targetAt(x, y) : null;
    if (target?.kind === 'command') run(options, target.id);
    return null;
  }
  if (action === 'wheel-up') run(options, 'choice.previous');
  if (action === 'wheel-down') run(options, 'choice.next');
  if (action !== 'press' || button !== 'left') return null;
  // Results that came since the frame was drawn may have put another row there.
  const index = rowIds(context.get(), selectPalette).indexOf(row);
  if (index < 0) return null;
  context.update(chooseRow(index));
  run(options, 'choice.accept');
  return { x, y, at: context.now() };
}

function run({ context, keymap }: RouterOptions, id: string): void {
  const command = keymap.commands.find((one) => one.id === id);
  if (command !== undefined) invoke(context, command);
}

/** Scrolls the list and leaves its selection, which the keyboard has. */
function wheelList({ context, panes }: RouterOptions, direction: -1 | 1): void {
  const state = context.get();
  const top = panes().listTopAfter(state, panes().layout(state), direction * wheelConversations);
  if (top !== null) context.update(scrollListTo(top));
}

/**
 * Opens a conversation, selects a message, toggles its reaction, asks about a link, shows a person, removes an
 * attachment, runs a command, completes a word. The frame on the terminal may be older than the state, so that a
 * target may be gone: then nothing happens.
 */
function actOn({ context, keymap }: RouterOptions, target: Target): void {
  if (target.kind === 'completion') {
    const row = selectCompletion(context.get())?.rows[target.row];
    if (row?.text === target.text) takeCompletion(context, target.row);
    return;
  }
  const { cache } = context.get();
  if (target.kind === 'command') {
    const command = keymap.commands.find(({ id }) => id === target.id);
    if (command !== undefined) invoke(context, command);
    return;
  }
  if (target.kind === 'conversation') {
    if (!cache.conversations.has(target.conversationId)) return;
    context.update(selectInList(target.conversationId));
    openAndWrite(context, target.conversationId);
    return;
  }
  if (target.kind === 'attached') {
    detachClicked(context, target);
    return;
  }
  if (target.kind === 'person') {
    showPerson(context, target.of);
    return;
  }
  const { messageId } = target;
  const { openId } = context.get().view;
  if (target.kind === 'jump') {
    if (openId !== null) jumpToMessage(context, openId, messageId, 'the message');
    return;
  }
  if (openId === null || !selectTarget(context, messageId)) return;
  if (target.kind === 'link') askAboutLink(context, target.address);
  if (target.kind === 'reaction') toggleReaction(context, openId, messageId, target.name);
}

/** False where the message is not there any more. */
function selectTarget(context: CommandContext, messageId: MessageId): boolean {
  const { openId } = context.get().view;
  if (openId === null || !selectThreadItems(context.get(), openId).some(({ id }) => id === messageId)) return false;
  context.update((state) => setFocus('messages')(selectMessage(openId, messageId)(state)));
  return true;
}

/** The right button: what can be done with the conversation or message under the pointer. */
function openMenuOf({ context }: RouterOptions, target: Target): void {
  const { cache, view } = context.get();
  if (
    target.kind === 'command' ||
    target.kind === 'attached' ||
    target.kind === 'person' ||
    target.kind === 'completion'
  )
    return;
  if (target.kind === 'conversation') {
    const { conversationId } = target;
    if (!cache.conversations.has(conversationId)) return;
    context.update(selectInList(conversationId));
    openMenu(context, 'conversation', { conversationId, messageId: null });
  } else if (view.openId !== null && selectTarget(context, target.messageId))
    openMenu(context, 'message', { conversationId: view.openId, messageId: target.messageId });
}
