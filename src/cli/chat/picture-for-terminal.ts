/** Decodes a picture for the terminal: in pixels for one that draws pictures itself, and in any case for half blocks. */
import { randomInt } from 'node:crypto';
import type { LargePicture } from '../../pictures/decoder/contract.ts';
import type { Decode, Decoded } from '../../pictures/decoder-process.ts';
import type { Session } from '../../session.ts';
import type { Bitmap, TerminalPicture } from '../../state/model/pictures.ts';
import { pictureFacts } from '../../state/pictures/policy.ts';
import type { TerminalCapabilities } from '../../terminal/capabilities.ts';
import { iterm2Sequence, kittyEnd, kittyTransmission, sixelSequence } from '../../terminal/pictures/sequences.ts';
import type { Panes } from '../../view/panes.ts';
import type { TerminalSession } from '../process/terminal-session.ts';

interface DecodeOptions {
  readonly session: Pick<Session, 'store'>;
  readonly terminal: Pick<TerminalSession, 'screen' | 'capabilities'>;
  readonly panes: () => Panes;
}

/** The most cells of a picture of half blocks, each of two pixels. */
const small = { width: 60, height: 24 };
/** The pixels of a cell for kitty and iTerm2, which fit the picture into its cells whatever their size is. */
const usualCell = { width: 10, height: 20 };
/** The most pixels of a picture in sixels, which take more bytes than a file. */
const mostSixels = { width: 800, height: 480 };
/** The columns of the pane in which no picture is drawn. */
const borderColumns = 6;

type Protocol = TerminalCapabilities['pictures'];
type Large = NonNullable<Decoded['large']>;

export async function decodeFor(
  options: DecodeOptions,
  decode: Decode,
  file: Uint8Array,
): Promise<{ readonly bitmap: Bitmap; readonly inTerminal: TerminalPicture | null }> {
  const { terminal } = options;
  const known = terminal.capabilities();
  const asked = largeFor(options, known);
  const { bitmap, large } = await decode(file, { small, large: asked });
  const now = terminal.capabilities();
  // The terminal may have answered or changed its size in the meantime.
  const isOutdated = now.pictures !== known.pictures || now.cell !== known.cell;
  if (isOutdated || !isSameSize(asked, largeFor(options, now))) return decodeFor(options, decode, file);
  const handed = large && (await inTerminal(options, large, known));
  return handed === 'ended' ? decodeFor(options, decode, file) : { bitmap, inTerminal: handed };
}

const forms = { kitty: 'deflated', iterm2: 'png', sixel: 'sixel' } as const;

/** The size of the terminal's own picture; null where it draws none, or where it draws sixels in cells of unknown size. */
function largeFor({ session, panes }: DecodeOptions, { pictures, cell }: TerminalCapabilities): LargePicture | null {
  const pixels = cellFor(pictures, cell);
  if (pictures === 'none' || pixels === null) return null;
  const state = session.store.getState();
  const room = (panes().layout(state).thread?.width ?? 0) - borderColumns;
  const columns = Math.max(1, Math.min(small.width, room));
  const width = columns * pixels.width;
  const height = pictureFacts(state).mostRows * pixels.height;
  const form = forms[pictures];
  if (pictures !== 'sixel') return { form, width, height };
  return { form, width: Math.min(width, mostSixels.width), height: wholeSixels(Math.min(height, mostSixels.height)) };
}

const isSameSize = (a: LargePicture | null, b: LargePicture | null): boolean =>
  a?.width === b?.width && a?.height === b?.height;

const cellFor = (pictures: Protocol, cell: TerminalCapabilities['cell']): TerminalCapabilities['cell'] =>
  pictures === 'sixel' ? cell : usualCell;

const wholeSixels = (height: number): number => Math.max(6, Math.floor(height / 6) * 6);

/** @returns 'ended' when the terminal was given back or has lost its pictures before this one was handed to it */
async function inTerminal(
  { terminal }: DecodeOptions,
  large: Large,
  { pictures, cell }: TerminalCapabilities,
): Promise<TerminalPicture | 'ended' | null> {
  const { width, height } = cellFor(pictures, cell) ?? usualCell;
  // Some terminals draw all six rows of the last sixels.
  const drawn = pictures === 'sixel' ? Math.ceil(large.height / 6) * 6 : large.height;
  const size = { columns: Math.ceil(large.width / width), rows: Math.ceil(drawn / height) };
  if (pictures === 'iterm2') return { ...size, sequence: iterm2Sequence(large.data, size) };
  if (pictures === 'kitty') return handToKitty(terminal, large, size);
  const sequence = sixelSequence(Buffer.from(large.data).toString('latin1'));
  return sequence === null ? null : { ...size, sequence };
}

async function handToKitty(
  { screen }: DecodeOptions['terminal'],
  { width, height, data }: Large,
  size: { readonly columns: number; readonly rows: number },
): Promise<TerminalPicture | 'ended'> {
  const inTerminal = { id: randomInt(0x010101, 0x1000000), ...size };
  const parts = kittyTransmission({ width, height, deflated: data, ...inTerminal });
  return (await screen.parts.write(parts, kittyEnd(inTerminal.id))) ? inTerminal : 'ended';
}
