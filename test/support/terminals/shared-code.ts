/** The compiled code that journeys share: made once by test/journeys/compiled-code.setup.ts. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The home of the program that compiles; there is none where no journeys are run. */
    sharedHome?: string;
  }
}

const patienceMs = 60_000;
const isWhole = (name: string): boolean => name.startsWith('code-') && !/\.\d+$/.test(name);
const codeDirectory = (home: string): string => join(home, 'cache/msg-tui');

/** Puts the compiled code where a program of this home finds it. The program writes it four seconds after its start. */
export async function shareCode(home: string): Promise<void> {
  const shared = inject('sharedHome');
  if (shared === undefined) return;
  const from = codeDirectory(shared);
  const find = (): string | undefined => (existsSync(from) ? readdirSync(from).find(isWhole) : undefined);
  const end = Date.now() + patienceMs;
  let name = find();
  for (; name === undefined; name = find()) {
    if (Date.now() > end) throw new Error(`no compiled code in ${from}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  mkdirSync(codeDirectory(home), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, name), join(codeDirectory(home), name));
}
