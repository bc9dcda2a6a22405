/** How often and how lately something was chosen. */
import type { Millis } from '../../protocol/types.ts';

export interface Use {
  /** The number of uses, each of which counts half as much after every week. It holds for the time `at`. */
  readonly weight: number;
  /** The last use. */
  readonly at: Millis;
}
