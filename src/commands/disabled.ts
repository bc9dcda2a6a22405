/**
 * Says why a command cannot run now: in an archive nothing can be written, and no server is asked. All other reasons are in
 * the row of the command.
 */
import type { AppState } from '../state/model/app-state.ts';
import type { Command } from './command.ts';

/** Commands that change a conversation, write to one, change what is kept of an account, or ask its server. */
export const writingCommands: readonly string[] = [
  'composer.editor',
  'composer.recallNewer',
  'composer.recallOlder',
  'composer.searchSent',
  'conversation.archive',
  'conversation.delete',
  'conversation.export',
  'conversation.mute',
  'conversation.name',
  'conversation.new',
  'conversation.pin',
  'conversation.read',
  'find.fetchOlder',
  'focus.composer',
  'forward.choose',
  'list.readAll',
  'list.redo',
  'list.undo',
  'message.attach',
  'message.delete',
  'message.discard',
  'message.edit',
  'message.forward',
  'message.like',
  'message.pin',
  'message.react',
  'message.reactNth',
  'message.reply',
  'message.retry',
  'message.send',
  'message.takeBack',
  'person.name',
  'person.note',
  'person.write',
  'server.poll',
  'server.signIn',
];

const writes: ReadonlySet<string> = new Set(writingCommands);

/** The reason, in a sentence for the user; null where the command can run. */
export function whyDisabled({ id, disabled }: Pick<Command, 'id' | 'disabled'>, state: AppState): string | null {
  if (state.view.isArchive === true && writes.has(id)) return 'This is an archive: nothing in it can be changed';
  return disabled?.(state) ?? null;
}
