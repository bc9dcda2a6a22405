/** Commands that hand something to the clipboard or the browser: a message's text, the addresses in it. */

import { memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { LinkAddress, Links } from '../state/model/links.ts';
import { attachmentsOf } from '../state/select/attachments.ts';
import { selectCopyChoices } from '../state/select/copy-choices.ts';
import { linksIn, linksOf } from '../state/select/links.ts';
import { selectMarked } from '../state/select/marked.ts';
import { copyOf, quotableCopyOf } from '../state/select/message-texts.ts';
import { selectPlace, selectSelectedItem, type ThreadItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { chooseRow, popOverlay, pushOverlay, topOverlay } from '../state/view/overlays.ts';
import { partEnd, partStart } from '../state/view/thread-place.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { copy, copyOrChoose } from './copy-menu.ts';
import { notify } from './notify.ts';
import { position, positionKeys } from './parameters.ts';
import { askForPictures, hasPicturesToAsk } from './pictures.ts';
import { needsItem, noMessageSelected } from './selection.ts';

const inMessages = { group: 'Messages', where: ['messages'] } as const;
const inLinks = { group: 'Dialogs', where: ['links'] } as const;

const needsItems = (state: AppState): string | null => (itemsToCopy(state).length === 0 ? noMessageSelected : null);

/** The messages that are copied with author and time, or saved: the marked ones, else the selected one. */
export function itemsToCopy(state: AppState): readonly ThreadItem[] {
  const marked = selectMarked(state);
  const item = selectSelectedItem(state);
  return marked.length > 0 || item === null ? marked : [item];
}

function copyWithAuthor(context: CommandContext): void {
  const items = itemsToCopy(context.get());
  const what = items.length === 1 ? 'the text' : `${items.length} messages`;
  copy(context, quotableCopyOf(items, context.now()), `Copied ${what} with author and time`);
}

/** The addresses of a message; of a long one, those in the part that is shown. */
const linksOfItem = memoLast((item: ThreadItem, start: number): Links => {
  const text = textOf(item);
  return linksIn(text.slice(start, partEnd(text, start)), attachmentsOf(item));
});

function selectLinks(state: AppState): Links | null {
  const item = selectSelectedItem(state);
  const { openId } = state.view;
  if (item === null || openId === null) return null;
  return linksOfItem(item, partStart(selectPlace(state, openId), item));
}

/** Asks which address of the message is to be opened. */
export function askWhichLink(context: CommandContext): void {
  const links = selectLinks(context.get());
  if (links !== null) askAbout(context, links);
}

const noLink = 'There is no link and no attachment with an address here';

function whyNoLink(state: AppState): string | null {
  const links = selectLinks(state);
  if (links === null) return needsItem(state);
  return links.addresses.length + links.refused > 0 || hasPicturesToAsk(state) ? null : noLink;
}

/** Asks about an address that was clicked. */
export const askAboutLink = (context: CommandContext, address: string): void =>
  askAbout(context, linksOf([{ address, label: null }]));

function askAbout(context: CommandContext, links: Links): void {
  if (links.addresses.length > 0) context.update(pushOverlay({ kind: 'links', links, selected: 0 }));
  else notify(context, links.refused > 0 ? refusedOnly : noLink);
}

const refusedOnly = 'Only addresses of http and https without a password in them are opened; there is none here';

const chosen = (state: AppState): LinkAddress | null => {
  const top = topOverlay(state);
  return top?.kind === 'links' ? (top.links.addresses[top.selected] ?? null) : null;
};

/** Acts on the chosen address and closes the overlay. */
const onChosen =
  (act: (context: CommandContext, address: LinkAddress) => void): Command['run'] =>
  (context) => {
    const address = chosen(context.get());
    context.update(popOverlay);
    if (address !== null) act(context, address);
  };

export const copyCommands: readonly Command[] = [
  {
    ...inMessages,
    id: 'message.copy',
    slash: 'copy',
    isFinal: (state) => selectCopyChoices(state).length < 2,
    title: 'Copy the text, or one of its parts',
    hint: 'copy',
    keys: ['y'],
    disabled: needsItems,
    run: copyOrChoose,
  },
  {
    ...inMessages,
    id: 'message.copyWithAuthor',
    isFinal: true,
    title: 'Copy the text with author and time',
    keys: ['Y'],
    disabled: needsItems,
    run: copyWithAuthor,
  },
  {
    ...inMessages,
    id: 'message.openLink',
    brief: 'open link',
    title: 'Open a link or an attachment (asks first)',
    keys: ['o'],
    disabled: whyNoLink,
    run: (context) => {
      if (!askForPictures(context)) askWhichLink(context);
    },
  },
];

export const linkCommands: readonly Command[] = [
  withParameters({
    ...inLinks,
    id: 'link.choose',
    title: 'Choose the first … ninth address',
    keys: positionKeys,
    parameters: { position },
    wordOfKey: (nth) => `${nth + 1}`,
    run: (context, values) =>
      context.update((state) => {
        const top = topOverlay(state);
        const isThere = top?.kind === 'links' && values.position <= top.links.addresses.length;
        return isThere ? chooseRow(values.position - 1)(state) : state;
      }),
  }),
  {
    ...inLinks,
    id: 'link.open',
    title: 'Open the address in the browser',
    hint: 'open',
    keys: ['enter'],
    run: onChosen((context, { href }) => context.openLink(href)),
  },
  {
    ...inLinks,
    id: 'link.copy',
    isFinal: true,
    title: 'Copy the address',
    hint: 'copy',
    keys: ['y'],
    run: onChosen((context, { href }) => copy(context, copyOf(href), 'Copied the address')),
  },
];
