/** What was observed of the server's behaviour (`ServerCapabilities`), and what follows from it for a text on its way. */

import type { CapabilityName, ServerCapabilities } from '../../protocol/capabilities.ts';
import { unescapeText } from '../../protocol/same-text.ts';
import { policyOf } from '../../protocol/server-policy.ts';
import type { AppState } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchLocal } from './records.ts';

export const setCapabilities =
  (capabilities: ServerCapabilities): Transition =>
  (state) =>
    patchLocal(state, { capabilities });

/** Adds the difference of `before` and `after`, which an exchange has observed. Other observations stay. */
export const learnCapabilities =
  (before: ServerCapabilities, after: ServerCapabilities): Transition =>
  (state) => {
    const names = (Object.keys(after) as CapabilityName[]).filter((name) => after[name] !== before[name]);
    if (names.length === 0) return state;
    const learned = Object.fromEntries(names.map((name) => [name, after[name]])) as ServerCapabilities;
    return setCapabilities({ ...state.local.capabilities, ...learned })(state);
  };

/** The text that was sent for one that the server shows, where the server is known to escape what it receives. */
export const toWireText = ({ local }: AppState, text: string): string =>
  policyOf(local.capabilities).textOnWire.unescapesShownText ? unescapeText(text) : text;
