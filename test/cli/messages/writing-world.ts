/** Commands that write, in this process, against our server: what they print, how they end, what the server has. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Account, withSession } from '../../../src/cli/headless/account.ts';
import { Deadline } from '../../../src/cli/headless/deadline.ts';
import type { Output } from '../../../src/cli/output/print.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import type { Seed } from '../../../src/server/seed/seed-format.ts';
import { type AccountToOpen, openSession, type Session } from '../../../src/session.ts';
import { defaultSettings } from '../../../src/state/model/settings.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { type JourneyServer, startJourneyServer } from '../../support/servers/journey-server.ts';

const minute = 60;

const seed: Seed = {
  users: [{ username: 'me' }, { username: 'ann' }, { username: 'bob' }, { username: 'dora' }],
  groups: [],
  conversations: [
    {
      between: ['me', 'ann'],
      messages: [
        { from: 'ann', text: 'The ferry leaves at nine', at: -3 * minute },
        { from: 'me', text: 'I will be there', at: -2 * minute },
      ],
    },
    { between: ['me', 'bob'], messages: [{ from: 'bob', text: 'Did you read it?', at: -5 * minute }] },
  ],
};

export interface Ran {
  /** 0 where the command did not fail. */
  readonly code: number;
  readonly error: string;
  /** The `code` of the error in JSON, where it has one of its own. */
  readonly name: string | undefined;
  readonly isQueued: boolean | undefined;
  /** Those of the error. */
  readonly warnings: readonly string[];
  readonly out: string;
  readonly remarks: readonly string[];
}

export interface WritingWorld {
  readonly server: JourneyServer;
  readonly account: AccountToOpen;
  run(
    act: (account: Account, output: Output) => Promise<void> | void,
    deadline?: Deadline,
    toOpen?: Parameters<typeof withSession>[0],
  ): Promise<Ran>;
  /** A chat on the same profile, which sends. */
  openChat(): Promise<Session>;
  /** A session that neither asks nor sends, to look at what is on disk. */
  stored(): Promise<Session['store']>;
}

export async function writingWorld(people: Seed = seed): Promise<WritingWorld> {
  const folder = temporaryDirectory();
  const server = await startJourneyServer(join(folder, 'server.db'), people);
  onTestFinished(() => server.close());
  const account: AccountToOpen = {
    label: 'test',
    server: server.url,
    token: server.me.token,
    dataDirectory: join(folder, 'data'),
    cacheDirectory: join(folder, 'cache'),
    insecureHttp: false,
  };
  return {
    server,
    account,
    async run(act, deadline = new Deadline(60), toOpen = account) {
      const printed = { out: '', remarks: [] as string[] };
      const print = (text: string): void => {
        printed.out += text;
      };
      const output: Output = {
        text: print,
        json: print,
        remark: (line) => void printed.remarks.push(line),
        columns: null,
      };
      try {
        await withSession(toOpen, defaultSettings, deadline, async (opened) => act(opened, output));
        return { code: 0, error: '', name: undefined, isQueued: undefined, warnings: [], ...printed };
      } catch (error) {
        if (!(error instanceof ExitError)) throw error;
        const { name, queued: isQueued, warnings = [] } = error.details;
        return { code: error.code, error: error.message, name, isQueued, warnings, ...printed };
      }
    },
    async openChat() {
      const session = openSession(account);
      let isClosed = false;
      const close = session.close;
      session.close = async () => {
        if (!isClosed) await close();
        isClosed = true;
      };
      onTestFinished(() => session.close());
      await session.start();
      return session;
    },
    async stored() {
      const session = openSession(account, { isBrief: true });
      await session.load();
      await session.close();
      return session.store;
    },
  };
}

/** A list at this path has one page, which goes no further; `change` makes it of the rows of our server. */
export async function worldWithOnePage(path: string, change: (rows: unknown[]) => unknown[]): Promise<WritingWorld> {
  const messages = Array.from({ length: 12 }, (_, index) => ({ from: 'ann', text: `line ${index}`, at: index - 60 }));
  const world = await writingWorld({
    users: [{ username: 'me' }, { username: 'ann' }],
    groups: [],
    conversations: [{ between: ['me', 'ann'], messages }],
  });
  world.server.setHook(async (request, next) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== path) return next();
    const isFirst = [...searchParams.keys()].every((name) => name === 'conversation_id');
    if (!isFirst) return Response.json({ error: { message: 'unknown parameter' } }, { status: 400 });
    const answer = await next();
    const { data, ...rest } = (await answer.json()) as { data: unknown[] };
    return Response.json({ ...rest, has_more: true, data: change(data) });
  });
  return world;
}
