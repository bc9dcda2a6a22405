/** Saves the selected message, the marked ones, or the conversation to a Markdown file whose path is typed. */
import type { Overlay } from '../state/model/app-state.ts';
import { savedName, savedText } from '../state/select/message-texts.ts';
import { popOverlay, pushOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { itemsToCopy } from './copy.ts';
import { tellSaved } from './save-result.ts';
import { needsOpen, noMessageSelected } from './selection.ts';

type SavePrompt = Extract<Overlay, { kind: 'save-messages' | 'export-conversation' }>;

export const savePrompt = {
  /** An empty field saves nothing. */
  accept(context: CommandContext, prompt: SavePrompt): void {
    const path = prompt.typed.trim();
    context.update(popOverlay);
    if (path === '') return;
    const content = prompt.kind === 'save-messages' ? prompt.text : { conversation: prompt.conversationId };
    context.saveFile(path, content, (result) => tellSaved(context, result, prompt));
  },
};

/** Opens the prompt with the text that will be saved: what changes while the user types a path is not saved. */
function openPrompt(context: CommandContext): void {
  const state = context.get();
  const items = itemsToCopy(state);
  const typed = savedName(context.now());
  context.update(pushOverlay({ kind: 'save-messages', typed, text: savedText(items), messages: items.length }));
}

/** The command that saves messages, which the message's menu has a row for. */
export const saveCommand: Command = {
  id: 'message.save',
  title: 'Save the message, or the marked ones, to a Markdown file',
  group: 'Messages',
  where: ['messages'],
  keys: [],
  disabled(state) {
    const items = itemsToCopy(state);
    if (items.length === 0) return noMessageSelected;
    return items.some(({ message }) => message?.isTruncated === true)
      ? 'Only the beginning of this message is held; the file would lack the rest'
      : null;
  },
  run: openPrompt,
};

export const exportCommand: Command = {
  id: 'conversation.export',
  title: 'Export the open conversation to a Markdown file',
  group: 'Conversations',
  where: ['global'],
  keys: [],
  slash: 'export',
  disabled: needsOpen,
  run(context) {
    const { openId } = context.get().view;
    if (openId === null) return;
    const typed = savedName(context.now(), 'conversation');
    context.update(pushOverlay({ kind: 'export-conversation', typed, conversationId: openId }));
  },
};
