/**
 * Carries out Enter in the composer: decides whether the text is a message or a slash command, and sends or runs it, or
 * asks first.
 */
import { draftOf } from '../state/composer/drafts.ts';
import { isLongPaste } from '../state/composer/long-text.ts';
import type { Draft } from '../state/model/app-state.ts';
import { isVimWaiting, selectComposer } from '../state/select/selectors.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { enteredCommand, parseEntered } from './entered.ts';
import { sendAgain, withKey } from './key-advice.ts';
import { ask } from './questions.ts';
import { needsOpen } from './selection.ts';
import { mayGoAsText, send, sendTyped } from './send.ts';
import { runSlash, shortened } from './slash.ts';
import { slashNamed } from './slash-rows.ts';
import { askToSubstitute, isSubstitution } from './substitute.ts';

/** Sends the text or runs it as a command. While a message is edited, everything is text. */
function enter(context: CommandContext, commands: readonly Command[]): void {
  const draft = selectComposer(context.get());
  const entered = draft.editing === null ? parseEntered(draft.text) : null;
  if (entered === null || entered.kind === 'text') sendOrAsk(context);
  else if (entered.kind === 'vim-quit')
    askOrSend(context, `Quit? (${entered.typed})${withKey(context, 'app.quit', (key) => ` ${key} quits`)}`);
  else if (entered.kind === 'slash') askOrSend(context, 'No name of a command follows the slash');
  else if (entered.kind === 'lines')
    askOrSend(context, `This begins like a command, /${shortened(entered.name)}, but has several lines`);
  else {
    const command = slashNamed(commands, entered.name);
    if (command !== undefined) runSlash(context, command, entered.words);
    else askOrSend(context, `There is no command /${shortened(entered.name)}`);
  }
}

function askOrSend(context: CommandContext, question: string): void {
  if (mayGoAsText(context, `${question}. ${sendAgain(context)} sends it as text`)) send(context);
}

function whatEnterDoes(draft: Draft, commands: readonly Command[]): string {
  if (draft.editing !== null) return 'save';
  if (isSubstitution(draft)) return 'edit last message';
  const name = enteredCommand(draft);
  return name !== null && slashNamed(commands, name) !== undefined ? 'run' : 'send';
}

/** @param table called when it is needed first, as these commands are a part of it */
export const enterCommands = (table: () => readonly Command[]): readonly Command[] => [
  {
    id: 'message.send',
    title: 'Send; when editing, save',
    hint: (state) => (isVimWaiting(state) ? '' : whatEnterDoes(selectComposer(state), table())),
    keys: ['enter'],
    where: ['composer'],
    group: 'Composer',
    disabled: needsOpen,
    run: (context) => enter(context, table()),
  },
];

/** Sends the message. Asks first about a long paste, which may be a mistake, and about an edit by `s/old/new/`. */
function sendOrAsk(context: CommandContext): void {
  const id = context.get().view.openId;
  const draft = id === null ? null : draftOf(context.get(), id);
  // The text is measured again, as most of what was pasted may be deleted by now.
  const isAsked = draft?.hasLongPaste === true && isLongPaste(draft.text);
  if (id !== null && isAsked) ask(context, 'message.sendLong', { conversationId: id });
  else if (id === null || draft === null || !askToSubstitute(context, id, draft)) sendTyped(context);
}
