/** The keys that work here and now, for the footer. */
import type { AppState } from '../state/state.ts';
import { contextsOf } from './command.ts';
import type { Keymap } from './keymap.ts';
import { keyLabel } from './label.ts';

export interface FooterHint {
  readonly id: string;
  readonly label: string;
  readonly title: string;
}

/** Best first: those of the innermost context, then the wider ones, each in the order of the table. */
export function footerHints(state: AppState, keymap: Keymap): readonly FooterHint[] {
  const contexts = contextsOf(state);
  return contexts.flatMap((context) =>
    keymap.commands.flatMap(({ id, hint, where, disabled }) => {
      if (hint === undefined || !where.includes(context)) return [];
      const key = keymap.keysOf(id).find((one) => keymap.find(contexts, one)?.command.id === id);
      if (key === undefined) return [];
      return (disabled?.(state) ?? null) === null ? [{ id, label: keyLabel(key), title: hint }] : [];
    }),
  );
}
