/** The prompts for a name that the user gives to a contact or group, and for a note. */
import { setName, setNote } from '../state/local/own-names.ts';
import type { Overlay } from '../state/model/app-state.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';

export const ownName = {
  /** An empty field removes the name. */
  accept(context: CommandContext, { of, typed }: Extract<Overlay, { kind: 'own-name' }>): void {
    const name = typed.trim();
    context.update((state) => setName(of, name === '' ? null : name)(popOverlay(state)));
  },
};

/** The most characters of a note; a longer one is cut. */
const longestNote = 4_000;

export const ownNote = {
  /** An empty field removes the note. */
  accept(context: CommandContext, { of, typed }: Extract<Overlay, { kind: 'own-note' }>): void {
    const note = typed.trim().slice(0, longestNote);
    context.update((state) => setNote(of, note === '' ? null : note)(popOverlay(state)));
  },
};
