/** Gives up the loop between pieces of a large answer, so that keys are heard in between. */

/** What is done with so many bytes or UTF-16 units takes a millisecond. */
export const sliceSize = 262_144;

export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
