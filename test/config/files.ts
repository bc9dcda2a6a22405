/** A directory for one test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'msg-tui-config-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
