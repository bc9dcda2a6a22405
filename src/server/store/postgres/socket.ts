/** Has the socket of a connection to PostgreSQL, which joins the writes of one turn of the event loop. */
import { Socket } from 'node:net';

/**
 * Sends the statements of one turn of the event loop with one system call, where the driver makes one for each: it corks
 * the socket for each statement, and here the cork stays until the end of the turn. With TLS, the driver does
 * not use the cork of this socket.
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
