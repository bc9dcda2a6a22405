/** A directory for one test, and a text of config.toml. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'msg-tui-config-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A config.toml with comments, three profiles and a theme. */
export const configWithProfiles = `# mine
default_profile = "home"
theme = "dark"

[profiles.work]
server = "https://work.example.com"   # the office
[profiles."at home"]
server = "https://other.example.com"
[profiles.home]
server = "https://home.example.com"
`;
