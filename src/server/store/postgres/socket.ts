/** The socket of a connection to PostgreSQL. */
import { Socket } from 'node:net';

/**
 * Sends the statements of one turn of the event loop with one system call, where the driver makes one for each: it corks
 * the socket for each statement, and here the cork stays until the end of the turn. Over TLS the driver writes past this.
 */
export class JoiningSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    super.cork();
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
