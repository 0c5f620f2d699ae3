import { flawText, pathText } from '@muster/contracts';
import { print } from '@muster/command-line/operator/output';
import { counted } from '@muster/command-line/terminal/table';
import { readRulesFile, type RulesFile } from '@muster/command-line/rules/document';

/**
 * Validates a file of rules, without a coordinator.
 *
 * @returns the exit code: 1 if it is invalid
 * @throws Error with a user-facing message if the file cannot be read
 */
export async function checkRules(file: string, options: { readonly json: boolean }): Promise<number> {
  const checked = await readRulesFile(file);
  const { read } = checked;
  const flaws = read.ok
    ? []
    : read.flaws.map(({ place, path, message }) => ({ ...place, path: pathText(path), message }));
  const queues = read.ok ? read.queues.map(({ name }) => name) : [];
  if (read.ok || options.json) print(options.json, { ok: read.ok, queues, flaws }, () => checkText(checked));
  else process.stderr.write(`${checkText(checked).join('\n')}\n`);
  return read.ok ? 0 : 1;
}

/** The errors, one per line, or a confirmation. */
export function checkText({ name, read }: RulesFile): string[] {
  if (!read.ok) return read.flaws.map((flaw) => flawText(name, flaw));
  const names = read.queues.map((queue) => queue.name).join(', ');
  return [`${name} is valid: the rules of ${counted(read.queues.length, 'queue')} (${names}).`];
}
