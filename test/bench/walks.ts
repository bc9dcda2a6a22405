/**
 * Counts what the program executes and asks for on three ways through it: a message until it is settled, a reaction until it
 * is settled, and a poll that brings one unread message. V8 counts the calls of each function (precise coverage), in the real
 * session with a painted screen, against our own server in the same process, whose files are not counted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session as Inspector, type Profiler } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHintSelector } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { keyLabel } from '../../src/commands/label.ts';
import { commands } from '../../src/commands/table.ts';
import { openSession, type Session } from '../../src/session.ts';
import { openInView, setSize } from '../../src/state/view/view.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { Painter } from '../../src/ui/painter.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import { seed } from '../journeys/cast.ts';
import { type JourneyServer, startJourneyServer } from '../support/servers/journey-server.ts';
import { createHeadless } from '../support/terminals/headless.ts';

/** What one way took. */
interface Walk {
  readonly files: readonly string[];
  readonly functions: number;
  readonly calls: number;
  readonly requests: readonly string[];
}

interface Module {
  readonly start: number;
  readonly file: string;
}

const program = fileURLToPath(import.meta.url);
const waitMs = 20_000;
const repetitions = 5;
/** After news a page is read once more, which would bring the news of the next repetition in the place of a poll. */
const restMs = 4_000;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** esbuild writes the name of each source file above what it took from it. */
function modulesOf(bundle: string): readonly Module[] {
  return [...bundle.matchAll(/^\s*\/\/ ((?:src|test|node_modules)\/\S+)$/gm)].map((match) => ({
    start: match.index,
    file: match[1] ?? '',
  }));
}

function fileAt(modules: readonly Module[], offset: number): string {
  let low = 0;
  let high = modules.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((modules[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return modules[low]?.file ?? '';
}

/** In `protocol`, though only the server runs them on these ways: it decodes forms, and checks the `Host` of each request. */
const runByServer = ['src/protocol/form-decode.ts', 'src/protocol/base-url.ts'];

const isCounted = (file: string): boolean =>
  file.startsWith('src/') && !file.startsWith('src/server/') && !runByServer.includes(file);

/** The first function of each file is its top level, and the outermost one of the bundle holds all others. */
function summed(coverage: readonly Profiler.FunctionCoverage[], modules: readonly Module[]): Omit<Walk, 'requests'> {
  const run = coverage
    .flatMap(({ functionName, ranges }) => ranges.slice(0, 1).map((range) => ({ functionName, ...range })))
    .filter(({ count, functionName }) => count > 0 && functionName !== '')
    .map(({ count, startOffset }) => ({ count, file: fileAt(modules, startOffset) }))
    .filter(({ file }) => isCounted(file));
  return {
    files: [...new Set(run.map(({ file }) => file))].sort(),
    functions: run.length,
    calls: run.reduce((sum, { count }) => sum + count, 0),
  };
}

async function until(what: string, isDone: () => boolean): Promise<void> {
  const end = performance.now() + waitMs;
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`${what} did not happen within ${waitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Panes of the session's state on a terminal emulator of 100 × 30. */
function paintedScreen(session: Session) {
  const tty = createHeadless(100, 30);
  const screen = new Screen({ tty, schedule: (paint) => void setTimeout(paint, 0) });
  const keymap = createKeymap(commands);
  const panes = createPanes({
    theme: themes.dark,
    ascii: false,
    now: Date.now,
    keyOf: (id) => keyLabel(keymap.keysOf(id)[0] ?? ''),
  });
  const hintsOf = createHintSelector(keymap);
  const painter = new Painter({ ...session.store, screen, panes: () => panes, hintsOf, isCovered: () => false });
  screen.enter();
  session.store.setState(setSize({ columns: 100, rows: 30 }));
  return {
    tty,
    stop: () => {
      painter.stop();
      tty.terminal.dispose();
    },
  };
}

async function measured(server: JourneyServer, modules: readonly Module[], act: () => Promise<void>): Promise<Walk> {
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post('Profiler.enable');
  const asked = server.asked.length;
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const requests = server.asked.slice(asked).map(({ method, path }) => `${method} ${path.replace(/[?].*/, '')}`);
  await inspector.post('Profiler.stopPreciseCoverage');
  inspector.disconnect();
  const own = result.find(({ url }) => url.endsWith(program) || url === import.meta.url);
  return { ...summed(own?.functions ?? [], modules), requests };
}

async function walks(server: JourneyServer, session: Session, modules: readonly Module[]) {
  const { store, engine } = session;
  await until('the first list', () => store.getState().view.connection.listComplete);
  const [open, other] = ['ann', 'bob'].map(
    (name) =>
      [...store.getState().cache.conversations.values()].find(({ contactId }) => contactId === server.as(name).id)?.id,
  );
  if (open === undefined || other === undefined) throw new Error('the conversations of the seed are missing');
  store.setState(openInView(open));
  engine.openConversation(open);
  const texts = () => store.getState().cache.threads.get(open)?.messages ?? [];
  await until('the thread', () => texts().length > 0);
  const settled = () => store.getState().local.outbox.length === 0;
  const painted = paintedScreen(session);
  const shown = (text: string) => painted.tty.text().join('\n').includes(text);
  const send = async (text: string): Promise<void> => {
    engine.enqueue({ kind: 'message.send', conversationId: open, text });
    await until('the message', () => settled() && shown(text));
  };
  const react = async (name: string): Promise<void> => {
    const messageId = texts().at(-1)?.id ?? '';
    engine.enqueue({ kind: 'message.react', conversationId: open, messageId, name, present: true, confirmed: true });
    const isThere = () =>
      texts()
        .at(-1)
        ?.reactions.some((reaction) => reaction.name === name) === true;
    await until('the reaction', () => settled() && isThere());
  };
  // Once beforehand: what is learned of the server with the first write is not part of the way.
  await send('the first one');
  await react('heart');
  const unread = () => store.getState().cache.unread.get(other) ?? 0;
  const ways: Readonly<Record<string, (time: number) => Promise<void>>> = {
    'a message until it is settled': (time) => send(`the one that counts, ${time}`),
    'a reaction until it is settled': (time) => react(`tada${time}`),
    'a poll with one unread message': async () => {
      const before = unread();
      await server.as('bob').send('me', 'are you there');
      await until('the unread message', () => unread() > before);
    },
  };
  const result = new Map<string, Walk>();
  for (const [name, go] of Object.entries(ways)) {
    const times: Walk[] = [];
    for (let time = 1; time <= repetitions; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, restMs));
      times.push(await measured(server, modules, () => go(time)));
    }
    result.set(name, shortest(times));
  }
  painted.stop();
  return result;
}

/** A poll that falls due meanwhile is not part of a way. */
const shortest = (times: readonly Walk[]): Walk =>
  times.reduce((one, other) => (other.files.length < one.files.length ? other : one));

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui walks-'));
  const server = await startJourneyServer(join(folder, 'server.db'), seed);
  const session = openSession({
    label: 'walks',
    server: server.url,
    token: server.me.token,
    insecureHttp: false,
    dataDirectory: join(folder, 'data'),
    cacheDirectory: join(folder, 'cache'),
  });
  try {
    await session.start();
    const found = await walks(server, session, modulesOf(readFileSync(program, 'utf8')));
    for (const [name, { files, functions, calls, requests }] of found) {
      say(`${name}: ${files.length} files, ${functions} functions, ${calls} calls, ${requests.length} requests`);
      for (const request of requests) say(`  ${request}`);
      if (process.argv.includes('--files')) for (const file of files) say(`    ${file}`);
    }
  } finally {
    await session.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
