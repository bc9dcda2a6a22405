/** Carries out Enter in the composer: sends the message, or runs the slash command that was typed. */
import { selectComposer } from '../state/select/selectors.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { sendAgain, withKey } from './key-advice.ts';
import { send } from './send.ts';
import { mayGoAsText } from './send-as-text.ts';
import { sendOrAsk } from './send-or-ask.ts';
import { runSlash, shortened } from './slash.ts';
import { slashNamed } from './slash-rows.ts';
import { parseEntered } from './slash-text.ts';

/** Sends the text or runs it as a command. While a message is edited, everything is text. */
export function enter(context: CommandContext, commands: readonly Command[]): void {
  const draft = selectComposer(context.get());
  const entered = draft.editing === null ? parseEntered(draft.text) : null;
  if (entered === null || (entered.kind === 'text' && entered.text === draft.text)) sendOrAsk(context);
  else if (entered.kind === 'text') send(context, entered.text);
  else if (entered.kind === 'vim-quit')
    askOrSend(context, `Quit? (${entered.typed})${withKey(context, 'app.quit', (key) => ` ${key} quits`)}`);
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

/** @param table called when it is needed first, as these commands are a part of it */
export const enterCommands = (table: () => readonly Command[]): readonly Command[] => [
  {
    id: 'message.send',
    title: 'Send; when editing, save',
    hint: (state) => (selectComposer(state).editing === null ? 'send' : 'save'),
    keys: ['enter'],
    where: ['composer'],
    group: 'Composer',
    disabled: ({ view }) => (view.openId === null ? 'Open a conversation first' : null),
    run: (context) => enter(context, table()),
  },
];
