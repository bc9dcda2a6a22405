/** Writes statements as PostgreSQL expects them, with numbered placeholders, and names them. */

/** `?` becomes `$1`, `$2` and so on, except in quoted text. */
function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(/'[^']*'|\?/g, (part) => {
    if (part !== '?') return part;
    count += 1;
    return `$${count}`;
  });
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Gives each text a name, under which a connection prepares it once. */
export function createStatements(): (sql: string) => NamedStatement {
  const known = new Map<string, NamedStatement>();
  return (sql) => {
    const statement = known.get(sql) ?? { name: `s${known.size + 1}`, text: numberPlaceholders(sql) };
    known.set(sql, statement);
    return statement;
  };
}
