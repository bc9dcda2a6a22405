/** The commands that read conversations; what they do is loaded when one of them runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withAccountOptions, withArchive, withTimeout } from '../headless/account-options.ts';
import type { ConversationsOptions } from './conversations.ts';
import type { ReadOptions } from './read.ts';
import type { SearchOptions } from './search.ts';
import type { TailOptions } from './tail.ts';
import type { UnreadOptions } from './unread-options.ts';
import type { WaitOptions } from './wait.ts';

const json = ['--json', 'print one JSON document (see docs/json.md)'] as const;
const cached = ['--cached', 'print what is cached, and do not ask the server'] as const;
const conversationNames = 'its id, the beginning of its id, a name, @username or #group';

const views = ['all', 'unread', 'pinned', 'muted', 'archived'] as const;

const names = `
A conversation is named by its id, by a beginning of the id that no other one has
(four characters or more, where the id has sixteen), by its name, your own name for
it, @username or #group. A name that several have is an error, which lists them with
their ids.
`;

const conversationsHelp = `
The list has the order of the chat: pinned conversations first, then by activity.
Archived ones are in --view archived only. The server is asked first; where it is
not reached, the cached list is printed, stderr says how old it is, and the exit
code is 4. On a terminal, ids are shortened to a beginning that no other one has.

With --archive the conversations of a file are listed (see docs/archive.md).

Examples:
  msg-tui conversations
  msg-tui conversations --view unread --limit 5
  msg-tui conversations --archive chat.db
  msg-tui conversations --json | jq -r '.conversations[].name'

Exit codes: 0 ok · 1 failure · 2 usage · 3 not signed in · 4 server not reached
`;

const readHelp = `${names}
Without a date, the newest 20 messages are printed, oldest first. A date is a day
(2026-11-19, yesterday, monday), a time (2026-11-19T14:00Z), or a span before now
(30m, 2h, 3d). Older messages are fetched from the server as far as they are needed.

Reading marks nothing as read, neither here nor on the server. With --mark-read the
messages count as read here, as when the chat opens the conversation, and the server
learns of it, unless reveal_reading = false is set.

Where the server is not reached, or older messages could not be read, what is
cached is printed and the exit code is 4.

With --archive the messages of a file are printed (see docs/archive.md). It needs no
account and makes no request.

Examples:
  msg-tui read ann
  msg-tui read '#Harbour crew' --since yesterday --mark-read
  msg-tui read @bob --limit 100 --json
  msg-tui read ann --archive chat.db --since 2026-11-01
  msg-tui read ann --ids                       for edit, react and delete

Exit codes: 0 ok · 1 failure · 2 usage, or an ambiguous name · 3 not signed in
            4 server not reached · 5 no such conversation · 6 forbidden
`;

const unreadHelp = `
Prints the number that the header of the chat shows: unread messages of all
conversations but muted and archived ones. It comes from the cache, without a
request, so it is as old as the last run of the chat or of another command.
With --json the conversations are listed too.

Examples:
  msg-tui unread
  set -g status-right '#(msg-tui unread) '     in ~/.tmux.conf

Exit codes: 0 ok · 1 the files cannot be read · 2 usage
            3 there is no account, or it was signed out
`;

const searchHelp = `
Finds messages that hold all the words, in any order, the newest first. Only cached
messages are searched; stderr says how many. Finding nothing is not an error. With
--archive a file is searched (see docs/archive.md), without an account.

Operators: from:NAME (from:me is you), in:NAME, has:link, has:file, has:code,
is:mine, is:unread, is:pinned, after:DAY, before:DAY. A minus before a word or an
operator excludes it; write -- before the first one that begins with a minus.

Examples:
  msg-tui search ferry nine
  msg-tui search from:ann has:link after:monday
  msg-tui search -- ferry -train '"leaves at nine"'
  msg-tui search --archive chat.jsonl ferry
  msg-tui search --in 'Harbour crew' --limit 5 --json ferry

Exit codes: 0 ok · 1 failure · 2 usage, or an ambiguous name · 3 not signed in
            5 no such conversation
`;

const tailHelp = `${names}
With --all, or without a name, all conversations are followed. Every message is printed
with the name of its conversation. The server is polled as the chat does it, less often
when nothing happens. When several conversations are followed, new messages are
printed at once, and a change to an older message only when the next message
arrives. In a single conversation, changes are printed at once: edits, reactions,
deletions, and that a message was read. Nothing is marked as read.

With --json each line is an object with a type: message, edited, reactions, read,
changed or deleted. It has the id and the name of the conversation. While the server
is not reached, stderr says so, and the command goes on.

Examples:
  msg-tui tail --all
  msg-tui tail ann --since 1h
  msg-tui tail ann '#Harbour crew'
  msg-tui tail --json | jq --unbuffered -r '.message.message // empty'

Exit codes: 0 the output was closed · 1 failure · 2 usage, or an ambiguous name · 3 not signed in
            5 no such conversation · 130 interrupted · 143 terminated
`;

const waitHelp = `
Waits for a new message of somebody else that passes --from, --in and --match, prints
it and ends. --match is a regular expression, as JavaScript has it, for the text.

Examples:
  msg-tui wait --from ann --timeout 600
  msg-tui wait --in '#Harbour crew' --match '(?:ferry|boat)' --json
  msg-tui send ann 'Lunch?' && msg-tui wait --in ann --timeout 900

Exit codes: 0 a message has arrived · 1 none has arrived by the timeout, or failure
            2 usage, or an ambiguous name · 3 not signed in
            4 the server was not reached when the timeout was over
            5 no such conversation or person · 130 interrupted · 143 terminated
`;

export function registerReading(program: Command): void {
  registerLists(program);
  registerFollowing(program);
}

function registerLists(program: Command): void {
  withArchive(withTimeout(withAccountOptions(program.command('conversations'))))
    .description('list the conversations')
    .addOption(new Option('--view <view>', 'which ones').choices(views).default('all'))
    .option('--limit <number>', 'list at most this many', positive)
    .option(...cached)
    .option(...json)
    .addHelpText('after', conversationsHelp)
    .action(async (options: ConversationsOptions) => (await import('./conversations.ts')).conversations(options));
  withArchive(withTimeout(withAccountOptions(program.command('read'))), ['markRead'])
    .description('print messages of a conversation')
    .argument('<conversation>', conversationNames)
    .option('--limit <number>', 'print at most this many, the newest ones', positive)
    .option('--since <date>', 'only messages at this time or later')
    .option('--after <date>', 'the same as --since')
    .option('--before <date>', 'only messages before this time')
    .option('--mark-read', 'count the messages as read')
    .option('--ids', 'print the id of each message, for edit, react and delete')
    .option(...cached)
    .option(...json)
    .addHelpText('after', readHelp)
    .action(async (name: string, options: ReadOptions) => (await import('./read.ts')).read(name, options));
  withArchive(withAccountOptions(program.command('search')))
    .description('find words in the cached messages')
    .argument('<words...>', 'words, "phrases", -words, and operators such as from:ann')
    .option('--in <conversation>', `only there: ${conversationNames}`)
    .option('--limit <number>', 'print at most this many, up to 100', searchLimit)
    .option(...json)
    .addHelpText('after', searchHelp)
    .action(async (words: string[], options: SearchOptions) => (await import('./search.ts')).search(words, options));
}

function registerFollowing(program: Command): void {
  program
    .command('unread')
    .description('print how many messages are unread, for a status bar')
    .option('--profile <name>', 'the profile, instead of the default one')
    .option('--token-file <file>', 'where the token is, if MSG_TUI_SERVER names the server')
    .option(...json)
    .addHelpText('after', unreadHelp)
    .action(async (options: UnreadOptions) => (await import('./unread.ts')).unread(options));
  withAccountOptions(program.command('tail'))
    .description('print new messages and changes as they come')
    .argument('[conversation...]', conversationNames)
    .option('--all', 'all conversations, as without a name')
    .option('--since <date>', 'print the messages since then first')
    .option('--json', 'print one JSON object a line (see docs/json.md)')
    .addHelpText('after', tailHelp)
    .action(async (names: string[], options: TailOptions) => (await import('./tail.ts')).tail(names, options));
  withAccountOptions(program.command('wait'))
    .description('wait for a message')
    .option('--from <person>', 'only from this person: an id, a name or @username')
    .option('--in <conversation>', `only there: ${conversationNames}`)
    .option('--match <pattern>', 'only with a text that matches this regular expression')
    .option('--timeout <seconds>', 'give up after this time', seconds)
    .option(...json)
    .addHelpText('after', waitHelp)
    .action(async (options: WaitOptions) => (await import('./wait.ts')).wait(options));
}

/** @throws InvalidArgumentError */
function positive(word: string): number {
  if (/^[1-9]\d{0,5}$/.test(word)) return Number(word);
  throw new InvalidArgumentError('Write a number from 1 to 999999.');
}

/** A search finds no more than 100. @throws InvalidArgumentError */
function searchLimit(word: string): number {
  if (/^([1-9]\d?|100)$/.test(word)) return Number(word);
  throw new InvalidArgumentError('Write a number from 1 to 100.');
}

/** @throws InvalidArgumentError */
function seconds(word: string): number {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(word)) return Number(word);
  throw new InvalidArgumentError('Write it in seconds.');
}
