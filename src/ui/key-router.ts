/** Takes all input of the terminal: keys and pastes go to the commands, the mouse to what it is over. */
import { KeyRunner } from '../commands/key-runner.ts';
import { notify } from '../commands/notify.ts';
import { selectText } from '../state/view/thread-place.ts';
import { type InputEvent, type KeyEvent, needsFocus } from '../terminal/events.ts';
import { createMouse, isTaken, type MouseOptions } from './pane-mouse.ts';

export interface RouterOptions extends MouseOptions {
  /** Shows a typed character before its command runs, and corrects the screen afterwards. */
  readonly echo: { foresee(event: KeyEvent): void; settle(): void };
  readonly onFocus: (focused: boolean) => void;
  readonly onReply: (event: Extract<InputEvent, { type: 'reply' }>) => void;
}

const guessedPaste = 'Several lines came at once: they are taken for a paste, and nothing was sent';
const openPaste = 'The paste has not ended: Enter is a new line. Ctrl-C and a second without keys end it';

export function createRouter(options: RouterOptions): (event: InputEvent) => void {
  const { context } = options;
  const keys = new KeyRunner(context, options.keymap);
  const { onMouseEvent, letGo } = createMouse(options);
  let hasFocus = true;
  const setFocus = (focused: boolean): void => {
    hasFocus = focused;
    options.onFocus(focused);
  };
  const act = (event: InputEvent): void => {
    if (!hasFocus && needsFocus(event)) setFocus(true);
    switch (event.type) {
      case 'key':
        // The key may stop the program or lend the terminal, and then the release of a held button goes elsewhere.
        letGo();
        if (context.get().view.textSelection) context.update(selectText(null));
        onKey(keys, options.echo, event);
        break;
      case 'paste':
        if (event.isGuessed) notify(context, guessedPaste);
        keys.paste(event.text, event.isMore);
        break;
      case 'paste-open':
        notify(context, openPaste);
        break;
      case 'mouse':
        onMouseEvent(event);
        // Only afterwards, as that may take rows from the footer: the button was pressed over what is drawn.
        if (event.action === 'press') keys.endTyping();
        break;
      case 'focus':
        setFocus(event.focused);
        break;
      case 'reply':
        options.onReply(event);
    }
  };
  return (event) => {
    act(event);
    if (isTaken(context.get())) letGo();
  };
}

function onKey(keys: KeyRunner, echo: RouterOptions['echo'], event: KeyEvent): void {
  if (!keys.isHolding) echo.foresee(event);
  keys.press(event);
  echo.settle();
}
