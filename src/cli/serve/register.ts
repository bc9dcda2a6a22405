/**
 * `msg-tui serve` runs the server; its sub-commands manage users, contacts, tokens and groups, fill, copy, back up and
 * migrate the database, and print the OpenAPI document and a systemd unit.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { serveHelp } from '../help/root-help.ts';
import { guarded } from './administer.ts';
import { registerBackup } from './backup.ts';
import { registerCopy } from './copy.ts';
import { registerGroups } from './groups.ts';
import { registerMigrate } from './migrate.ts';
import { registerOpenApi } from './openapi.ts';
import { registerPeople } from './people.ts';
import { runServer, type ServeOptions } from './run.ts';
import { registerSeed } from './seed.ts';
import { registerTokens } from './tokens.ts';
import { registerUnit } from './unit.ts';

export function registerServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('run a server of the Messaging Service API')
    .option('--data <file>', 'the database file (SQLite); it is created when missing')
    .option('--database <address>', 'a PostgreSQL database instead, without its password; default MSG_TUI_DATABASE')
    .addOption(
      new Option('--listen <address:port>', 'the address to listen on; port 0 chooses a free port')
        .argParser(parseListen)
        .default(parseListen('127.0.0.1:8787'), '127.0.0.1:8787'),
    )
    .addOption(
      new Option(
        '--admin-listen <address:port>',
        'answer /healthz, /readyz and /metrics on this address, without a token',
      ).argParser(parseListen),
    )
    .option('--log-requests', 'write one line of JSON for each request to stderr')
    .addOption(
      new Option('--read-on-open <on|off>', 'retrieving a conversation marks it as read')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--allow-remote', 'allow an address that is not loopback (no encryption: put a TLS proxy in front)')
    .option('--rate-limit', 'limit requests on loopback too')
    .addOption(
      new Option('--max-connections <number>', 'how many connections may be open at once')
        .argParser(parseMaxConnections)
        .default(1000),
    )
    .addHelpText('after', serveHelp)
    .action((options: ServeOptions) => guarded(() => runServer(options)));
  registerPeople(serve);
  registerTokens(serve);
  registerGroups(serve);
  registerSeed(serve);
  registerBackup(serve);
  registerMigrate(serve);
  registerCopy(serve);
  registerOpenApi(serve);
  registerUnit(serve);
}

function parseListen(value: string): ServeOptions['listen'] {
  const match = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(value);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port > 65_535)
    throw new InvalidArgumentError('Write it as ADDRESS:PORT, such as 127.0.0.1:8787.');
  return { host, port };
}

function parseMaxConnections(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('Write a whole number from 1 to 99999.');
  return Number(value);
}
