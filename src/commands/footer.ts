/** Chooses the keys that the footer shows: those that work now. */

import { memoBy, memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectBodyColumns } from '../state/select/folded-messages.ts';
import { isVimWaiting, selectComposer, selectVim } from '../state/select/selectors.ts';
import { hasLastingNotice } from '../state/view/notices.ts';
import { beginningOfTitle, type Command, type Context, contextsOf } from './command.ts';
import { whyDisabled } from './disabled.ts';
import { enteredCommand } from './entered.ts';
import type { Keymap, NextKey } from './keymap.ts';
import { keyLabel, keysLabel } from './label.ts';
import { selectedConversation } from './selection.ts';
import { isSubstitution } from './substitute.ts';
import { nextTrouble } from './trouble.ts';

export interface FooterHint {
  /** The command; absent where more keys must follow. */
  readonly id?: string;
  readonly label: string;
  readonly title: string;
  /** The hint is shown also where there is no room for all of them. */
  readonly isKept?: boolean;
}

/**
 * Returns the most useful hints first: commands that end a trouble, then those of the innermost context, then of the wider
 * ones, each in the order of the table.
 */
export function footerHints(state: AppState, keymap: Keymap): readonly FooterHint[] {
  const contexts = contextsOf(state);
  const { heldKeys } = state.screen;
  // The keys or the focus may have changed while they are held, so that none follows.
  const next = heldKeys === undefined ? [] : keymap.follow(contexts, heldKeys);
  if (next.length > 0) return nextHints(next);
  const { remedies, others } = hinted(keymap.commands);
  return [remedies, others].flatMap((commands) => hintsOf(commands, contexts, state, keymap));
}

type ByContext = ReadonlyMap<Context, readonly Command[]>;

/** The commands that have a hint by where they work, in the order of the table. */
const hinted = memoLast(
  (commands: readonly Command[]): { readonly remedies: ByContext; readonly others: ByContext } => {
    const remedies = new Map<Context, Command[]>();
    const others = new Map<Context, Command[]>();
    for (const command of commands) {
      if (command.hint === undefined) continue;
      const found = command.isRemedy === true ? remedies : others;
      for (const context of command.where) found.set(context, [...(found.get(context) ?? []), command]);
    }
    return { remedies, others };
  },
);

/** The keys that may follow those that are held, each command once. */
function nextHints(next: readonly NextKey[]): readonly FooterHint[] {
  const ids = [...new Set(next.map(({ key, match }) => match?.command.id ?? `${key} …`))];
  return ids.map((id): FooterHint => {
    const same = next.filter(({ key, match }) => (match?.command.id ?? `${key} …`) === id);
    const command = same[0]?.match?.command;
    const label = keysLabel(same.map(({ key }) => key));
    return command === undefined ? { label, title: '…' } : { id, label, title: shortTitle(command) };
  });
}

/** The shortest text that the command has for what it does, in small letters as all hints are. */
function shortTitle(command: Command): string {
  if (command.brief !== undefined) return command.brief;
  if (typeof command.hint === 'string') return command.hint;
  const title = beginningOfTitle(command);
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function hintsOf(
  commands: ByContext,
  contexts: ReturnType<typeof contextsOf>,
  state: AppState,
  keymap: Keymap,
): readonly FooterHint[] {
  return contexts.flatMap((context) =>
    (commands.get(context) ?? []).flatMap((command) => {
      const { id, hint, hintIn = contexts, keepsHint = false } = command;
      if (hint === undefined || !hintIn.some((one) => contexts.includes(one))) return [];
      const key = keymap.keysOf(id).find((one) => keymap.find(contexts, one)?.command.id === id);
      if (key === undefined) return [];
      const title = typeof hint === 'string' ? hint : hint(state);
      return title !== '' && whyDisabled(command, state) === null
        ? [{ id, label: keyLabel(key), title, ...(keepsHint && { isKept: true }) }]
        : [];
    }),
  );
}

/** The hints are computed again only when something changed that they depend on, which typing does not. */
export const createHintSelector = (keymap: Keymap): ((state: AppState) => readonly FooterHint[]) =>
  memoBy(inputsOf, (state) => footerHints(state, keymap));

function inputsOf(state: AppState): readonly unknown[] {
  const { screen, view } = state;
  const { list, openId, previousId, places, connection, seeking = null } = view;
  const place = openId === null ? undefined : places.get(openId);
  return [
    contextsOf(state).join(' '),
    screen.focus,
    list,
    screen.overlays,
    screen.heldKeys,
    screen.size,
    screen.noticeLog,
    state.settings.keys,
    openId,
    previousId,
    seeking !== null,
    hasLastingNotice(state),
    place?.selectedId ?? null,
    place?.part,
    place?.unfolded,
    selectBodyColumns(state),
    place?.marked,
    connection.status,
    selectComposer(state).editing !== null,
    enteredCommand(selectComposer(state)),
    isSubstitution(selectComposer(state)),
    selectVim(state)?.mode,
    isVimWaiting(state),
    ...contentInputs(state),
  ];
}

/**
 * What the hints depend on in messages and conversations: in the list and in the composer only whether one is selected and
 * whether one failed, which news seldom changes.
 */
function contentInputs(state: AppState): readonly unknown[] {
  const { screen, local, cache } = state;
  if (screen.focus === 'messages' || screen.overlays.length > 0)
    return [local.outbox, local.me, cache.conversations, cache.threads];
  return [nextTrouble(state) === null, screen.focus === 'list' && selectedConversation(state) === null];
}
