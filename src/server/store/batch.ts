/** Looks several keys up with one statement, where many requests ask at the same time. */

interface Asked<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks one key up. Keys that are asked for while a look-up is under way wait for the next one, which takes all of them,
 * so that no caller gets a value that was read before it asked.
 *
 * @param lookUp resolves to the values of the keys, in their order
 */
export function batched<Key, Value>(
  lookUp: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  let waiting: Asked<Key, Value>[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const values = await lookUp(asked.map(({ key }) => key));
        for (const [index, { resolve }] of asked.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isRunning = false;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isRunning) void run();
    });
}
