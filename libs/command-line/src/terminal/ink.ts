/** Text styles for terminals; plain text elsewhere. */
export interface Ink {
  bold(text: string): string;
  dim(text: string): string;
}

/** Colours are used on a terminal only, and not if NO_COLOR is set. */
export function inkFor(out: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Ink {
  const colour = out.isTTY === true && !env['NO_COLOR'];
  const paint = (code: number, text: string): string => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  return { bold: (text) => paint(1, text), dim: (text) => paint(2, text) };
}
