import type { Finding } from './verdict.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints each verdict, and a line with their counts. @returns the exit code */
export function report(findings: readonly Finding[]): number {
  for (const { promise, broken } of findings) {
    const examples = broken.length > 0 ? `: ${broken.slice(0, 5).join('; ')} (${broken.length} in all)` : '';
    say(`${broken.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}${examples}`);
  }
  const failed = findings.filter(({ broken }) => broken.length > 0).length;
  say(`${findings.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
