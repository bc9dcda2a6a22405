/** Declares the arguments and options of the commands that write. Their code is loaded when one of them runs. */
import type { Command } from 'commander';
import type { AccountOptions, TimeoutOptions } from '../headless/account-options.ts';
import { withAccountOptions, withTimeout } from '../headless/account-options.ts';
import type { MuteOptions, SwitchOptions } from './change-conversation.ts';
import type { DeleteOptions, ReactOptions } from './change-message.ts';
import type { NewOptions } from './new.ts';
import type { SendOptions } from './send.ts';
import { archiveHelp, deleteHelp, editHelp, muteHelp, newHelp, pinHelp, reactHelp, sendHelp } from './writing-help.ts';
import type { WrittenOptions } from './written.ts';

type Common = AccountOptions & TimeoutOptions & WrittenOptions;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const withJson = (command: Command): Command => command.option('--json', 'print one JSON document');

export function registerWriting(program: Command): void {
  registerSend(program);
  registerMessageChanges(program);
  registerNew(program);
  registerConversationChanges(program);
}

function registerSend(program: Command): void {
  const command = program
    .command('send')
    .description('send a message')
    .argument('<conversation>', 'its id, name, @username or #group')
    .argument('[text]', 'the text; - reads it from stdin')
    .option('--file <file>', 'read the text from this file; - for stdin')
    .option('--attach <attachment>', 'attach a URL or name=value; may be given more than once', collect)
    .option('--reply <message>', 'quote this message above the text: its id, or last for the newest one of others')
    .option('--wait', 'wait until the server has it, also where a chat is open, which sends it');
  withTimeout(withAccountOptions(withJson(command)))
    .addHelpText('after', sendHelp)
    .action(async (conversation: string, text: string | undefined, options: SendOptions) => {
      const { send } = await import('./send.ts');
      await send(conversation, text, options);
    });
}

function registerMessageChanges(program: Command): void {
  const conversation = ['<conversation>', 'its id, name, @username or #group'] as const;
  const common = (command: Command, help: string): Command =>
    withTimeout(withAccountOptions(withJson(command))).addHelpText('after', help);
  common(program.command('edit').description('change the text of your message'), editHelp)
    .argument(...conversation)
    .argument('<message>', 'its id, the beginning of its id, or last for your newest one')
    .argument('<text>', 'the new text; - reads it from stdin')
    .action(async (named: string, message: string, text: string, options: Common) => {
      const { runEdit } = await import('./run-writing.ts');
      await runEdit({ conversation: named, message }, text, options);
    });
  common(program.command('react').description('react to a message'), reactHelp)
    .argument(...conversation)
    .argument('<message>', 'its id, the beginning of its id, or last for the newest one of others')
    .argument('<emoji>', 'an emoji or its name, such as heart')
    .option('--remove', 'take your reaction back')
    .option('--yes', 'react also where the text, reactions or files of others may be lost')
    .action(async (named: string, message: string, emoji: string, options: Common & ReactOptions) => {
      const { runReact } = await import('./run-writing.ts');
      await runReact({ conversation: named, message }, emoji, options);
    });
  common(program.command('delete').description('delete your message for everybody, or a conversation'), deleteHelp)
    .argument(...conversation)
    .argument('[message]', 'its id, the beginning of its id, or last for your newest one')
    .option('--conversation', 'delete the conversation with all its messages')
    .option('--yes', 'do not ask on a terminal')
    .action(
      async (
        named: string,
        message: string | undefined,
        options: Common & DeleteOptions & { readonly conversation?: boolean },
      ) => {
        const { runDelete } = await import('./run-writing.ts');
        await runDelete(named, message, options);
      },
    );
}

function registerNew(program: Command): void {
  const command = program
    .command('new')
    .description('start a conversation')
    .argument('<contact|group>', 'the id of a contact or, with --group, of a group; or a name that is known already')
    .argument('[text]', 'the first message; - reads it from stdin')
    .option('--group', 'the word is the id of a group');
  withTimeout(withAccountOptions(withJson(command)))
    .addHelpText('after', newHelp)
    .action(async (partner: string, text: string | undefined, options: Common & NewOptions) => {
      const { runNew } = await import('./run-writing.ts');
      await runNew(partner, text, options);
    });
}

function registerConversationChanges(program: Command): void {
  const common = (name: string, description: string, help: string): Command =>
    withTimeout(withAccountOptions(withJson(program.command(name).description(description))))
      .argument('<conversation>', 'its id, name, @username or #group')
      .addHelpText('after', help);
  common('pin', 'pin a conversation, or a message in it', pinHelp)
    .option('--off', 'unpin')
    .option(
      '--message <message>',
      'pin, or with --off unpin, this message in the conversation: its id, or last for the newest one',
    )
    .action(async (typed: string, options: Common & SwitchOptions) => {
      const { runPin } = await import('./run-writing.ts');
      await runPin(typed, options);
    });
  common('mute', 'mute a conversation', muteHelp)
    .option('--off', 'unmute')
    .option('--for <time>', '30m, 8h, 2d, 1w or always')
    .action(async (typed: string, options: Common & MuteOptions) => {
      const { runMute } = await import('./run-writing.ts');
      await runMute(typed, options);
    });
  common('archive', 'archive a conversation', archiveHelp)
    .option('--off', 'take it out of the archive')
    .action(async (typed: string, options: Common & SwitchOptions) => {
      const { runArchive } = await import('./run-writing.ts');
      await runArchive(typed, options);
    });
}
