import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { completionOf } from '../../../src/cli/completion/complete.ts';
import { conversationCandidates } from '../../../src/cli/completion/live-names.ts';
import { scripts, shells, wordSeparator } from '../../../src/cli/completion/scripts.ts';
import { commandTree } from '../../../src/cli/program.ts';
import { paths, profileDirectories } from '../../../src/config/paths.ts';
import { fastest } from '../../support/clocks/fastest.ts';
import { accountWith, type Home, hostileNames, untypeableNames } from './account.ts';

const program = await commandTree();

const breaks = ' \t\n"\'><=;|&(:@';
const inBash = async (line: string): Promise<string[]> =>
  (await completionOf(program, 'bash', `msg-tui ${line}`, breaks)).split('\n').slice(0, -1);
const inZsh = async (...words: string[]): Promise<string[]> =>
  (await completionOf(program, 'zsh', ['msg-tui', ...words].join(wordSeparator), '')).split('\n').slice(0, -1);

function enter({ env }: Home): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

beforeEach(() => {
  for (const name of ['MSG_TUI_PROFILE', 'MSG_TUI_SERVER', 'MSG_TUI_TOKEN', 'MSG_TUI_CONFIG']) vi.stubEnv(name, '');
});
afterEach(() => vi.unstubAllEnvs());

describe('values from the tree of commands', () => {
  beforeEach(() => enter(accountWith([])));

  test.each([
    ['conv', ['conversations']],
    ['config un', ['unset']],
    ['help conv', ['conversations']],
    ['conversations --vi', ['--view']],
    ['conversations --view un', ['unread']],
    ['conversations --view=un', ['unread']],
    ['config get notify.met', ['notify.method']],
    ['config set density co', ['compact', 'comfortable']],
    ['config set mouse ', ['true', 'false']],
    ['completion z', ['zsh']],
    ['react ann last white_check', ['white_check_mark']],
    ['send ann some text ', []],
    ['send ann -- --wa', []],
    ['nothing-like-this ', []],
  ])('%s', async (line, words) => {
    expect(await inBash(line)).toEqual(['words', ...words]);
  });

  test('files and folders are left to the shell', async () => {
    expect(await inBash('send ann --file ')).toEqual(['files']);
    expect(await inBash('read ann > x')).toEqual(['files']);
  });

  test('a shell that shows descriptions gets them', async () => {
    expect(await inZsh('config', 'unse')).toEqual(['words', 'unset\tremove a setting from config.toml']);
    expect(await completionOf(program, 'powershell', `msg-tui${wordSeparator}config${wordSeparator}unse`, '')).toBe(
      'words\nunset\tunset\tremove a setting from config.toml\n',
    );
  });

  test('every command that is not hidden is offered, and so is every option of each', async () => {
    const walk = async (path: readonly string[], command: typeof program): Promise<void> => {
      const help = command.createHelp();
      const subCommands = help.visibleCommands(command).map((one) => one.name());
      expect(await inZsh(...path, '').then((lines) => lines.map((line) => line.split('\t')[0]))).toEqual(
        expect.arrayContaining(subCommands),
      );
      const options = help.visibleOptions(command).map(({ long, short }) => long ?? short);
      expect(await inZsh(...path, '-').then((lines) => lines.map((line) => line.split('\t')[0]))).toEqual(
        expect.arrayContaining(options),
      );
      for (const one of command.commands) await walk([...path, one.name()], one);
    };
    await walk([], program);
  });
});

