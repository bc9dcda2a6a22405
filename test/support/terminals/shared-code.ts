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
/** The program's own, and that of the parts with Ink and undici. */
const kinds = [/^code-.*(?<!\.\d+)$/, /^ui-.*(?<!\.\d+)$/, /^http-.*(?<!\.\d+)$/];
const codeDirectory = (home: string): string => join(home, 'cache/msg-tui');

/** Puts the compiled code where a program of this home finds it. The program writes it four seconds after its start. */
export async function shareCode(home: string): Promise<void> {
  const shared = inject('sharedHome');
  if (shared === undefined) return;
  const from = codeDirectory(shared);
  const find = (): readonly string[] => {
    const names = existsSync(from) ? readdirSync(from) : [];
    return kinds.flatMap((kind) => names.find((name) => kind.test(name)) ?? []);
  };
  const end = Date.now() + patienceMs;
  let names = find();
  for (; names.length < kinds.length; names = find()) {
    if (Date.now() > end) throw new Error(`no compiled code in ${from}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  mkdirSync(codeDirectory(home), { recursive: true, mode: 0o700 });
  for (const name of names) copyFileSync(join(from, name), join(codeDirectory(home), name));
}
