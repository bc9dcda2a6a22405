/** `msg-tui serve` runs our server; its subcommands manage users, tokens, contacts and groups. */
import { closeSync, fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Admin } from '../server/rules/admin.ts';
import type { Service } from '../server/rules/service.ts';
import type { Database } from '../server/store/database.ts';
import type { PersonRow } from '../server/store/people.ts';
import { plain } from './ascii-output.ts';
import { ExitError, exitCodes, messageOf } from './exit.ts';
import { serveHelp } from './help/root-help.ts';

interface ServeOptions {
  readonly data: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly readOnOpen: 'on' | 'off';
  readonly allowRemote?: true;
  readonly rateLimit?: true;
  readonly maxConnections: number;
}

export function registerServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('run our server of the Messaging Service API')
    .requiredOption('--data <file>', 'the database file; it is created when missing')
    .addOption(
      new Option('--listen <address:port>', 'the address to listen on; port 0 chooses a free port')
        .argParser(parseListen)
        .default(parseListen('127.0.0.1:8787'), '127.0.0.1:8787'),
    )
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
    .action((options: ServeOptions) => guarded(() => run(options)));
  registerPeople(serve);
  registerTokens(serve);
  registerGroups(serve);
  serve
    .command('seed <file>')
    .description('import people, groups and conversations from a JSON file')
    .action((file: string) =>
      administer(serve, async (_admin, service) => {
        const { importSeed } = await import('../server/seed/seed.ts');
        const counts = importSeed(service, readSeed(file), letOthersWrite);
        print(`${counts.people} people, ${counts.groups} groups, ${counts.messages} messages`);
      }),
    );
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

async function run(options: ServeOptions): Promise<void> {
  const { startServer } = await import('../server/http/start.ts');
  const server = await startServer({
    database: await openDataFile(options.data),
    host: options.listen.host,
    port: options.listen.port,
    readOnOpen: options.readOnOpen === 'on',
    allowNonLoopback: options.allowRemote === true,
    maximumConnections: options.maxConnections,
    ...(options.rateLimit === true ? { rateLimit: 'on' as const } : {}),
    onFailure: (error, requestId) => complain(`${requestId}: ${messageOf(error)}`),
  }).catch((error: unknown) => refuseToListen(error, options.listen));
  if (options.allowRemote === true)
    complain('warning: tokens and messages travel unencrypted; put a TLS proxy in front');
  print(`listening on ${server.url}`);
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await server.close();
}

function refuseToListen(error: unknown, { host, port }: ServeOptions['listen']): never {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    throw new ExitError(exitCodes.failure, `serve: ${host}:${port} is in use; choose another port with --listen`);
  throw error;
}

function registerPeople(serve: Command): void {
  const kinds = [
    { name: 'user', describe: 'people who may sign in', list: (admin: Admin) => admin.users(), add: 'createUser' },
    {
      name: 'contact',
      describe: 'people who can be written to',
      list: (admin: Admin) => admin.contacts(),
      add: 'createContact',
    },
  ] as const;
  for (const kind of kinds) {
    const command = serve.command(kind.name).description(kind.describe);
    command
      .command('add <username>')
      .description('add one and print its id')
      .option('--phone <number>', 'phone number', '')
      .option('--avatar <url>', 'address of a picture', '')
      .action((username: string, { phone, avatar }: { phone: string; avatar: string }) =>
        administer(serve, (admin) => printPerson(admin[kind.add]({ username, phoneNumber: phone, avatarUrl: avatar }))),
      );
    command
      .command('list')
      .description('print id and name of each')
      .action(() => administer(serve, (admin) => kind.list(admin).forEach(printPerson)));
  }
}

function registerTokens(serve: Command): void {
  const command = serve.command('token').description('access tokens of users');
  command
    .command('add <username>')
    .description('print a new token; it cannot be shown again')
    .option('--label <text>', 'what the token is for', '')
    .option('--out <file>', 'write it to a new file that only you can read, instead of printing it')
    .action((username: string, { label, out }: { label: string; out?: string }) =>
      administer(serve, (admin) => {
        const file = out === undefined ? null : openSync(out, 'wx', 0o600);
        const { id, token } = admin.createToken(username, label);
        if (file === null) return print(token);
        fchmodSync(file, 0o600);
        writeSync(file, `${token}\n`);
        closeSync(file);
        print(id);
      }),
    );
  command
    .command('list')
    .description('print id, user, time and label of each; never the token')
    .action(() =>
      administer(serve, (admin) => {
        for (const token of admin.tokens())
          print([token.id, token.username, isoTime(token.created_at), token.label].join('\t'));
      }),
    );
  command
    .command('revoke <id>')
    .description('revoke the token with this id of `token list`')
    .action((id: string) => administer(serve, (admin) => admin.revokeToken(id)));
}

function registerGroups(serve: Command): void {
  const command = serve.command('group').description('groups and their members');
  command
    .command('add <name> [members...]')
    .description('make a group of these people and print its id')
    .action((name: string, members: string[]) =>
      administer(serve, (admin) => print(`${admin.createGroup(name, members).id}\t${name}`)),
    );
  command
    .command('list')
    .description('print id and name of each')
    .action(() =>
      administer(serve, (admin) => {
        for (const group of admin.groups()) print(`${group.id}\t${group.name}`);
      }),
    );
  command
    .command('members <name> [add...]')
    .description('add people to a group, or list who is in it')
    .action((name: string, add: string[]) =>
      administer(serve, (admin) => {
        for (const username of add) admin.addMember(name, username);
        admin.members(name).forEach(printPerson);
      }),
    );
}

/** SQLite in another process asks for the file again after up to 25 ms, as long as it has waited for one block only. */
const letOthersWrite = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);

/** Opens the data file beside a running server or without one, and closes it again. */
function administer(serve: Command, work: (admin: Admin, service: Service) => void | Promise<void>): Promise<void> {
  return guarded(async () => {
    const { createService } = await import('../server/rules/service.ts');
    const service = createService({ database: await openDataFile(serve.opts<ServeOptions>().data) });
    try {
      await work(service.admin, service);
    } finally {
      service.close();
    }
  });
}

// The modules are loaded here since the help of every other command would wait for them.
async function openDataFile(name: string): Promise<Database> {
  // SQLite would take `file:chat.db` and `:memory:` for something else than the file of that name.
  const path = resolve(name);
  const { prepareDataFile } = await import('../server/store/open-data-file.ts');
  const { openDatabase } = await import('../storage/sqlite/driver.ts');
  prepareDataFile(path);
  const database = openDatabase(path);
  try {
    // This opens the log, which another user may have made in a shared directory since the first check.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL');
    prepareDataFile(path);
    return database;
  } catch (error) {
    database.close();
    throw new Error(`${name}: ${messageOf(error)}`);
  }
}

/** What the system refuses (a full disk, no SQLite) is a failure; any other error is wrong usage. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ExitError) throw error;
    const isSystem = error instanceof Error && ('syscall' in error || error.name === 'StorageError');
    throw new ExitError(isSystem ? exitCodes.failure : exitCodes.usage, `serve: ${oneLine(messageOf(error))}`);
  }
}

function readSeed(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
}

const printPerson = (person: PersonRow): void => print(`${person.id}\t${person.username}`);
const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
// Names come from a file that others may have written to: nothing of them may drive the terminal.
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
const cell = (text: string): string => plain(oneLine(text));
const print = (line: string): void => void process.stdout.write(`${line.split('\t').map(cell).join('\t')}\n`);
const complain = (line: string): void => void process.stderr.write(`${cell(line)}\n`);
