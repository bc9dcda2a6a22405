/** The sub-commands of `msg-tui config`; what they do is loaded when one of them runs. */
import { type Command, Option } from 'commander';
import type { ListOptions } from './run-config.ts';

const configHelp = `
A change is taken over by a chat that is open, except for default_profile and the
profile that is open.

Examples:
  msg-tui config list
  msg-tui config set theme dark
  msg-tui config set notify.quiet_hours 22:00-07:00
  msg-tui config set notify.command '["notify-send", "--", "{title}", "{body}"]'
  msg-tui config get theme
  msg-tui config unset theme
  msg-tui config check
  msg-tui config edit
  msg-tui config path

Exit codes: 0 ok · 1 something is wrong in the file, or it cannot be written
            2 usage · 130 interrupted
`;

const load = () => import('./run-config.ts');

export function registerConfig(program: Command): void {
  const config = program
    .command('config')
    .description('print, check and change the settings in config.toml')
    .addHelpText('after', configHelp);
  config
    .command('list')
    .description('print every setting with its value, where it comes from, and its default')
    .option('--json', 'one JSON document')
    .addOption(new Option('--example', 'print an annotated config.toml instead').conflicts(['json', 'markdown']))
    .addOption(new Option('--markdown', 'print the reference of the settings instead').conflicts('json'))
    .action(async (options: ListOptions) => (await load()).list(options));
  config
    .command('get')
    .description('print the value of a setting')
    .argument('<setting>')
    .action(async (name: string) => (await load()).get(name));
  config
    .command('set')
    .description('check a value and write it to config.toml')
    .argument('<setting>', 'its name, profiles.NAME.server or profiles.NAME.token_command')
    .argument('<value...>', 'a word, or a value as TOML writes it')
    .action(async (name: string, words: string[]) => (await load()).set(name, asTyped(program, name, words)));
  config
    .command('unset')
    .description('remove a setting from config.toml')
    .argument('<setting>')
    .action(async (name: string) => (await load()).unset(name));
  config
    .command('check')
    .description('name everything that is wrong in config.toml')
    .action(async () => (await load()).check());
  config
    .command('edit')
    .description('open a copy of config.toml in the editor, and check it before it is saved')
    .action(async () => (await load()).edit());
  config
    .command('path')
    .description('print where config.toml is')
    .action(async () => (await load()).printPath());
}

/** The words with the `--` among them, which commander drops: a program may need it as an argument. */
function asTyped(
  { rawArgs }: Command & { readonly rawArgs?: readonly string[] },
  name: string,
  words: string[],
): string[] {
  const typed = rawArgs?.slice(rawArgs.indexOf(name, rawArgs.indexOf('set')) + 1) ?? [];
  const isSame = typed.filter((word) => word !== '--').join('\0') === words.join('\0');
  return isSame && typed[0] !== '--' ? typed : words;
}
