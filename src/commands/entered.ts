/** Reads what was entered in the composer: a message or a slash command. */
import type { Draft } from '../state/model/app-state.ts';
import { vimQuits } from './profiles/vim.ts';

/** What a text is: a message, a slash command, or something to ask about before it is sent. */
export type Entered =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }
  /** No name follows the slash. */
  | { readonly kind: 'slash' }
  /** The text begins like a command and has more lines. */
  | { readonly kind: 'lines'; readonly name: string }
  /** The text is what quits vim, such as `:q`. */
  | { readonly kind: 'vim-quit'; readonly typed: string };

/** A slash and a first word that has no second slash, as a path would. */
const command = /^\/([^\s/]+)/;
const escaped = /^\/(\/[^\s/]+(?!\S))/;

export function parseEntered(text: string): Entered {
  const trimmed = text.trim();
  if (trimmed.startsWith(':') && vimQuits.includes(trimmed.slice(1))) return { kind: 'vim-quit', typed: trimmed };
  if (escaped.test(text)) return { kind: 'text', text: text.slice(1) };
  if (/^\/(?:\s|$)/.test(text)) return { kind: 'slash' };
  const name = command.exec(text)?.[1];
  const rest = name === undefined ? '' : text.slice(name.length + 1);
  if (name === undefined || rest.startsWith('/')) return { kind: 'text', text };
  if (trimmed.includes('\n')) return { kind: 'lines', name };
  return { kind: 'command', name: name.toLowerCase(), words: rest.split(/\s+/).filter((word) => word !== '') };
}

/** The name of the slash command that the draft is, whether there is one of this name or not; null for a message. */
export function enteredCommand({ text, editing }: Pick<Draft, 'text' | 'editing'>): string | null {
  // Every key asks this, and most texts do not begin with a slash.
  if (editing !== null || !text.startsWith('/')) return null;
  const entered = parseEntered(text);
  return entered.kind === 'command' ? entered.name : null;
}

/**
 * What to type so that a text goes out as it is. To be used where a message comes back into the composer: `/mute 8h`
 * would be run there, and so it gets the second slash that it was typed with.
 */
export const asTyped = (text: string): string =>
  ['command', 'lines'].includes(parseEntered(text).kind) ? `/${text}` : text;

/** The text as Enter would send it, without the second slash. To be used where it is no longer the beginning of the draft. */
export function asSent(text: string): string {
  const entered = parseEntered(text);
  return entered.kind === 'text' ? entered.text : text;
}
