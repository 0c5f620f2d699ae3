/** A part of a statement, with its values. */
export class SqlPart {
  /** @param texts what stands around the values: one more than values */
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** The text with `$1` and so on in the place of values. */
  get text(): string {
    return this.texts.reduce((before, text, i) => `${before}$${i}${text}`);
  }
}

/** A part as a tagged template: a part among its values becomes a part of it, another value a parameter. */
export function sqlPart(given: readonly string[], ...among: readonly unknown[]): SqlPart {
  const [first = '', ...rest] = given;
  const texts = [first];
  const values: unknown[] = [];
  for (const [i, text] of rest.entries()) {
    const value = among[i];
    if (!(value instanceof SqlPart)) {
      texts.push(text);
      values.push(value);
      continue;
    }
    const [head = '', ...tail] = value.texts;
    texts.push(`${texts.pop()}${head}`, ...tail);
    texts.push(`${texts.pop()}${text}`);
    values.push(...value.values);
  }
  return new SqlPart(texts, values);
}

/** A text as it is: a name or a keyword of ours, never a value from outside. */
export const verbatim = (text: string): SqlPart => new SqlPart([text], []);

/** Parts with a separator between them. */
export const joinParts = (parts: readonly SqlPart[], separator: string): SqlPart =>
  sqlPart(['', ...parts.slice(1).map(() => separator), ''], ...parts);
