/** Finds values of a setting for the completion of `msg-tui config set`. */
import { rowOf, settingOf } from '../../config/settings-table.ts';
import { choicesOf } from '../setting-entries.ts';
import type { Candidate } from './candidate.ts';

export function settingValueCandidates(name: string, themes: () => readonly string[]): readonly Candidate[] {
  const id = settingOf(name);
  if (id === null) return [];
  const { default: fallback } = rowOf(id);
  const values = id === 'theme' ? themes() : (choicesOf(id) ?? []);
  return values.flatMap((value) =>
    value === null ? [] : { value: String(value), about: value === fallback ? 'default' : '' },
  );
}
