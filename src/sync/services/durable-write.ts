/** Writes to the outbox, and tells the user when the disk refuses. */
import { ImpossibleOpEvent } from '../../state/model/op-state.ts';
import { notify } from './notices.ts';
import type { Services } from './services.ts';

/**
 * True when the disk took it; else a notice says what follows from that. What another process has settled or taken back
 * meanwhile needs no notice: its state is taken over.
 */
export function writeToDisk(
  context: Pick<Services, 'store' | 'clock' | 'reload'>,
  about: string,
  consequence: string,
  write: () => void,
): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as { readonly kind?: unknown }).kind === 'gone') {
      context.reload();
      return false;
    }
    const mistake = error instanceof Error ? (error.cause ?? error) : error;
    if (mistake instanceof ImpossibleOpEvent) throw mistake;
    const cause = error instanceof Error ? error.message : String(error);
    notify(context, 'error', about, `${consequence} ${cause}`);
    return false;
  }
}
