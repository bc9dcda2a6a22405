/** What msg-tui is held against: the least that Node can do, and two IRC clients in C with as many messages. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyCodes, measureMoving } from './moving.ts';
import { inkOf } from './picture.ts';
import { measureIdle, measureMemory, measureQuit } from './resting.ts';
import { type Session, type Start, startSession } from './session.ts';
import { median } from './statistics.ts';
import { type Figures, measure, measureHold, measurePaste, measureTyping, typingMax } from './typing.ts';
import { lastIrcLine, type Program, type Sizes, type World } from './world.ts';

const contains =
  (text: string) =>
  (rows: readonly string[]): boolean =>
    rows.some((row) => row.includes(text));

export async function measureNode(): Promise<Figures> {
  const session = startSession({ command: process.execPath, args: ['-e', 'process.stdout.write("READY")'] });
  const shownAt = await session.waitFor(contains('READY'));
  await session.exited;
  return { 'first paint ms': shownAt - session.startedAt };
}

export async function measureEcho({ folder }: World, sizes: Sizes): Promise<Figures> {
  const session = startSession({ command: process.execPath, args: [join(folder, 'echo.mjs')] });
  try {
    const shownAt = await session.waitFor(contains('READY'));
    return {
      'first paint ms': shownAt - session.startedAt,
      ...(await measureTyping(session, { count: sizes.keys })),
      ...(await measureHold(session, { count: sizes.held })),
      // What the machine makes of single letters: as many as are typed in all measures of a long message.
      ...(await typingMax(session, 'typing', 230)),
      ...(await measureIdle(session, { seconds: sizes.idleSeconds, afterMs: 1_000 })),
      ...measureMemory(session),
    };
  } finally {
    await session.close();
  }
}

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

export const weechat: Program = {
  name: 'weechat',
  isThere: () => isInstalled('weechat'),
  async run({ folder, accounts, tell }, sizes) {
    const port = await accounts.irc(sizes.ircLines);
    const home = emptyFolder(join(folder, 'homes', 'weechat'));
    const commands = [
      '/set weechat.history.max_buffer_lines_number 0',
      '/set weechat.look.highlight ""',
      '/set logger.file.auto_log off',
      `/server add loc 127.0.0.1/${port} -notls`,
      '/set irc.server.loc.autojoin "#bench"',
      '/set irc.server.loc.nicks me',
      '/set irc.look.server_buffer independent',
      '/connect loc',
    ];
    const start = { command: 'weechat', args: ['-d', home, '-a', '-r', commands.join(';')], env: { HOME: home } };
    // The bar under the messages says how many more there are.
    return measureIrc(start, sizes, { ready: '#bench', join: '', ignoreRows: [38], tell });
  },
};

export const irssi: Program = {
  name: 'irssi',
  isThere: () => isInstalled('irssi'),
  async run({ folder, accounts, tell }, sizes) {
    const port = await accounts.irc(sizes.ircLines);
    const home = emptyFolder(join(folder, 'homes', 'irssi'));
    // By default irssi holds keys of several bytes back for 5 ms, to recognise a paste; that is not what is to be measured.
    writeFileSync(
      join(home, 'config'),
      `servers = ( { address = "127.0.0.1"; chatnet = "loc"; port = "${port}"; autoconnect = "yes"; } );
chatnets = { loc = { type = "IRC"; nick = "me"; }; };
channels = ( { name = "#bench"; chatnet = "loc"; autojoin = "yes"; } );
settings = {
  core = { real_name = "me"; user_name = "me"; nick = "me"; };
  "fe-text" = { scrollback_lines = "200000"; scrollback_time = "0"; paste_detect_time = "0"; };
  "fe-common/core" = { autolog = "no"; autofocus_new_items = "yes"; };
};
`,
    );
    const start = { command: 'irssi', args: [`--home=${home}`], env: { HOME: home } };
    return measureIrc(start, sizes, { ready: '[(status)]', join: '/window goto 2\r', ignoreRows: [38], tell });
  },
};

interface IrcClient {
  readonly ready: string;
  /** Typed to show the channel. */
  readonly join: string;
  readonly ignoreRows: readonly number[];
  tell(text: string): void;
}

async function measureIrc(start: Start, sizes: Sizes, client: IrcClient): Promise<Figures> {
  const starts: number[] = [];
  // The first start in an empty home makes its files, and is not what is compared.
  for (let i = 0; i < sizes.starts; i++) {
    const one = startSession(start);
    starts.push((await one.waitFor((rows) => inkOf(rows) > 0)) - one.startedAt);
    await one.waitFor(contains(client.ready));
    await one.close();
  }
  const session = startSession(start);
  try {
    starts.push((await session.waitFor((rows) => inkOf(rows) > 0)) - session.startedAt);
    await session.waitFor(contains(client.ready));
    const before = measure(session);
    await showChannel(session, client.join);
    const loaded = measure(session);
    const page = sizes.moves;
    return {
      'first paint ms': median(starts.slice(1)),
      ...(Number.isNaN(loaded.cpu) ? {} : { 'load CPU ms': loaded.cpu - before.cpu }),
      ...(await measureTyping(session, { count: sizes.keys })),
      ...(await measureMoving(session, {
        label: 'page',
        keys: [
          [keyCodes.pageUp, page],
          [keyCodes.pageDown, page],
        ],
        ignoreRows: client.ignoreRows,
      })),
      ...(await measureHold(session, { count: sizes.held })),
      ...(await measurePaste(session, 10_240)),
      ...(await measureIdle(session, { seconds: sizes.idleSeconds, afterMs: 1_000 })),
      ...measureMemory(session),
      ...(await measureQuit(session, '/quit\r', client.tell)),
    };
  } finally {
    await session.close();
  }
}

/** The channel has come when its last message is shown; the window may have to be asked for more than once. */
async function showChannel(session: Session, join: string): Promise<void> {
  if (join !== '') {
    await session.waitFor((rows) => rows.some((row) => /End of (MOTD|NAMES)|#bench/.test(row)));
    await session.pause(300);
    session.write(join);
  }
  await session.waitFor(contains(lastIrcLine), 240_000, 'FLOOD');
  await session.quiet(700, 30_000);
}

function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
