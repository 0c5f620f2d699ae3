/**
 * Ends the process when its output cannot be written: quietly if the reader has gone, as of `| head`, and with a sentence if a disk
 * is full.
 */
export function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(`muster: the output could not be written: ${error.message}\n`);
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  // There is nowhere left to say why.
  process.stderr.on('error', () => process.exit(1));
}
