import { parse } from 'yaml';
import { z } from 'zod';

/** The most that aliases of a document may stand for: documents of settings are written by hand. */
const maxAliasCount = 100;

/**
 * A setting that is a document, YAML or JSON.
 *
 * @param text the setting
 * @param schema of the document. Its flaws name a path and no value: a document may hold a secret
 */
export function documentSetting<Value>(
  text: z.ZodType<string, string>,
  schema: z.ZodType<Value>,
): z.ZodPipe<z.ZodType<string, string>, z.ZodTransform<Value, string>> {
  return text.pipe(
    z.transform<string, Value>((written, context): Value => {
      let value: unknown;
      try {
        value = parse(written, { maxAliasCount });
      } catch {
        context.issues.push({ code: 'custom', message: 'is neither YAML nor JSON', input: undefined });
        return z.NEVER;
      }
      const read = schema.safeParse(value);
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues)
        context.issues.push({
          code: 'custom',
          message: path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
          input: undefined,
        });
      return z.NEVER;
    }) as z.ZodTransform<Value, string>,
  );
}
