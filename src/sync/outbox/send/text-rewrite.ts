/** Learns how this server changes texts, by comparing a text that was sent with what the server shows of it. */
import type { CapabilityValues } from '../../../protocol/capabilities.ts';
import { compareText, normaliseText } from '../../../protocol/same-text.ts';
import { learnCapability } from '../../services/observed-capabilities.ts';
import { type Services, stateOf } from '../../services/services.ts';

type TextChange = CapabilityValues['textChange'];

const changes = { same: 'none', trimmed: 'trim', escaped: 'escape', changed: 'unknown', other: 'unknown' } as const;

export function learnTextChange(context: Services, sent: string, got: string, source: string): void {
  // An attachment without a text shows nothing of it.
  if (sent === '') return;
  const change = changes[compareText(sent, got)];
  const known = stateOf(context).local.capabilities.textChange?.value;
  if (change === 'none' && known !== undefined && !wouldShow(sent, known)) return;
  learnCapability(context, 'textChange', change, source);
}

/** Whether the text holds anything that the change would alter: that "hi" stays "hi" says nothing about escaping. */
function wouldShow(text: string, change: TextChange): boolean {
  if (change === 'escape') return /[&<>"']/.test(text);
  if (change === 'unknown') return /[^\p{L}\p{N}\s]/u.test(text);
  return change === 'trim' ? text !== normaliseText(text) : change === 'none';
}
