/** Records what answers show of this account's server, and gives the policy for it. Every answer may change the policy. */

import { type CapabilityName, type CapabilityValues, observe } from '../../protocol/capabilities.ts';
import { compareText, normaliseText } from '../../protocol/same-text.ts';
import { policyOf, type ServerPolicy } from '../../protocol/server-policy.ts';
import { setCapabilities } from '../../state/local/capabilities.ts';
import { type Services, stateOf, update } from './services.ts';

export const serverPolicy = (services: Services): ServerPolicy => policyOf(stateOf(services).local.capabilities);

/** Records an observation in the state, from where it is written to the disk. `from`: the request that showed it. */
export function learnCapability<K extends CapabilityName>(
  context: Pick<Services, 'store' | 'clock'>,
  name: K,
  value: CapabilityValues[K],
  from: string,
): void {
  const { capabilities } = stateOf(context).local;
  const learned = observe(capabilities, name, value, context.clock.now(), from);
  if (learned !== capabilities) update(context, setCapabilities(learned));
}

type TextChange = CapabilityValues['textChange'];

const changes = { same: 'none', trimmed: 'trim', escaped: 'escape', changed: 'unknown', other: 'unknown' } as const;

export function learnTextChange(context: Services, sent: string, got: string, source: string): void {
  // A message of attachments alone shows nothing about texts.
  if (sent === '') return;
  const change = changes[compareText(sent, got)];
  const known = stateOf(context).local.capabilities.textChange?.value;
  if (change === known || (change === 'none' && known !== undefined && !wouldShow(sent, known))) return;
  learnCapability(context, 'textChange', change, source);
}

/** Whether the text holds anything that the change would alter: a "hi" that stays "hi" shows nothing about escaping. */
function wouldShow(text: string, change: TextChange): boolean {
  if (change === 'escape') return /[&<>"']/.test(text);
  if (change === 'unknown') return /[^\p{L}\p{N}\s]/u.test(text);
  return change === 'trim' && text !== normaliseText(text);
}
