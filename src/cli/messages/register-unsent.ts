/** Declares the arguments and options of `msg-tui drafts` and `msg-tui outbox`. */
import type { Command } from 'commander';
import type { AccountOptions, TimeoutOptions } from '../headless/account-options.ts';
import { withAccountOptions, withTimeout } from '../headless/account-options.ts';
import { draftListHelp, draftsHelp, outboxDiscardHelp, outboxHelp, outboxListHelp } from './writing-help.ts';
import type { WrittenOptions } from './written.ts';

type Common = AccountOptions & TimeoutOptions & WrittenOptions;

const load = () => import('./run-writing.ts');

const withJson = (command: Command): Command => withAccountOptions(command.option('--json', 'print one JSON document'));

export function registerDrafts(program: Command): void {
  const drafts = program
    .command('drafts')
    .description('list, print, set and clear the texts in the composers')
    .addHelpText('after', draftsHelp);
  withJson(drafts.command('list', { isDefault: true }).description('list the drafts'))
    .addHelpText('after', draftListHelp)
    .action(async (options: Common) => (await load()).runDraftList(options));
  withJson(drafts.command('show').description('print the draft of a conversation'))
    .argument('<conversation>', 'its id, name, @username or #group')
    .action(async (typed: string, options: Common) => (await load()).runDraftShow(typed, options));
  withAccountOptions(drafts.command('set').description('replace the draft of a conversation'))
    .argument('<conversation>', 'its id, name, @username or #group')
    .argument('[text]', 'the text; - reads it from stdin')
    .option('--file <file>', 'read the text from this file; - for stdin')
    .action(async (typed: string, text: string | undefined, options: Common) =>
      (await load()).runDraftSet(typed, text, options),
    );
  withAccountOptions(drafts.command('clear').description('clear the draft of a conversation'))
    .argument('<conversation>', 'its id, name, @username or #group')
    .action(async (typed: string, options: Common) => (await load()).runDraftClear(typed, options));
}

export function registerOutbox(program: Command): void {
  const outbox = program
    .command('outbox')
    .description('list what waits to be sent, and decide about it')
    .addHelpText('after', outboxHelp);
  withJson(outbox.command('list', { isDefault: true }).description('list what is queued, failed or unsure'))
    .addHelpText('after', outboxListHelp)
    .action(async (options: Common) => (await load()).runOutboxList(options));
  withTimeout(withJson(outbox.command('retry').description('try one again, or everything that is queued')))
    .argument('[op]', 'the name in the list, or its beginning')
    .action(async (op: string | undefined, options: Common) => (await load()).runOutboxRetry(op, options));
  withJson(outbox.command('discard').description('remove one; its text is gone'))
    .argument('<op>', 'the name in the list, or its beginning')
    .addHelpText('after', outboxDiscardHelp)
    .action(async (op: string, options: Common) => (await load()).runOutboxDiscard(op, options));
  withTimeout(withJson(outbox.command('edit').description('give a message that has not arrived another text')))
    .argument('<op>', 'the name in the list, or its beginning')
    .argument('<text>', 'the text; - reads it from stdin')
    .action(async (op: string, text: string, options: Common) => (await load()).runOutboxEdit(op, text, options));
}
