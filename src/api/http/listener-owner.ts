/**
 * Finds out which user runs the program at the other end of a connection within this machine. Any local user can listen
 * on a free port, and plain http does not show who answers, so that the token could be sent to that user. Only Linux
 * shows which user owns a socket.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Whether the token may go to a program that this user runs. */
export type TrustsOwner = (uid: number) => boolean;

/** The `code` of the error of `checkOwner`; nothing was sent. */
export const otherOwnerCode = 'OTHER_OWNER';

/** Rejects when the listening program belongs to a user who is not trusted. Resolves where the owner is not known. */
export async function checkOwner(socket: Socket, trusts: TrustsOwner): Promise<void> {
  if (process.platform !== 'linux') return;
  const { remoteAddress = '', remotePort = 0, localPort = 0 } = socket;
  const [four, six] = await Promise.all([readTable('/proc/net/tcp'), readTable('/proc/net/tcp6')]);
  const stranger = ownersOf({ four, six }, remoteAddress, remotePort, localPort).find((uid) => !trusts(uid));
  if (stranger === undefined) return;
  const text = `port ${remotePort} of this machine is served by another user than before (uid ${stranger}); the token was not sent`;
  throw Object.assign(new Error(text), { code: otherOwnerCode });
}

/** Rows of /proc/net/tcp and of /proc/net/tcp6. */
interface Tables {
  readonly four: readonly SocketRow[];
  readonly six: readonly SocketRow[];
}

interface SocketRow {
  /** In the kernel's spelling: groups of four bytes in the order of this machine, as hexadecimal digits. */
  readonly address: string;
  readonly port: number;
  readonly remotePort: number;
  readonly state: string;
  readonly uid: number;
}

const listening = '0A';
const established = '01';

/**
 * The owners of the listening socket and of the socket that was accepted for this connection: the first one alone could
 * be closed again by now. The kernel reports uid 0 for the second one until the server accepts the connection.
 */
export function ownersOf({ four, six }: Tables, address: string, port: number, ownPort: number): readonly number[] {
  const listeners = (rows: readonly SocketRow[], at: readonly string[]): readonly SocketRow[] =>
    rows.filter((row) => row.state === listening && row.port === port && at.includes(row.address));
  const isSix = address.includes(':');
  // The kernel prefers a socket at the very address, and one of the same family.
  const choices = isSix
    ? [listeners(six, [loopbackSix]), listeners(six, [anySix])]
    : [listeners(four, [fourOf(address)]), listeners(four, [anyFour]), listeners(six, [mapped(address), anySix])];
  const listener = choices.find((rows) => rows.length > 0) ?? [];
  const accepted = [...four, ...six].filter(
    (row) => row.state === established && row.port === port && row.remotePort === ownPort && row.uid !== 0,
  );
  return [...listener, ...accepted].map(({ uid }) => uid);
}

const anyFour = '00000000';
const anySix = '0'.repeat(32);
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

const word = (bytes: readonly number[]): string =>
  (isLittleEndian ? bytes.toReversed() : bytes)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

const fourOf = (address: string): string => word(address.split('.').map(Number));
const loopbackSix = `${'0'.repeat(24)}${word([0, 0, 0, 1])}`;
const mapped = (address: string): string => `${'0'.repeat(16)}${word([0, 0, 255, 255])}${fourOf(address)}`;

async function readTable(file: string): Promise<readonly SocketRow[]> {
  try {
    return parseTable(await readFile(file, 'latin1'));
  } catch {
    return [];
  }
}

export function parseTable(text: string): readonly SocketRow[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state = '', , , , uid = ''] = line.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      if (uid === '') return [];
      const remotePort = Number.parseInt(remote.split(':')[1] ?? '', 16);
      return [{ address, port: Number.parseInt(port, 16), remotePort, state, uid: Number(uid) }];
    });
}
