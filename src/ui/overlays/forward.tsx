/** Chooses the conversations to which messages are forwarded; the last line says who gets them. */
import { destinationNames, type ForwardPrompt } from '../../commands/forwarding.ts';
import { nameOfRow } from '../../state/search/switcher.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { namePromptEmpty } from '../../view/switcher.ts';
import { useApp, useUi } from '../store-context.ts';
import { Picker } from '../widgets/picker.tsx';

interface ForwardDialogProps {
  readonly overlay: ForwardPrompt;
  readonly isTop: boolean;
}

export function ForwardDialog({ overlay, isTop }: ForwardDialogProps) {
  const { panes } = useUi();
  const { signs } = panes().look;
  const { rows } = overlay.result;
  const { chosen = [], messages = 1 } = overlay.forwarding ?? {};
  const names = useApp((state) => destinationNames(state, overlay));
  const state = useApp((one) => one);
  const isChosen = (id: string | null): boolean => id !== null && chosen.includes(id);
  const choices = rows.map((row) => ({
    id: row.key,
    text: safe`${isChosen(row.conversationId) ? signs.taskDone : signs.taskOpen} ${nameOfRow(state, row)}`,
  }));
  const several = chosen.length === 0 ? literal('Tab chooses several') : literal('Tab chooses');
  const note = names === '' ? literal('') : safe`${several} · Enter forwards to ${sanitizeLine(names)}`;
  return (
    <Picker
      title={messages === 1 ? literal('Forward a message') : safe`Forward ${messages} messages`}
      width={60}
      height={16}
      label={literal('To')}
      placeholder={literal('name')}
      rows={choices}
      empty={namePromptEmpty(overlay)}
      note={note}
      overlay={overlay}
      isTop={isTop}
    />
  );
}
