/** Has dropped databases closed: the SQLite driver keeps a file open until the last statement on it is collected. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export async function closeDropped(): Promise<void> {
  collectGarbage();
  // Finalisers run in a turn of their own.
  await new Promise<void>((resolve) => setImmediate(resolve));
}
