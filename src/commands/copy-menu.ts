/**
 * Carries out `y` on a message: copies the message when there is nothing else to copy, else asks which part. `copy` is
 * what all commands copy with: it refuses what is too long for the clipboard of a terminal.
 */
import { type CopyChoice, selectCopyChoices } from '../state/select/copy-choices.ts';
import { type Copy, copyLimit, copyOf } from '../state/select/message-texts.ts';
import { selectSelectedItem } from '../state/select/selectors.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { digitOf, type Menu, type MenuRow, openMenu } from './menu.ts';
import { notify } from './notify.ts';
import { itemOf } from './selection.ts';

export function copy(context: CommandContext, what: Copy | null, said: string): void {
  const most = `${copyLimit / 1024} KB`;
  if (what === null)
    notify(context, `This is longer than a terminal takes into its clipboard (${most}); nothing was copied`);
  else context.copy(what, said);
}

const said: Readonly<Record<CopyChoice['kind'], string>> = {
  marked: 'Copied the marked messages',
  message: 'Copied the text',
  code: 'Copied the code',
  link: 'Copied the address',
  quote: 'Copied the quote',
  attachment: 'Copied the address',
};

const copyChoice = (context: CommandContext, { kind, text }: CopyChoice): void =>
  copy(context, copyOf(text), said[kind]);

export function copyOrChoose(context: CommandContext): void {
  const state = context.get();
  const [first, ...others] = selectCopyChoices(state);
  const { openId } = state.view;
  if (first === undefined || openId === null) return;
  const itemId = selectSelectedItem(state)?.id ?? null;
  if (others.length === 0) copyChoice(context, first);
  else openMenu(context, 'copy', { conversationId: openId, itemId });
}

/**
 * Each row has a digit; `y` once more takes the first one, which is the whole message or all that are marked. The rows are
 * those of the message that the menu was opened for, as `/copy` leaves none selected.
 */
export const copyMenu: Menu = {
  title: () => 'Copy',
  rows: (state, { conversationId, itemId }) =>
    selectCopyChoices(popOverlay(state), itemId === null ? null : itemOf(state, conversationId, itemId)).map(
      (choice, i): MenuRow => ({
        id: `copy ${i}`,
        label: choice.label,
        key: digitOf(i),
        ...(i === 0 && { otherKey: 'y' }),
        isFinal: true,
        reason: null,
        run: (context) => copyChoice(context, choice),
      }),
    ),
};
