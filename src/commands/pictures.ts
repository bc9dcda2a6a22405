/** Asks whether the pictures of a message may be fetched, which shows the user's IP address to their host. */
import type { AppState } from '../state/model/app-state.ts';
import { type PictureAddress, picturesToAsk } from '../state/pictures/policy.ts';
import { allowPictureHost, allowPicturesOnce, forgetPictureHost } from '../state/pictures/transitions.ts';
import { selectSelectedItem } from '../state/select/selectors.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { digitOf, type Menu, type MenuAbout, type MenuRow, openMenu } from './menu.ts';
import { notify } from './notify.ts';
import { itemOf } from './selection.ts';

/** Whether the selected message has pictures that are fetched only when the user allows it. */
export function hasPicturesToAsk(state: AppState): boolean {
  const message = selectSelectedItem(state)?.message;
  return message != null && picturesToAsk(state, message.attachments).length > 0;
}

/** Opens the menu that asks. False where nothing has to be asked about the selected message. */
export function askForPictures(context: CommandContext): boolean {
  const state = context.get();
  const { openId } = state.view;
  const message = selectSelectedItem(state)?.message;
  if (openId === null || !message || !hasPicturesToAsk(state)) return false;
  openMenu(context, 'pictures', { conversationId: openId, itemId: message.id });
  return true;
}

/** @param openLinks what the key does where nothing is asked */
export const pictureMenu = (openLinks: (context: CommandContext) => void): Menu => ({
  title: (state, about) => `Show pictures from ${shortHost(firstHost(state, about))}?`,
  rows: (state, about) => {
    const host = firstHost(state, about);
    if (host === null) return [];
    const hrefs = asked(state, about).flatMap((one) => (one.host === host ? [one.href] : []));
    const row = (id: string, key: string, label: string, run: (context: CommandContext) => void) => ({
      id: `pictures.${id}`,
      label,
      key,
      reason: null,
      run,
    });
    return [
      row('once', 'y', 'This time', (context) => context.update(allowPicturesOnce(hrefs))),
      row('always', 'a', 'Always from this host', (context) => context.update(allowPictureHost(host))),
      row('no', 'n', 'No', () => undefined),
      row('open', 'o', 'Open a link or an attachment', openLinks),
    ];
  },
});

/** The hosts that the user has allowed for good. */
export const pictureHostsMenu: Menu = {
  title: () => 'Ask again about pictures from',
  rows: ({ local }) =>
    [...local.pictureHosts.keys()].sort().map(
      (host, at): MenuRow => ({
        id: `host ${host}`,
        label: host,
        key: digitOf(at),
        reason: null,
        run: (context) => {
          context.update(forgetPictureHost(host));
          notify(context, `${host} is no longer one of the hosts that are always allowed`);
        },
      }),
    ),
};

export const pictureHostCommands: readonly Command[] = [
  {
    id: 'pictures.hosts',
    slash: 'hosts',
    group: 'Anywhere',
    where: ['global'],
    title: 'Hosts whose pictures are always fetched: ask again',
    keys: [],
    disabled: ({ local }) => (local.pictureHosts.size === 0 ? 'No host was allowed for good' : null),
    run: (context) => openMenu(context, 'pictureHosts', { conversationId: '', itemId: null }),
  },
];

function asked(state: AppState, { conversationId, itemId }: MenuAbout): readonly PictureAddress[] {
  const message = itemId === null ? null : itemOf(state, conversationId, itemId)?.message;
  return message ? picturesToAsk(state, message.attachments) : [];
}

const firstHost = (state: AppState, about: MenuAbout): string | null => asked(state, about)[0]?.host ?? null;

/** It fits a row of the narrowest screen. */
const longestHost = 32;

/** The end of a long name shows whose it is. */
const shortHost = (host: string | null): string =>
  host === null ? 'this host' : host.length <= longestHost ? host : `…${host.slice(1 - longestHost)}`;
