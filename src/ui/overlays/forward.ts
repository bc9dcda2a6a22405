/** Draws the choice of the conversations to which messages are forwarded; the last line says who gets them. */
import { destinationNames, type ForwardPrompt } from '../../commands/forwarding.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { nameOfRow } from '../../state/search/switcher.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { keysWith } from '../../view/hint-row.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';
import { namePromptEmpty } from '../../view/switcher.ts';

export function forwardPicker(overlay: ForwardPrompt, state: AppState, { look, hints }: DialogContext): Picker {
  const { signs } = look;
  const { chosen = [], messages = 1 } = overlay.forwarding ?? {};
  const names = destinationNames(state, overlay);
  const isChosen = (id: string | null): boolean => id !== null && chosen.includes(id);
  const keys = [
    ['forward.choose', chosen.length === 0 ? literal('chooses several') : literal('chooses')],
    ['choice.accept', safe`forwards to ${sanitizeLine(names)}`],
  ] as const;
  return {
    title: messages === 1 ? literal('Forward a message') : safe`Forward ${messages} messages`,
    width: 60,
    height: 16,
    label: literal('To:'),
    placeholder: literal('name'),
    rows: overlay.result.rows.map((row) => ({
      id: row.key,
      text: safe`${isChosen(row.conversationId) ? signs.taskDone : signs.taskOpen} ${nameOfRow(state, row)}`,
    })),
    empty: namePromptEmpty(overlay),
    note: names === '' ? literal('') : keysWith(hints, keys, literal(' · ')),
  };
}
