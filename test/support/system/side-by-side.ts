/** Works through items, so many at a time, for suites that mostly wait for other processes. */

/** What the works answered, in no order. Rejects with the first that fails. */
export async function sideBySide<T, R>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const queue = [...items];
  const results: R[] = [];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) results.push(...(await work(item)));
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}
