/**
 * The maximum number of named texts: a list of varying length makes a new text each time. Not `lru-cache`, because
 * nothing may be evicted: a name stays prepared on every connection, so a returning text would be prepared twice.
 */
const maxTexts = 500;

/** The result type of `*` changes with a migration, which a prepared statement rejects. */
const allColumns = /(?:SELECT|RETURNING|,)\s+(?:\w+\.)?\*/i;

/**
 * Names statements, so that the database parses and plans each once per connection instead of at every call.
 *
 * @returns a function from a statement to its name; empty (unnamed) at a text's first use, for a statement that selects
 * `*`, and for new texts beyond the maximum
 */
export function statementNames(): (statement: { readonly sql: string }) => string {
  const seen = new Map<string, string | null>();
  let named = 0;
  return ({ sql }) => {
    const known = seen.get(sql);
    if (typeof known === 'string') return known;
    if (known === undefined) {
      if (seen.size < maxTexts && !allColumns.test(sql)) seen.set(sql, null);
      return '';
    }
    named += 1;
    const name = `muster_${named}`;
    seen.set(sql, name);
    return name;
  };
}
