/** Records what answers show of how this server behaves. */
import { type CapabilityName, type CapabilityValues, observe } from '../../protocol/capabilities.ts';
import { setCapabilities } from '../../state/local/capabilities.ts';
import { type Services, stateOf, update } from './services.ts';

/** Records an observation in the state, from where it is written to the disk. `from`: the request that showed it. */
export function learnCapability<K extends CapabilityName>(
  context: Pick<Services, 'store' | 'clock'>,
  name: K,
  value: CapabilityValues[K],
  from: string,
): void {
  const { capabilities } = stateOf(context).local;
  update(context, setCapabilities(observe(capabilities, name, value, context.clock.now(), from)));
}
