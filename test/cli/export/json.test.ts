/** `export --json` and `import --json`, in this process, held against docs/json.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { runExport } from '../../../src/cli/export/export.ts';
import { runImport } from '../../../src/cli/export/import.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { expectShape } from '../messages/documented-shapes.ts';
import { writingWorld } from '../messages/writing-world.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The document that `act` prints; null for none. */
async function printedBy(act: () => Promise<void>): Promise<Readonly<Record<string, unknown>> | null> {
  let out = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  await act().finally(() => stdout.mockRestore());
  return out === '' ? null : JSON.parse(out);
}

test('export and import describe what they wrote as one JSON document, and say nothing else', async () => {
  const { server } = await writingWorld({
    users: [{ username: 'me' }, { username: 'ann' }],
    conversations: [{ between: ['me', 'ann'], messages: [{ from: 'ann', text: 'Hello' }] }],
  });
  const home = temporaryDirectory();
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
  for (const name of ['TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
  vi.stubEnv('MSG_TUI_SERVER', server.url);
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, server.me.token, { mode: 0o600 });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const output = join(home, 'chat.jsonl');
  const all = { tokenFile, all: true, json: true } as const;

  const first = await printedBy(() => runExport([], { ...all, output, complete: true }));
  expectShape('export', first ?? {});
  const file = { path: output, is_written: true, conversations: 1, messages: 1, limited_by_since: 0, incomplete: 0 };
  expect(first).toMatchObject({ files: [file], is_list_complete: true });
  const again = await printedBy(() => runExport([], { ...all, output, incremental: true }));
  expect(again).toMatchObject({ files: [{ path: output, is_written: false }] });
  const folder = await printedBy(() => runExport([], { ...all, output: `${home}/chats/` }));
  expectShape('export', folder ?? {});
  expect(folder).toMatchObject({ files: [{ conversations: 1, messages: 1 }], is_list_complete: true });

  const made = await printedBy(() => runImport(output, { json: true }));
  expectShape('import', made ?? {});
  expect(made).toMatchObject({ archive: join(home, 'chat.db'), server: server.url, conversations: 1, messages: 1 });
  expect(stderr).not.toHaveBeenCalled();
  await expect(runExport([], { ...all })).rejects.toMatchObject({ code: 2, message: /^--json needs --output/ });
});
