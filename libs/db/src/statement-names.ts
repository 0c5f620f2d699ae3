/**
 * Texts that are remembered at most: a list of changing length in a statement makes a new text each time. No `lru-cache`,
 * because nothing is evicted: a name stays prepared on every connection, so a text that came back would be prepared twice.
 */
const mostTexts = 500;

/** Whoever asks for all columns of a table gets others after a migration, which a prepared statement refuses. */
const allColumns = /(?:SELECT|RETURNING|,)\s+(?:\w+\.)?\*/i;

/**
 * Names for statements, so that the database parses and plans each once for a connection instead of at every call.
 *
 * @returns a function from a statement to its name; an empty one (it is not kept) for the first time that a text is seen, for one
 *   that selects `*`, and for all that are new once there are many
 */
export function statementNames(): (statement: { readonly sql: string }) => string {
  const seen = new Map<string, string | null>();
  let named = 0;
  return ({ sql }) => {
    const known = seen.get(sql);
    if (typeof known === 'string') return known;
    if (known === undefined) {
      if (seen.size < mostTexts && !allColumns.test(sql)) seen.set(sql, null);
      return '';
    }
    named += 1;
    const name = `muster_${named}`;
    seen.set(sql, name);
    return name;
  };
}
