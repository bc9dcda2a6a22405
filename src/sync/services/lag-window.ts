/** How long reads may not show what was written. `sync/read/within-lag-window.ts` compares ages with it. */

/** No list, and no other read, is believed to lag behind a write for longer. */
export const lagWindowMs = 120_000;
