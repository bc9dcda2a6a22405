/** `serve unit`: prints a systemd unit that runs the server with the options of the command line. */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { forLocale } from '../process/ascii-output.ts';
import { guarded } from './administer.ts';
import { chosenDatabase, type DatabaseOptions } from './database.ts';
import type { Address, ServeOptions } from './run.ts';

const unitHelp = `
The options of serve are written before it. No secret is in the unit: the address
or password of a database (MSG_TUI_DATABASE, PGPASSWORD) is read from
/etc/msg-tui.env, where that file exists.

Examples:
  msg-tui serve --data /var/lib/msg-tui/chat.db unit \\
    | sudo tee /etc/systemd/system/msg-tui.service

Exit codes: 0 ok · 2 usage
`;

export function registerUnit(serve: Command): void {
  serve
    .command('unit')
    .description('print a systemd unit that runs the server with these options')
    .addOption(serve.createOption('--user <name>', 'the user who runs the server').default('msg-tui'))
    .addHelpText('after', unitHelp)
    .action(({ user }: { user: string }) =>
      guarded(async () => {
        if (!/^[a-z_][a-z0-9_-]{0,31}$/i.test(user))
          throw new Error('--user must be the name of a user of this system');
        process.stdout.write(forLocale(systemdUnit(serve.opts<ServeOptions>(), user)));
      }),
    );
}

/** The folder that StateDirectory makes for the user. */
const stateFolder = '/var/lib/msg-tui';

/** The seconds that systemd waits for the stop: longer than the server waits for requests under way. */
const stopSeconds = 20;

function systemdUnit(options: ServeOptions, user: string): string {
  const words = [process.execPath, resolve(process.argv[1] ?? 'msg-tui'), 'serve', ...optionWords(options)];
  return `# Written by msg-tui serve unit.
[Unit]
Description=Messaging Service (msg-tui serve)
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
ExecStart=${words.map((word) => quoted(word.replaceAll('$', '$$$$'))).join(' ')}
# MSG_TUI_DATABASE=… or PGPASSWORD=… of a database; the file needs to be readable by root alone.
EnvironmentFile=-/etc/msg-tui.env
User=${user}
StateDirectory=msg-tui
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
TimeoutStopSec=${stopSeconds}
LimitNOFILE=65536

${capabilitiesOf(options)}${hardening}${placesOf(options, words)}
[Install]
WantedBy=multi-user.target
`;
}

// Node compiles JavaScript while it runs, so MemoryDenyWriteExecute cannot be set.
const hardening = `NoNewPrivileges=yes
ProtectSystem=strict
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
`;

/** The only capability that the server may need: the system keeps the ports below 1024 for those who have it. */
function capabilitiesOf({ listen, adminListen }: ServeOptions): string {
  const ports = [listen, adminListen].flatMap((address) => (address === undefined ? [] : [address.port]));
  if (ports.every((port) => port === 0 || port >= 1024)) return 'CapabilityBoundingSet=\n';
  return 'AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n';
}

/**
 * Makes everything read-only but the folder of the data file. Homes and temporary files of others are hidden, unless a file
 * of the server is among them.
 */
function placesOf(options: DatabaseOptions, words: readonly string[]): string {
  const isUnder = (folders: RegExp): boolean => words.some((word) => folders.test(word));
  const hidden = `PrivateTmp=${isUnder(/^\/(var\/)?tmp\//) ? 'no' : 'yes'}
ProtectHome=${isUnder(/^\/(home|root|run\/user)\//) ? 'read-only' : 'yes'}
`;
  if (options.data === undefined) return hidden;
  const folder = dirname(resolve(options.data));
  return folder === stateFolder ? hidden : `${hidden}ReadWritePaths=${quoted(folder)}\n`;
}

/** The options as they have to be written again; a file is named from the root, since systemd starts there. */
function optionWords(options: ServeOptions): readonly string[] {
  const { listen, adminListen, readOnOpen, maxConnections } = options;
  return [
    ...databaseWords(options),
    '--listen',
    addressOf(listen),
    ...(adminListen === undefined ? [] : ['--admin-listen', addressOf(adminListen)]),
    ...(readOnOpen === 'off' ? ['--read-on-open', 'off'] : []),
    ...(options.logRequests === true ? ['--log-requests'] : []),
    ...(options.allowRemote === true ? ['--allow-remote'] : []),
    ...(options.rateLimit === true ? ['--rate-limit'] : []),
    '--max-connections',
    String(maxConnections),
  ];
}

function databaseWords(options: DatabaseOptions): readonly string[] {
  if (options.data === undefined && options.database === undefined) return [];
  const chosen = chosenDatabase(options);
  return chosen.kind === 'file' ? ['--data', resolve(chosen.name)] : ['--database', chosen.url];
}

const addressOf = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Writes a word for systemd: in quotes where it has spaces, with % doubled. In ExecStart alone, $ has to be doubled before. */
function quoted(word: string): string {
  if (/\p{Cc}/u.test(word)) throw new Error('a control character cannot be written into a unit');
  const escaped = word.replaceAll('%', '%%');
  return /^[\w@%+=:,./$[\]?&-]+$/.test(escaped) ? escaped : `"${escaped.replace(/[\\"]/g, '\\$&')}"`;
}
