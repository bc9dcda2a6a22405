/** Lets other events, such as key presses, be handled between two pieces of a large answer. */

/** Bytes or UTF-16 units after which to yield; processing them takes about a millisecond. */
export const sliceSize = 262_144;

export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
