/** Determines the PostgreSQL database that `serve` uses: `--database`, or the variable MSG_TUI_DATABASE. */
import type { Variables } from './environment.ts';

function isAddress(text: string): boolean {
  try {
    // An address with a user and no host, of which the socket is in `?host=`, is no URL for Node and one for PostgreSQL.
    const { href } = new URL(text.replace('@/', '@localhost/'));
    return /^postgres(ql)?:\/\//.test(href);
  } catch {
    return false;
  }
}

/**
 * The address in MSG_TUI_DATABASE, which may hold a password; null when it is not set. Throws for what is no address.
 */
export function databaseVariable(env: Variables = process.env): string | null {
  const address = env.MSG_TUI_DATABASE ?? '';
  if (address === '') return null;
  // Its value is not repeated, as it may hold a password.
  if (!isAddress(address)) throw new Error('MSG_TUI_DATABASE must be an address such as postgres://USER@HOST/NAME');
  return address;
}

/**
 * Returns an address of the command line. Throws for one that is none, or that holds a password, which other users of
 * the machine could read.
 * @param option the name of the option, for the message
 */
export function checkDatabaseOption(address: string, option: string): string {
  if (!isAddress(address)) throw new Error(`${option} must be an address such as postgres://USER@HOST/NAME`);
  if (/^\w+:\/\/[^/?#]*:[^/?#]*@/.test(address) || /[?&]password=/i.test(address))
    throw new Error(
      `other users can read the password in ${option}; leave it out, and set PGPASSWORD or write it to ~/.pgpass, or set MSG_TUI_DATABASE instead`,
    );
  return address;
}
