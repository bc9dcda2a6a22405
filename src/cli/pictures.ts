/** Wires the pictures of messages: what is on the screen, the network, the disk, the process that decodes, and the state. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DownloadSettings } from '../api/http/download.ts';
import { type Reach, reachOfHost } from '../api/http/reach.ts';
import { yieldToEventLoop } from '../api/http/yield-to-event-loop.ts';
import type { Environment } from '../config/environment.ts';
import { createDecoder, type Decode } from '../pictures/decoder-process.ts';
import { createPictureCache } from '../pictures/picture-cache.ts';
import { showPictures } from '../pictures/show-pictures.ts';
import type { Session, SessionTarget } from '../session.ts';
import type { Picture } from '../state/model/pictures.ts';
import { pictureAddress, pictureFacts } from '../state/pictures/policy.ts';
import { loseTerminalPictures, setPicture } from '../state/pictures/transitions.ts';
import { setScroll } from '../state/view/thread-place.ts';
import { patchScreen } from '../state/view/view.ts';
import { kittyRemoval, kittyTransmission } from '../terminal/pictures/kitty.ts';
import type { Panes } from '../view/panes.ts';
import { chooseProxy } from './proxy.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface PictureOptions {
  readonly session: Pick<Session, 'store'>;
  readonly target: Pick<SessionTarget, 'server' | 'cacheDirectory'>;
  readonly terminal: Pick<TerminalSession, 'screen' | 'capabilities' | 'onResize'>;
  readonly environment: Pick<Environment, 'proxies'>;
  readonly panes: () => Panes;
}

const limits = { maxBytes: 10_000_000, wholeMs: 10_000, idleMs: 5_000 };
/** The most cells of a picture, two pixels each. */
const small = { width: 60, height: 24 };
/** Pixels of a cell, as far as we know: the terminal fits the picture into its cells. */
const cell = { width: 10, height: 20 };
/** Columns of the pane in which no picture stands. */
const borderColumns = 6;

export function startPictures({ session, target, terminal, environment, panes }: PictureOptions): void {
  if (panes().look.pictureColours === null) return;
  const { store } = session;
  const cache = createPictureCache(join(target.cacheDirectory, 'pictures'));
  const decode = createDecoder(fileURLToPath(new URL('./decoder.cjs', import.meta.url)));
  const fetchNew = downloader(target.server, environment);
  store.setState((state) => patchScreen(state, { drawsPictures: true }));
  terminal.onResize(() => loseAll({ session, terminal }));
  showPictures({
    store,
    inSight: (state) =>
      panes()
        .attachmentsInSight(state, panes().layout(state))
        .map(pictureAddress)
        .filter((address) => address !== null),
    async fetch(href) {
      const held = await cache.read(href);
      if (held !== null) return held;
      const file = await fetchNew(href);
      await cache.write(href, file);
      return file;
    },
    decode: (file) => decodeFor({ session, terminal, panes }, decode, file),
    show: (href, picture) => show({ session, panes }, href, picture),
    now: Date.now,
    after: (delayMs, callback) => void setTimeout(callback, delayMs).unref(),
  });
}

/** After a change of size other cells are wanted; after the program was suspended the terminal has forgotten them. */
function loseAll({ session, terminal }: Pick<PictureOptions, 'session' | 'terminal'>): void {
  for (const picture of session.store.getState().view.pictures?.values() ?? [])
    if (picture.status === 'shown' && picture.inTerminal !== null)
      terminal.screen.writeControl(kittyRemoval(picture.inTerminal.id));
  session.store.setState(loseTerminalPictures);
}

/** Hands the picture to a terminal that draws pictures itself. */
async function decodeFor(
  { session, terminal, panes }: Pick<PictureOptions, 'session' | 'terminal' | 'panes'>,
  decode: Decode,
  file: Uint8Array,
) {
  const state = session.store.getState();
  const room = (panes().layout(state).thread?.width ?? 0) - borderColumns;
  const columns = Math.max(1, Math.min(small.width, room));
  const box = { width: columns * cell.width, height: pictureFacts(state).mostRows * cell.height };
  const { bitmap, large } = await decode(file, { small, large: terminal.capabilities().drawsPictures ? box : null });
  if (large === null) return { bitmap, inTerminal: null };
  const size = { columns: Math.ceil(large.width / cell.width), rows: Math.ceil(large.height / cell.height) };
  const inTerminal = { id: randomInt(0x010101, 0x1000000), ...size };
  for (const part of kittyTransmission({ ...large, ...inTerminal })) {
    terminal.screen.writeControl(part);
    // Keys come between.
    await yieldToEventLoop();
  }
  return { bitmap, inTerminal };
}

/** The rows that are read stay where they are when a picture comes in above them. */
function show({ session, panes }: Pick<PictureOptions, 'session' | 'panes'>, href: string, picture: Picture): void {
  session.store.setState((state) => {
    const next = setPicture(href, picture)(state);
    const { openId } = state.view;
    const place = panes().keptPlace(state, next, panes().layout(state));
    return place === null || openId === null ? next : setScroll(openId, place)(next);
  });
}

/** The token is not known here, so no request can carry it. */
function downloader(server: string, environment: Pick<Environment, 'proxies'>) {
  let within: Promise<readonly Reach[]> | null = null;
  return async (href: string): Promise<Uint8Array> => {
    within ??= reachesWith(new URL(server).hostname);
    const choice = chooseProxy(href, environment);
    if (choice.kind === 'unusable') throw new Error('the proxy that is set cannot be used');
    const settings: DownloadSettings = { ...limits, allowed: await within };
    const { download } = await import('../api/http/download.ts');
    return download(href, choice.kind === 'proxy' ? { ...settings, proxy: choice.proxy } : settings);
  };
}

/** Who uses a service inside a network may see pictures from inside it; for others its addresses are out of reach. */
async function reachesWith(hostname: string): Promise<readonly Reach[]> {
  const reach = await reachOfHost(hostname);
  return reach === 'public' ? ['public'] : ['public', reach];
}
