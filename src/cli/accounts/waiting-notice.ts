/** Writes the notice about an account that the user leaves: it sends nothing while another one is open. */
import type { AppState } from '../../state/model/app-state.ts';

/** The notice; null where nothing waits to be sent. */
export function waitingNotice({ local, view }: AppState): string | null {
  const count = local.outbox.filter(
    ({ state }) => state === 'queued' || state === 'sending' || state === 'unsure',
  ).length;
  if (count === 0) return null;
  const [what, verb] = count === 1 ? ['One change waits', 'is'] : [`${count} changes wait`, 'are'];
  return `${what} in ${view.serverLabel} and ${verb} sent when it is opened again`;
}
