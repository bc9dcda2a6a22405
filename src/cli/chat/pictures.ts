/** Connects the parts that show pictures: the screen, the network, the disk, the process that decodes, and the state. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DownloadSettings } from '../../api/http/download.ts';
import { type Reach, reachOfHost } from '../../api/http/private-networks.ts';
import type { OnRequest } from '../../api/http/sent-request.ts';
import type { Environment } from '../../config/environment.ts';
import { createDecoder } from '../../pictures/decoder-process.ts';
import { createPictureCache } from '../../pictures/picture-cache.ts';
import { showPictures } from '../../pictures/show-pictures.ts';
import type { AccountToOpen, Session } from '../../session.ts';
import { pictureAddress } from '../../state/pictures/policy.ts';
import { decodePicturesAgain, loseTerminalPictures } from '../../state/pictures/transitions.ts';
import { patchScreen } from '../../state/view/view.ts';
import { prepareDirectory } from '../../storage/sqlite/private-files.ts';
import { cellQuery, type TerminalCapabilities } from '../../terminal/capabilities.ts';
import { kittyRemoval } from '../../terminal/pictures/sequences.ts';
import type { Panes } from '../../view/panes.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import { chooseProxy } from '../sign-in/choose-proxy.ts';
import { decodeFor } from './picture-for-terminal.ts';
import { showPicture } from './show-picture.ts';

export interface PictureOptions {
  readonly session: Pick<Session, 'store' | 'record'>;
  readonly account: Pick<AccountToOpen, 'server' | 'cacheDirectory'>;
  readonly terminal: Pick<TerminalSession, 'screen' | 'capabilities' | 'onResize' | 'onLearn'>;
  readonly environment: Pick<Environment, 'proxies'>;
  readonly panes: () => Panes;
}

const limits = { maxBytes: 10_000_000, wholeMs: 10_000, idleMs: 5_000 };

/** Shows pictures. Returns the function that ends this and removes the pictures from the terminal. */
export function startPictures({ session, account, environment, panes, ...given }: PictureOptions): () => void {
  let isOver = false;
  const { store } = session;
  const terminal = asChosen(given.terminal, store);
  // For an archive nothing is fetched.
  if (store.getState().view.isArchive === true) return () => undefined;
  const cache = createPictureCache(join(account.cacheDirectory, 'pictures'), prepareDirectory);
  const decoder = createDecoder(fileURLToPath(new URL('./decoder.cjs', import.meta.url)));
  // A picture is decoded again when it was not handed over to the end, which the end of the chat is a reason for.
  const decode: typeof decoder = async (file, sizes) => {
    const decoded = isOver ? null : await decoder(file, sizes);
    if (decoded === null || isOver) throw new Error('not shown');
    return decoded;
  };
  const fetchNew = downloader(account.server, environment, session.record);
  followLook(store, panes);
  terminal.onResize(() => {
    loseAll({ session, terminal });
    // With the size of its letters the terminal has changed the pixels of a cell.
    if (terminal.capabilities().pictures === 'sixel') terminal.screen.writeControl(cellQuery);
  });
  decodeAgainWhenLearnt({ session, terminal });
  decodeAgainWhenChosen({ session, terminal });
  showPictures({
    store,
    inSight: (state) =>
      panes()
        .attachmentsInSight(state, panes().layout(state))
        .map(pictureAddress)
        .filter((address) => address !== null),
    room: (state) => panes().layout(state).thread,
    fetch: async (href) => (await cache.read(href)) ?? fetchNew(href),
    save: (href, file) => void cache.write(href, file),
    drop: (href) => void (isOver || cache.remove(href)),
    decode: (file) => decodeFor({ session, terminal, panes }, decode, file),
    show: (href, picture) => void (isOver || session.store.setState(showPicture(panes(), href, picture))),
    now: Date.now,
    after: (delayMs, callback) => void setTimeout(callback, delayMs).unref(),
  });
  return () => {
    isOver = true;
    loseAll({ session, terminal });
  };
}

/** The terminal, with the protocol for pictures that the user has chosen. */
function asChosen(terminal: PictureOptions['terminal'], store: Session['store']): PictureOptions['terminal'] {
  const capabilities = (): TerminalCapabilities => {
    const known = terminal.capabilities();
    const { pictureProtocol } = store.getState().settings;
    if (pictureProtocol === 'auto') return known;
    return { ...known, pictures: pictureProtocol === 'blocks' ? 'none' : pictureProtocol };
  };
  return { ...terminal, capabilities };
}

/** Forgets the pictures: after a change of size they need other cells, and a suspended program's terminal has lost them. */
function loseAll({ session, terminal }: Pick<PictureOptions, 'session' | 'terminal'>): void {
  terminal.screen.writeControl(terminal.screen.parts.end());
  for (const picture of session.store.getState().view.pictures?.values() ?? [])
    if (picture.status === 'shown' && picture.inTerminal !== null && 'id' in picture.inTerminal)
      terminal.screen.writeControl(kittyRemoval(picture.inTerminal.id));
  session.store.setState(loseTerminalPictures);
}

/** Theme and signs may be changed while the chat is open, and some of them draw no pictures. */
function followLook(store: Session['store'], panes: () => Panes): void {
  const follow = (): void =>
    store.setState((state) => patchScreen(state, { drawsPictures: panes().look.pictureColours !== null }));
  follow();
  store.subscribe(({ settings }, before) => {
    if (settings !== before.settings) follow();
  });
}

function decodeAgainWhenChosen(options: Pick<PictureOptions, 'session' | 'terminal'>): void {
  options.session.store.subscribe(({ settings }, before) => {
    if (settings.pictureProtocol === before.settings.pictureProtocol) return;
    loseAll(options);
    options.session.store.setState(decodePicturesAgain);
  });
}

/** Decodes pictures again when the terminal answers how it draws pictures, which may be after the first ones. */
function decodeAgainWhenLearnt({ session, terminal }: Pick<PictureOptions, 'session' | 'terminal'>): void {
  let known = terminal.capabilities();
  terminal.onLearn(() => {
    const { pictures, cell } = terminal.capabilities();
    if (pictures !== known.pictures || (pictures === 'sixel' && cell !== known.cell))
      session.store.setState(decodePicturesAgain);
    known = terminal.capabilities();
  });
}

/** Makes the function that downloads pictures. It does not have the token, so that no request can carry it. */
function downloader(server: string, environment: Pick<Environment, 'proxies'>, record: Session['record']) {
  let within: Promise<readonly Reach[]> | null = null;
  return async (href: string): Promise<Uint8Array> => {
    within ??= reachesWith(new URL(server).hostname);
    const choice = chooseProxy(href, environment);
    if (choice.kind === 'unusable') throw new Error('the proxy that is set cannot be used');
    const onRequest: OnRequest = (request) => record({ kind: 'request', ...request });
    const settings: DownloadSettings = { ...limits, allowed: await within, onRequest };
    const { download } = await import('../../api/http/download.ts');
    return download(href, choice.kind === 'proxy' ? { ...settings, proxy: choice.proxy } : settings);
  };
}

/** The networks from which pictures may be fetched: addresses inside a network only for a service that is inside it. */
async function reachesWith(hostname: string): Promise<readonly Reach[]> {
  const reach = await reachOfHost(hostname);
  return reach === 'public' ? ['public'] : ['public', reach];
}
