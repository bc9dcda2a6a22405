/** What Enter means for a text: a message, a slash command, or something to ask about before it is sent. */

export type Entered =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }
  /** It begins like a command and has more lines. */
  | { readonly kind: 'lines'; readonly name: string }
  /** What quits vim. */
  | { readonly kind: 'vim-quit'; readonly typed: string };

const vimQuit = /^:(?:q|wq|qa|wqa)!?$/;
/** A first word without a second slash, which a path has. */
const command = /^\/([^\s/]+)/;
const escaped = /^\/(\/[^\s/]+(?!\S))/;

export function parseEntered(text: string): Entered {
  const trimmed = text.trim();
  if (vimQuit.test(trimmed)) return { kind: 'vim-quit', typed: trimmed };
  if (escaped.test(text)) return { kind: 'text', text: text.slice(1) };
  const name = command.exec(text)?.[1];
  const rest = name === undefined ? '' : text.slice(name.length + 1);
  if (name === undefined || rest.startsWith('/')) return { kind: 'text', text };
  if (trimmed.includes('\n')) return { kind: 'lines', name };
  return { kind: 'command', name: name.toLowerCase(), words: rest.split(/\s+/).filter((word) => word !== '') };
}
