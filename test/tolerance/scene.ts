/** What a test of one kind of server begins with. */
import { plain, type Quirks } from '../support/quirk-server/quirks.ts';
import { type Cast, seedCast } from './cast.ts';
import { type Rig, startRig } from './rig.ts';

export interface Scene {
  readonly rig: Rig;
  readonly cast: Cast;
}

/** The list has been read, on a server that differs in these from ours. */
export async function stage(quirks: Partial<Quirks>, revealReading = true): Promise<Scene> {
  const casts: Cast[] = [];
  const rig = await startRig(
    { ...plain, ...quirks },
    (server, now) => void casts.push(seedCast(server, now)),
    revealReading,
  );
  const [cast] = casts;
  if (cast === undefined) throw new Error('no cast');
  await rig.until(() => rig.store.getState().view.connection.listComplete, 60_000);
  return { rig, cast };
}

/** As `stage`, and the long conversation with Ann is open. */
export async function scene(quirks: Partial<Quirks>, revealReading = true): Promise<Scene> {
  const begun = await stage(quirks, revealReading);
  await begun.rig.open(begun.cast.main.id);
  return begun;
}
