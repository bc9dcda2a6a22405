/**
 * Starts the program once and shares the code that it compiles with all journeys, which then start as a user's program
 * does from the second time on. The journeys load their own modules in the four seconds before the program writes it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { environmentIn, program } from '../support/terminals/program.ts';
import { spawnTui } from '../support/terminals/pty.ts';
import type {} from '../support/terminals/shared-code.ts';

export default function setup(project: TestProject): () => Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'msg-tui-compiled-'));
  const tui = spawnTui({ args: [program, 'demo'], env: environmentIn(home) });
  project.provide('sharedHome', home);
  return async () => {
    await tui.close();
    rmSync(home, { recursive: true, force: true });
  };
}
