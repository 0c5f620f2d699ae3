/** Prints one JSON line for programs, or lines for people. */
export function print(json: boolean, value: object, lines: () => readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines().join('\n')}\n`);
}
