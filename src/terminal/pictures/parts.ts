/**
 * Writes a long sequence in parts that draw nothing, each when the line has room for it: typed text and frames are
 * written between two parts and are not held up.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Later } from './printed.ts';

export interface PartPorts {
  /** Whether a part may be written now. */
  readonly hasRoom: () => boolean;
  readonly write: (part: string) => void;
  readonly later: Later;
}

/** The time after which it is asked again whether there is room. */
const pauseMs = 10;

export class PartWriter {
  readonly #ports: PartPorts;
  /** The sequence under way: what ends it early, which is nothing before its first part is written. */
  #underWay: { end: string } | null = null;

  constructor(ports: PartPorts) {
    this.#ports = ports;
  }

  /**
   * @param end ends the sequence in the terminal when not all of its parts are written
   * @returns false when it was ended early
   */
  async write(parts: readonly string[], end: string): Promise<boolean> {
    const own = { end: '' };
    this.#underWay = own;
    for (const part of parts) {
      // Keys are handled between two parts.
      await turn();
      while (this.#underWay === own && !this.#ports.hasRoom())
        await new Promise<void>((resolve) => void this.#ports.later(pauseMs, resolve));
      if (this.#underWay !== own) return false;
      own.end = end;
      this.#ports.write(part);
    }
    this.#underWay = null;
    return true;
  }

  /** Ends the sequence under way. @returns what is to be written for that */
  end(): string {
    const end = this.#underWay?.end ?? '';
    this.#underWay = null;
    return end;
  }
}
