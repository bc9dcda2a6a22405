/** Reads single parameters of a request. A wrong one throws a `ServiceError` that says how. */
import type { FormMap } from '../../protocol/form-decode.ts';
import { badParameter } from './service-error.ts';

/** Throws for a name that the operation does not have, so that a typing error is not ignored. */
export function allowOnly(form: FormMap, names: readonly string[]): void {
  for (const name of form.keys()) {
    if (!names.includes(name)) throw badParameter(name, 'is not a parameter of this operation', 'parameter_unknown');
  }
}

/** null when absent. */
export function text(form: FormMap, name: string): string | null {
  const value = form.get(name) ?? null;
  if (value !== null && typeof value !== 'string') throw badParameter(name, 'must be a single value');
  return value;
}

/** null when absent. */
export function flag(form: FormMap, name: string): boolean | null {
  const value = text(form, name);
  if (value === null) return null;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw badParameter(name, 'must be true, false, 1 or 0');
}

/** `undefined` when absent, null when empty. Seconds. */
export function time(form: FormMap, name: string): number | null | undefined {
  const value = text(form, name);
  if (value === null) return undefined;
  if (value === '') return null;
  if (!/^[1-9]\d{0,18}$/.test(value)) throw badParameter(name, 'must be a time as integer Unix seconds, or empty');
  if (Number(value) > 1e11) throw badParameter(name, 'must be in seconds; this looks like milliseconds or smaller');
  return Number(value);
}
