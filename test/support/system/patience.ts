/** `vi.waitFor` gives up after a second by default, which is too soon on a machine that does other work. */
import { vi } from 'vitest';

const patienceMs = 30_000;
const { waitFor } = vi;

vi.waitFor = (callback, options = patienceMs) => waitFor(callback, options);
