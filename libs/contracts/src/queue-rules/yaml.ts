import type { QueueRules } from '@muster/domain/schemas';

/** A YAML writer: the used part of the package `yaml`. */
export interface YamlWriter {
  readonly Document: new (value: unknown) => {
    readonly contents: unknown;
    toString(options: typeof yamlStyle): string;
  };
}

/** How documents of rules are written. */
export const yamlStyle = { lineWidth: 110, flowCollectionPadding: true } as const;

/**
 * Rules as YAML, one line per corner of a curve.
 *
 * @param yaml the package `yaml`: this library imports no writer
 */
export function rulesYaml(
  document: QueueRules | { readonly queues: readonly QueueRules[] },
  yaml: YamlWriter,
): string {
  const made = new yaml.Document(document);
  inShortLines(made.contents);
  return made.toString(yamlStyle);
}

/** Puts corners of curves, and lists of plain values, on one line each. @param node of the package `yaml` */
export function inShortLines(node: unknown): void {
  if (!isCollection(node)) return;
  const values = node.items.map((item) => (isPair(item) ? item.value : item));
  const isPlain = !values.some(isCollection);
  const isMap = node.items.some(isPair);
  node.flow = isPlain && (!isMap || values.length === 2);
  for (const value of values) inShortLines(value);
}

function isCollection(node: unknown): node is { readonly items: readonly unknown[]; flow?: boolean } {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}

function isPair(item: unknown): item is { readonly value: unknown } {
  return typeof item === 'object' && item !== null && 'key' in item;
}
