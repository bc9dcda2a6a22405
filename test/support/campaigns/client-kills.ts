/** The built program in a real terminal, killed at a random moment again and again while somebody writes (suite TP3). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WireMessage } from '../../../src/protocol/wire.ts';
import type { RequestHook } from '../../../src/server/http/start.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { startJourneyServer } from '../servers/journey-server.ts';
import { filesIn, filesWithToken } from '../system/canary.ts';
import { keyOf } from '../terminals/journey.ts';
import { expectOwnOutput } from '../terminals/own-output.ts';
import { environmentIn, program } from '../terminals/program.ts';
import { spawnTui, type Tui } from '../terminals/pty.ts';
import type { FaultSites } from './fault-sites.ts';
import { checkHistory, type HistoryEvent } from './history-checker.ts';

const seed = {
  users: [{ username: 'me' }, { username: 'ann' }],
  conversations: [{ between: ['me', 'ann'], messages: [{ from: 'ann', text: 'write to me', at: -60 }] }],
} as const;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Everything that is wrong after so many kills on one profile and a last run that may finish. */
export async function killedAgainAndAgain(
  number: number,
  kills: number,
  random: () => number,
  sites: FaultSites,
  onEntered: (count: number) => void,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-client-kill-'));
  const home = join(folder, 'home');
  const events: HistoryEvent[] = [];
  const at = (): number => performance.now();
  const committed = new Set<string>();
  /** Texts are used as the ids of the outbox: each is written once. */
  const hook: RequestHook = async (request, next) => {
    if (request.method !== 'POST') return next();
    const uuid = new URLSearchParams(await request.clone().text()).get('message') ?? '';
    events.push({ at: at(), kind: 'post', uuid });
    await sleep(random() * 150);
    const answer = await next();
    const { id, message } = (await answer.clone().json()) as WireMessage;
    if (!committed.has(id))
      events.push({ at: at(), kind: 'commit', uuid, messageId: id, conversationId: 'c', text: message });
    committed.add(id);
    await sleep(random() * 150);
    return answer;
  };
  const server = await startJourneyServer(join(folder, 'server.db'), seed, hook);
  const { token } = server.me;
  const start = (): Tui =>
    spawnTui({ args: [program], env: { ...environmentIn(home), MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: token } });
  const typed: string[] = [];
  const seen = new Set<string>();
  const outputs: string[] = [];
  let tui: Tui | null = null;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      tui = start();
      const running = tui;
      const killAfterMs = kill === 0 ? 700 + random() * 1_500 : random() * 1_800;
      const end = sleep(killAfterMs).then(() => running.kill('SIGKILL'));
      sites.hit(await write(running, kill === 0, typed, seen, () => `words ${number}-${kill}-${typed.length}`));
      await end;
      await running.exited;
      outputs.push(running.output());
    }
    tui = start();
    await settle(tui, home);
    tui.press(keyOf('app.quit'));
    await tui.exited;
    outputs.push(tui.output());
    const left = opsIn(home);
    const everywhere = new Set([...left.keys(), ...seen, ...(await server.me.texts('ann'))]);
    // In the order typed, and only what left the composer.
    const entered = typed.filter((text) => everywhere.has(text));
    onEntered(entered.length);
    const enters = entered.map(
      (uuid) => ({ at: 0, kind: 'enter', uuid, conversationId: 'c', text: uuid, composer: '' }) as const,
    );
    const disk = { at: at(), kind: 'disk', isStart: false, ops: left } as const;
    for (const output of outputs) expectOwnOutput(output);
    return [
      ...checkHistory([...enters, ...events, disk]),
      ...filesWithToken(home, token).map((file) => `the token is in ${file}`),
      ...outputs.filter((output) => output.includes(token)).map(() => 'the token is on the screen'),
    ].map((wrong) => `profile ${number}: ${wrong}`);
  } finally {
    await tui?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes until the program is gone; answers what it was doing then. Adds to `seen` what stood in the thread. */
async function write(
  tui: Tui,
  isFirst: boolean,
  typed: string[],
  seen: Set<string>,
  nextText: () => string,
): Promise<string> {
  let isGone = false;
  void tui.exited.then(() => {
    isGone = true;
  });
  const look = (): void => {
    const screen = tui.screen();
    const composer = screen.findIndex((row) => row.includes('To ann'));
    for (const text of typed)
      if (screen.slice(0, Math.max(0, composer)).some((row) => row.includes(text))) seen.add(text);
  };
  const waits = async (sight: string): Promise<boolean> => {
    while (!isGone && !tui.screen().join('\n').includes(sight)) await sleep(5);
    return !isGone;
  };
  if (isFirst) {
    if (!(await waits('write to me'))) return 'killed while starting';
    tui.press(keyOf('list.first'), keyOf('list.open'));
  }
  if (!(await waits('To ann'))) return 'killed while starting';
  // What the last process left in the composer.
  tui.press('ctrl+u');
  for (;;) {
    const text = nextText();
    typed.push(text);
    tui.type(text);
    await sleep(20);
    if (isGone) return 'killed while typing';
    tui.press(keyOf('message.send'));
    for (let looks = 0; looks < 20 && !seen.has(text); looks += 1) {
      await sleep(5);
      look();
      if (isGone) return 'killed at Enter';
    }
    await sleep(60);
    look();
    if (isGone) return 'killed while sending';
  }
}

/** Until nothing moves any more but by a user. */
async function settle(tui: Tui, home: string): Promise<void> {
  await tui.waitFor('To ann').catch(() => undefined);
  for (let quietMs = 0, waited = 0; quietMs < 1_500 && waited < 60_000; waited += 100) {
    await sleep(100);
    const states = [...opsIn(home).values()];
    const isStill = states.every((state, index) => state === 'looked for' || (state === 'queued' && index > 0));
    quietMs = isStill ? quietMs + 100 : 0;
  }
}

/** Texts and states of what is in the outbox, in order; `looked for`: unsure, and not in the history. */
function opsIn(home: string): ReadonlyMap<string, string> {
  const file = filesIn(home).find((one) => one.endsWith('outbox.db'));
  if (file === undefined) return new Map();
  const database = openDatabase(file);
  try {
    // The program may be writing just now.
    database.exec('PRAGMA busy_timeout = 5000');
    const rows = database.prepare('SELECT state, action, scans FROM ops ORDER BY seq').all();
    return new Map(
      rows.map(({ state, action, scans }) => [
        (JSON.parse(String(action)) as { text: string }).text,
        state === 'unsure' && Number(scans) > 0 ? 'looked for' : String(state),
      ]),
    );
  } finally {
    database.close();
  }
}
