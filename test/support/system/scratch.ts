/** Directories for thousands of short-lived databases: in memory where the system offers it, as no power fails in a test. */
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** To be removed by the caller. */
export const scratchDirectory = (name: string): string => mkdtempSync(join(base(), `msg-tui-${name}-`));

function base(): string {
  try {
    accessSync(memory, constants.W_OK);
    return memory;
  } catch {
    return tmpdir();
  }
}
