/** Runs command lines in this process, which takes milliseconds; the built program takes a third of a second for each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { ExitError } from '../../../src/cli/process/exit.ts';
import { runProgram } from '../../../src/cli/program.ts';
import type { Seed } from '../../../src/server/seed/seed-format.ts';
import { startJourneyServer } from '../servers/journey-server.ts';
import { environmentIn } from './program.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  /** What ended the command. */
  readonly error: ExitError | null;
}

/** A home of its own and a server with these people, whose first user runs the commands. */
export async function programHere(seed: Seed): Promise<(words: readonly string[]) => Promise<Ended>> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-here-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startJourneyServer(join(folder, 'server.db'), seed);
  onTestFinished(() => server.close());
  const account = { MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: server.me.token };
  onTestFinished(() => void vi.unstubAllEnvs());
  return (words) => {
    // A command takes its token out of the environment.
    for (const [name, value] of Object.entries({ ...environmentIn(folder), ...account })) vi.stubEnv(name, value);
    return run(words);
  };
}

async function run(words: readonly string[]): Promise<Ended> {
  const { exitCode } = process;
  let out = '';
  const keep = (text: string | Uint8Array): boolean => {
    out += String(text);
    return true;
  };
  const written = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
  ];
  try {
    await runProgram(words);
    return { code: Number(process.exitCode ?? 0), out, error: null };
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { code: error.code, out, error };
  } finally {
    for (const one of written) one.mockRestore();
    process.exitCode = exitCode;
  }
}
