/** Has the options of the chat for the help; `global-options.ts` reads them without commander. */
import { Option } from 'commander';

export const chatOptionRows: readonly Option[] = [
  new Option('--ascii', 'draw with ASCII characters only'),
  new Option('--profile <name>', 'open this profile of config.toml'),
  new Option('--token-file <file>', 'read the token from this file, instead of MSG_TUI_TOKEN or the saved token'),
  new Option('--token-command <command>', 'run this command, without a shell, and take the first line as the token'),
  new Option('--archive <file>', 'open an archive of msg-tui export or import, read-only'),
  new Option(
    '--insecure-http',
    'allow an http:// server that is not on this machine; anybody on the network path can read the token',
  ),
];

/** The row of `--debug-log`, which every command takes as well. */
export const debugOptionRow = new Option(
  '--debug-log <file>',
  'append what happens to this file, a line of JSON for each event, without texts, names and tokens; every command takes it as well',
);

/** The row of `--color`, which every command takes as well; `global-options.ts` reads it. */
export const colorOptionRow = new Option(
  '--color <when>',
  'auto, always or never; it overrides NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE',
).choices(['auto', 'always', 'never']);
