/** `msg-tui login`, `logout` and `profiles`; what they do is loaded when one of them runs. */
import type { Command } from 'commander';
import type { RemoveOptions } from './change-profiles.ts';
import type { LoginOptions } from './login.ts';
import type { LogoutOptions } from './logout.ts';
import type { ListOptions } from './profiles.ts';

const loginHelp = `
The token of MSG_TUI_TOKEN is taken where it is set, unless MSG_TUI_SERVER names
another server. Otherwise it is asked for on the terminal and is not shown there.
It is checked with one request and saved in the keyring of the system, or in a
file that only you can read. With --token-command it is saved nowhere: the
command is run at each start.

Examples:
  msg-tui login
  msg-tui login --profile work --server https://chat.example
  msg-tui login --profile work --token-command 'pass show chat'
  pass show chat | msg-tui login --profile work --token-stdin

Exit codes: 0 signed in · 1 failure · 2 usage · 3 token refused
            4 server not reached · 6 forbidden · 130 interrupted
`;

const logoutHelp = `
Removes the token, from the file and the keyring, and the cached messages.
Drafts, unsent messages, and the names and notes that exist only here are kept
for the next login. --discard-unsent removes them as well.

Examples:
  msg-tui logout
  msg-tui logout --profile work

Exit codes: 0 signed out · 1 a chat is open on the profile, or a file cannot be
            removed · 2 usage · 3 no account is set up
`;

const profilesHelp = `
A profile is one account on one server, with a token, cache, drafts and outbox
of its own. --profile NAME overrides MSG_TUI_PROFILE, and that overrides
default_profile in config.toml; without any of them the first one is used.

rename and remove refuse while a chat is open on the profile, and remove also
while something is unsent. remove deletes names and notes that exist only here.

Examples:
  msg-tui profiles
  msg-tui profiles list --json
  msg-tui profiles use work
  msg-tui profiles rename work office
  msg-tui profiles remove office
  msg-tui --profile work

Exit codes: 0 ok · 1 config.toml cannot be read or written, a chat is open, or
            something is unsent · 2 usage
`;

const listHelp = `
Example:
  msg-tui profiles list --json

Exit codes: 0 ok · 1 config.toml cannot be read · 2 usage
`;

const useHelp = `
Example:
  msg-tui profiles use work

Exit codes: 0 ok · 1 config.toml cannot be read or written
            2 usage, or no such profile
`;

const renameHelp = `
Example:
  msg-tui profiles rename work office

Exit codes: 0 ok · 1 config.toml cannot be read or written, or a chat is open
            2 usage, or no such profile
`;

export function registerAccounts(program: Command): void {
  program
    .command('login')
    .description('sign in to a server, or sign in again with another token')
    .option('--profile <name>', 'the name of the account here; by default made from the address')
    .option('--server <url>', 'the address of the service; by default the one of the profile')
    .option('--token-file <file>', 'read the token from this file')
    .option('--token-stdin', 'read the token from standard input')
    .option('--token-command <command>', 'save this command and take the first line that it prints as the token')
    .option('--same-account', 'the token is for the account that the profile had before; do not ask')
    .option('--insecure-http', 'allow an http:// server that is not on this machine')
    .option('--json', 'print one JSON document')
    .addHelpText('after', loginHelp)
    .action(async (options: LoginOptions) => (await import('./login.ts')).login(options));
  program
    .command('logout')
    .description('remove the token and the cached messages of a profile')
    .option('--profile <name>', 'the profile; by default the one that the chat would open')
    .option('--discard-unsent', 'remove drafts, unsent messages and local notes as well')
    .option('--json', 'print one JSON document')
    .addHelpText('after', logoutHelp)
    .action(async (options: LogoutOptions) => (await import('./logout.ts')).logout(options));
  registerProfiles(program);
}

function registerProfiles(program: Command): void {
  const profiles = program
    .command('profiles')
    .description('list, rename and remove accounts, and choose the default one')
    .addHelpText('after', profilesHelp);
  profiles
    .command('list', { isDefault: true })
    .description('print name, server, whether it is signed in, unread and unsent messages')
    .option('--json', 'print one JSON document')
    .addHelpText('after', listHelp)
    .action(async (options: ListOptions) => (await import('./profiles.ts')).listProfiles(options));
  profiles
    .command('use')
    .description('make a profile the default')
    .argument('<profile>')
    .addHelpText('after', useHelp)
    .action(async (name: string) => (await import('./profiles.ts')).useProfile(name));
  profiles
    .command('rename')
    .description('give a profile another name; its token, messages and drafts go with it')
    .argument('<profile>', 'its present name')
    .argument('<name>', 'the new name: letters, digits, - and _')
    .addHelpText('after', renameHelp)
    .action(async (name: string, to: string) => (await import('./change-profiles.ts')).renameProfile(name, to));
  profiles
    .command('remove')
    .description('remove a profile, with its token and all that is kept of it here')
    .argument('<profile>')
    .option('--discard-unsent', 'remove it although it has drafts or unsent messages')
    .action(async (name: string, options: RemoveOptions) =>
      (await import('./change-profiles.ts')).removeProfile(name, options),
    );
}
