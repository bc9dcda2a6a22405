/** Snippets in the composer: Tab after `;name` puts one in, and steps through the places to fill in. */

import { draftOf, updateDraft } from '../state/composer/drafts.ts';
import { calledSnippet, expandSnippet, insertSnippet, nextStop } from '../state/composer/snippet.ts';
import type { Overlay } from '../state/model/app-state.ts';
import { selectConversationName } from '../state/select/names.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { tellSaved } from './save-result.ts';
import { saveSnippetCommand } from './save-snippet.ts';

const problemMs = 10_000;

function expand(context: CommandContext): void {
  const id = context.get().view.openId;
  if (id === null) return;
  const name = calledSnippet(draftOf(context.get(), id));
  if (name === null) context.update(updateDraft(id, nextStop));
  else
    context.readSnippet(name, (read) => {
      if ('problem' in read) return notify(context, read.problem, { tone: 'warning', forMs: problemMs });
      // The user may have typed while the file was read: nothing is inserted when the name is no longer there.
      if (calledSnippet(draftOf(context.get(), id)) !== name) return;
      const state = context.get();
      const recipient = selectConversationName(state, id);
      const facts = { name: recipient, now: new Date(context.now()), clipboard: state.view.clipboard ?? null };
      const expanded = expandSnippet(read.text, facts);
      context.update(updateDraft(id, (draft) => insertSnippet(draft, name, expanded)));
      if (expanded.lacksClipboard) notify(context, noClipboard, { tone: 'warning', forMs: problemMs });
    });
}

const noClipboard =
  '{clipboard} is left empty: it is what you copied or pasted last in msg-tui, which is nothing so far. Paste it here';

export const snippetName = {
  /** An empty field saves nothing. */
  accept(context: CommandContext, prompt: Extract<Overlay, { kind: 'snippet-name' }>): void {
    const name = prompt.typed.trim();
    if (name === '') return;
    context.update(popOverlay);
    context.saveSnippet(name, prompt.text, (result) => tellSaved(context, result, prompt));
  },
};

export const snippetCommands: readonly Command[] = [
  {
    id: 'snippet.expand',
    title: 'Insert the snippet ;name; go to its next place',
    hint: 'snippet',
    group: 'Composer',
    where: ['snippet'],
    keys: ['tab'],
    run: expand,
  },
  saveSnippetCommand,
];