describe('names from the cache', () => {
  test('are those that a command takes: own names, names of the contact book, @usernames, #groups', async () => {
    enter(accountWith(['Ann Wells', 'Bob']));
    expect((await inBash('read ')).sort()).toEqual(['Ann\\ Wells', 'Bob', 'Harbour\\ crew', 'words']);
    expect(await inBash('read an')).toEqual(['words', 'Ann\\ Wells']);
    expect(await inBash('read "an')).toEqual(['words', 'Ann Wells']);
    expect(await inBash('read @b')).toEqual(['words', '@Bob']);
    expect(await inBash('read \\#har')).toEqual(['words', '\\#Harbour\\ crew']);
    expect(await inBash('wait --from=b')).toEqual(['words', 'Bob']);
    expect(await inBash('read chat-1')).toEqual(['words', 'chat-1-0000']);
    expect(await inBash('new b')).toEqual(['words', 'Bob']);
  });

  test('messages of the conversation that is typed before them are offered, the newest first', async () => {
    enter(accountWith(['Ann Wells']));
    expect(await inZsh('react', 'Ann Wells', '')).toEqual([
      'words',
      'last\tthe newest message',
      'message-2-0000\tThe ferry',
      'message-1-0000\tHello there',
    ]);
  });

  test('only own messages are offered to edit and delete', async () => {
    enter(accountWith(['Ann', 'Me'], { me: 'Me' }));
    const own = ['words', 'last\tyour newest message', 'message-2-0000\tThe ferry'];
    expect(await inZsh('edit', 'Ann', '')).toEqual(own);
    expect(await inZsh('delete', 'Ann', '')).toEqual(own);
  });

  test('no message is offered after delete --conversation', async () => {
    enter(accountWith(['Ann']));
    expect(await inBash('delete Ann --conversation ')).toEqual(['words']);
    expect(await inBash('delete --conversation An')).toEqual(['words', 'Ann']);
  });

  test('the user is not offered as somebody to write to or to wait for', async () => {
    enter(accountWith(['Ann', 'Bob'], { me: 'Bob' }));
    expect(await inBash('new ')).toEqual(['words', 'Ann']);
    expect(await inBash('wait --from ')).toEqual(['words', 'Ann']);
  });

  test('profiles are offered, and so are the names of the profile that is typed', async () => {
    enter(accountWith(['Ann']));
    expect(await inZsh('unread', '--profile', '')).toEqual([
      'words',
      'work\thttps://chat.example',
      'home\thttps://chat.example',
    ]);
    expect(await inBash('unread --profile home ')).toEqual(['words']);
  });

  test('a name that two people have is completed to its @username, or to the beginning of the id', async () => {
    enter(accountWith(['Ann', 'ann']));
    expect((await inBash('read ')).sort()).toEqual(['@Ann', '@ann', 'Harbour\\ crew', 'words']);
  });

  test('a name that does not fit on a command line is completed to an id, and nothing of it reaches the shell', async () => {
    enter(accountWith([...untypeableNames, 'Ann']));
    const words = (await inBash('read ')).sort();
    expect(words).toEqual([
      'Ann',
      'Harbour\\ crew',
      'chat-1-0000',
      'chat-2-0000',
      'chat-3-0000',
      'new\\ line',
      'words',
    ]);
    for (const shell of shells) {
      const text = await completionOf(
        program,
        shell,
        shell === 'bash' ? 'msg-tui read ' : ['msg-tui', 'read', ''].join(wordSeparator),
        breaks,
      );
      expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test('names that the shell would run are quoted', async () => {
    enter(accountWith(hostileNames));
    expect(await inBash('read ')).toContain('\\$\\(touch\\ x\\)');
    expect(await inBash('read "$(to')).toEqual(['words', '\\$(touch x)']);
    expect(await inBash("read '$(to")).toEqual(['words', '$(touch x)']);
  });

  test('there are none, and no error, without an account or with files that cannot be read', async () => {
    const home = accountWith(['Ann']);
    enter(home);
    rmSync(join(home.folder, 'cache'), { recursive: true });
    expect(await inBash('read ')).toEqual(['words']);
    vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
    expect(await inBash('read ')).toEqual(['words']);
    expect(await inBash('unread --profile ')).toEqual(['words']);
  });
});

test('the names of a large cache are read within a quarter of a second', () => {
  const { env } = accountWith(Array.from({ length: 4_000 }, (_, at) => `Person number ${at}`));
  const files = profileDirectories(paths(env, 'linux'), { server: 'https://chat.example', profile: 'work' });
  let found = 0;
  const ms = fastest(100, () => {
    found = conversationCandidates(files, 'person number 1').length;
  });
  expect(found).toBe(200);
  expect(ms).toBeLessThan(250);
});

test('the scripts call the program by its name, and evaluate nothing of what it prints', () => {
  for (const shell of shells) {
    expect(scripts[shell]).toContain(`msg-tui __complete ${shell}`);
    expect(scripts[shell]).not.toMatch(/\beval\b|Invoke-Expression|compgen -W/);
  }
});
