/**
 * The learned capabilities in outbox.db. They are changed one by one, so that no process puts back what another one
 * has forgotten.
 */
import type { CapabilityChanges, CapabilityName } from '../../protocol/capabilities.ts';
import type { Database } from '../sqlite/driver.ts';
import { isObject, parseJson } from '../sqlite/stored-json.ts';
import { parseCapabilities } from './capabilities-parse.ts';

/** Capabilities of later versions stay in it untouched. */
type Stored = Readonly<Record<string, unknown>>;

/** Within a write transaction. */
export function changeCapabilities(database: Database, changes: CapabilityChanges): void {
  const next = { ...read(database), ...changes };
  write(database, Object.fromEntries(Object.entries(next).filter(([, learned]) => learned !== null)));
}

/** Within a write transaction; null: all. Answers which of them were there. */
export function forgetCapabilities(
  database: Database,
  names: readonly CapabilityName[] | null,
): readonly CapabilityName[] {
  const stored = read(database);
  const known = (Object.keys(parseCapabilities(stored)) as CapabilityName[]).filter(
    (name) => names?.includes(name) ?? true,
  );
  if (names === null) database.prepare("DELETE FROM facts WHERE name = 'traits'").run();
  else if (known.length > 0) write(database, withoutNames(stored, known));
  return known;
}

function withoutNames(stored: Stored, names: readonly string[]): Stored {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name)));
}

function read(database: Database): Stored {
  const value = parseJson(database.prepare("SELECT value FROM facts WHERE name = 'traits'").get()?.value);
  return isObject(value) ? value : {};
}

function write(database: Database, capabilities: Stored): void {
  database.prepare("INSERT OR REPLACE INTO facts VALUES ('traits', ?)").run(JSON.stringify(capabilities));
}
