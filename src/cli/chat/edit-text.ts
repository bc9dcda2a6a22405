/** Runs the user's editor on the text of the composer (Ctrl-O). */
import type { CommandContext } from '../../commands/context.ts';
import type { Session } from '../../session.ts';
import { runEditor } from '../input/external-editor.ts';
import type { TerminalSession } from '../process/terminal-session.ts';

interface Parts {
  readonly terminal: Pick<TerminalSession, 'onLeave' | 'restore'>;
  readonly session: Pick<Session, 'flush'> & { readonly engine: Pick<Session['engine'], 'setFocused'> };
  readonly editor: string | null;
}

/** Where a signal ends the program meanwhile, as when the terminal is closed, what was saved in the editor becomes the draft. */
export async function editText(
  { terminal, session, editor }: Parts,
  text: string,
  done: Parameters<CommandContext['editText']>[1],
): Promise<void> {
  let savedSoFar = (): string | null => null;
  const stop = terminal.onLeave(() => {
    const saved = savedSoFar();
    if (saved === null) return;
    done({ text: saved });
    session.flush();
  });
  const onStart = (read: () => string | null): void => {
    savedSoFar = read;
  };
  // The chat is not on the screen: what arrives meanwhile counts as read when it is again.
  session.engine.setFocused(false);
  const edited = await terminal.restore.whileAway(() => runEditor(text, editor, { onStart }));
  session.engine.setFocused(true);
  stop();
  done(edited);
}
