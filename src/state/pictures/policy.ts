/** Decides which attachments are pictures, and whether the user allows that they are fetched. */

import type { Attachment } from '../../protocol/types.ts';
import { webAddress } from '../../protocol/web-address.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import type { Picture, Pictures } from '../model/pictures.ts';
import type { PictureRule } from '../model/settings.ts';

export interface PictureAddress {
  readonly href: string;
  /** With the port unless it is the common one. */
  readonly host: string;
}

/** What becomes of a picture: it may be fetched, the user is asked first, or it stays a chip. */
type Permission = 'granted' | 'ask' | 'denied';

/** What the messages with pictures depend on; the same object while nothing of it changes. */
export interface PictureFacts {
  /** The most rows that a picture takes on this screen. */
  readonly mostRows: number;
  permissionOf(address: PictureAddress): Permission;
  pictureAt(address: PictureAddress): Picture | undefined;
}

const types = /^image\/(?:png|x-png|apng|jpe?g|pjpeg|gif|webp)$/i;
const unspecific = /^(?:application|binary)\/octet-stream$/i;
const extensions = /\.(?:png|jpe?g|gif|webp)$/i;
const longestAddress = 4096;
/** The most rows of a picture, and the part of the screen that it takes at most. */
const mostPictureRows = 12;

const known = new WeakMap<Attachment, PictureAddress | null>();

/** Null where the attachment is no picture, or its address is none of http or https. */
export function pictureAddress(attachment: Attachment): PictureAddress | null {
  const held = known.get(attachment);
  if (held !== undefined) return held;
  const found = findAddress(attachment);
  known.set(attachment, found);
  return found;
}

function findAddress({ url, label, mediaType }: Attachment): PictureAddress | null {
  const whole = url === null || url.length > longestAddress ? null : webAddress(url);
  if (whole === null) return null;
  const { pathname, host } = whole;
  const type = mediaType?.split(';')[0]?.trim() ?? '';
  const isPicture =
    type === '' || unspecific.test(type) ? extensions.test(pathname) || extensions.test(label) : types.test(type);
  if (!isPicture) return null;
  whole.hash = '';
  return { href: whole.href, host };
}

export const hasPicture = (attachments: readonly Attachment[]): boolean =>
  attachments.some((one) => pictureAddress(one) !== null);

/** The pictures about which the user is asked first. */
export function picturesToAsk(state: AppState, attachments: readonly Attachment[]): readonly PictureAddress[] {
  const facts = pictureFacts(state);
  const found = attachments.map(pictureAddress).filter((address) => address !== null);
  return found.filter((address) => facts.permissionOf(address) === 'ask');
}

export const pictureFacts = (state: AppState): PictureFacts => {
  const { view, local, settings, screen } = state;
  const mostRows = Math.max(1, Math.min(mostPictureRows, Math.floor(screen.size.rows / 3)));
  const rule = screen.drawsPictures === true ? settings.pictures : 'never';
  return factsOf(view.pictures ?? none, view.picturesOnce, local.pictureHosts, rule, view.serverHost, mostRows);
};

const none: Pictures = new Map();

const factsOf = memoLast(
  (
    pictures: Pictures,
    once: ReadonlySet<string> | undefined,
    hosts: ReadonlyMap<string, true>,
    rule: PictureRule,
    serverHost: string | undefined,
    mostRows: number,
  ): PictureFacts => ({
    mostRows,
    pictureAt: ({ href }) => pictures.get(href),
    permissionOf({ href, host }) {
      if (rule === 'always' || (rule === 'same-host' && host === serverHost)) return 'granted';
      if (rule !== 'ask') return 'denied';
      return hosts.has(host) || once?.has(href) === true ? 'granted' : 'ask';
    },
  }),
);
