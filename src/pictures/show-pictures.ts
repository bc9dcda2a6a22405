/**
 * Fetches and decodes the pictures that are on the screen and that the user allows. It checks the screen a moment after the
 * state has changed, never for a typed key, and does nothing while nothing changes.
 */
import type { AppState, Draft } from '../state/model/app-state.ts';
import type { Bitmap, Picture, TerminalPicture } from '../state/model/pictures.ts';
import { type PictureAddress, pictureFacts } from '../state/pictures/policy.ts';
import { selectComposer } from '../state/select/selectors.ts';
import type { AppStore } from '../state/store.ts';

export interface PicturePorts {
  readonly store: Pick<AppStore, 'getState' | 'subscribe'>;
  /** The pictures on the screen, the most wanted first. */
  readonly inSight: (state: AppState) => readonly PictureAddress[];
  /** The place of the thread on the screen: the same object while it is the same. */
  readonly room: (state: AppState) => object | null;
  /** Fails with an error whose message is a few words for the chip. */
  readonly fetch: (href: string) => Promise<Uint8Array>;
  /** Stores a file that could be decoded, so that it is not fetched in the next run. */
  readonly save: (href: string, file: Uint8Array) => void;
  /** Removes the stored file, so that the picture is fetched in the next run. */
  readonly drop: (href: string) => void;
  /** Fails as `fetch` does. */
  readonly decode: (file: Uint8Array) => Promise<{
    readonly bitmap: Bitmap;
    readonly inTerminal: TerminalPicture | null;
  }>;
  readonly show: (href: string, picture: Picture) => void;
  readonly now: () => number;
  readonly after: (delayMs: number, callback: () => void) => void;
}

const lookAfterMs = 80;
const mostAtOnce = 3;
/** A picture that could not be fetched is tried again after this time, when its message is looked at again. */
const retryAfterMs = 60_000;

export function showPictures(ports: PicturePorts): void {
  const loader = new PictureLoader(ports);
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    ports.after(lookAfterMs, () => {
      isScheduled = false;
      loader.look();
    });
  };
  ports.store.subscribe((state, previous) => {
    if (mayShowMore(state, previous) || isUncovering(ports, state, previous)) schedule();
  });
  schedule();
}

class PictureLoader {
  readonly #ports: PicturePorts;
  /** When a picture that could not be loaded was requested. */
  readonly #failedAt = new Map<string, number>();
  /** Pictures that are loaded again, as the terminal has lost them. Until then they are shown as they are. */
  readonly #reloading = new Set<string>();
  #underWay = 0;
  /** Decoding is one at a time, as each has a process. */
  #decoding: Promise<unknown> = Promise.resolve();

  constructor(ports: PicturePorts) {
    this.#ports = ports;
  }

  /** Begins to load the wanted pictures on the screen, as many as may be loaded at once. */
  look(): void {
    const state = this.#ports.store.getState();
    if (state.view.openId === null || this.#underWay >= mostAtOnce) return;
    const first = this.#ports.inSight(state).find((address) => this.#isWanted(state, address));
    if (first === undefined) return;
    void this.#load(first);
    this.look();
  }

  #isWanted(state: AppState, address: PictureAddress): boolean {
    const facts = pictureFacts(state);
    if (facts.permissionOf(address) !== 'granted') return false;
    const picture = facts.pictureAt(address);
    const at = this.#failedAt.get(address.href);
    const isLongAgo = at !== undefined && this.#ports.now() - at > retryAfterMs;
    if (picture?.status === 'shown')
      return picture.isLost === true && !this.#reloading.has(address.href) && (at === undefined || isLongAgo);
    return picture === undefined || (picture.status === 'refused' && isLongAgo);
  }

  async #load({ href }: PictureAddress): Promise<void> {
    const { show, fetch, save, drop, decode, now } = this.#ports;
    this.#underWay++;
    this.#failedAt.set(href, now());
    const isShown = this.#ports.store.getState().view.pictures?.get(href)?.status === 'shown';
    if (isShown) this.#reloading.add(href);
    else show(href, { status: 'loading' });
    try {
      const file = await fetch(href);
      this.#failedAt.delete(href);
      const decoded = this.#decoding.then(() => decode(file));
      this.#decoding = decoded.catch(() => undefined);
      show(href, { status: 'shown', ...(await decoded) });
      save(href, file);
    } catch (error) {
      drop(href);
      // What is on the screen stays there.
      if (isShown) this.#failedAt.set(href, now());
      else show(href, { status: 'refused', reason: error instanceof Error ? error.message : 'it could not be shown' });
    } finally {
      this.#underWay--;
      this.#reloading.delete(href);
      this.look();
    }
  }
}

/**
 * Whether the thread has another place on the screen, as after a draft became shorter, which takes rows of it. A letter that is
 * typed and a scroll uncover nothing, and do not lay out the screen for this.
 */
function isUncovering({ room }: PicturePorts, state: AppState, previous: AppState): boolean {
  const { openId } = state.view;
  if (openId === null) return false;
  const mayMove =
    state.screen !== previous.screen ||
    state.settings !== previous.settings ||
    state.local.listWidth !== previous.local.listWidth ||
    isDraftShorter(state, previous);
  return mayMove && room(previous) !== room(state);
}

function isDraftShorter(state: AppState, previous: AppState): boolean {
  if (state.local.drafts === previous.local.drafts) return false;
  const [now, before] = [selectComposer(state), selectComposer(previous)];
  return now.text.length < before.text.length || filesOf(now) < filesOf(before);
}

const filesOf = ({ attachments = [] }: Draft): number => attachments.length;

/** Whether other messages may be on the screen now, or more pictures allowed. */
function mayShowMore({ view, cache, local, settings, screen }: AppState, before: AppState): boolean {
  const { openId } = view;
  if (openId === null) return false;
  return (
    openId !== before.view.openId ||
    view.places !== before.view.places ||
    view.pictures !== before.view.pictures ||
    view.picturesOnce !== before.view.picturesOnce ||
    cache.threads.get(openId) !== before.cache.threads.get(openId) ||
    local.pictureHosts !== before.local.pictureHosts ||
    settings.pictures !== before.settings.pictures ||
    screen.drawsPictures !== before.screen.drawsPictures
  );
}
