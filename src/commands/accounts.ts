/** Changes to another account without leaving the program: `/profile work`, or a menu of the profiles. */
import { countLostOnQuit } from '../state/local/unsent-text.ts';
import type { AppState } from '../state/model/app-state.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { bringLineBack } from './line-back.ts';
import { digitOf, type Menu, type MenuRow, openMenu } from './menu.ts';
import { notify } from './notify.ts';
import { freeText } from './parameters.ts';

function whyNot(state: AppState): string | null {
  const { accounts } = state.view;
  if (accounts === undefined) return 'The open account is not one of config.toml';
  if (accounts.all.every(({ name }) => name === accounts.current))
    return 'There is no other account; msg-tui login adds one';
  return countLostOnQuit(state) === 0 ? null : 'What was not sent would be lost: the disk does not have it';
}

export const accountsMenu: Menu = {
  title: () => 'Go to the account',
  rows: ({ view }) =>
    (view.accounts?.all ?? []).map(
      ({ name, server }, at): MenuRow => ({
        id: `account ${name}`,
        label: `${name}  ${server}`,
        key: digitOf(at),
        reason: name === view.accounts?.current ? 'This account is open' : null,
        run: (context) => context.switchAccount(name),
      }),
    ),
};

function goTo(context: CommandContext, typed: string): void {
  const { accounts, openId } = context.get().view;
  const names = accounts?.all.map(({ name }) => name) ?? [];
  const beginning = names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  const name = names.includes(typed) ? typed : beginning.length === 1 ? beginning[0] : undefined;
  if (name === undefined) {
    notify(context, `No profile is called ${typed}; there are ${names.join(', ')}`);
    if (openId !== null) bringLineBack(context, openId, `/profile ${typed}`);
  } else if (name === accounts?.current) notify(context, 'This account is open');
  else context.switchAccount(name);
}

export const accountCommands: readonly Command[] = [
  withParameters({
    id: 'account.switch',
    slash: 'profile',
    group: 'Anywhere',
    where: ['global'],
    title: 'Go to another account',
    keys: [],
    disabled: whyNot,
    parameters: { name: freeText },
    run: (context, { name }) => {
      if (name === null) openMenu(context, 'accounts', { conversationId: '', itemId: null });
      else goTo(context, name.trim());
    },
  }),
];
