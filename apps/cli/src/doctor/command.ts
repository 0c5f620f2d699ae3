import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor } from '@muster/command-line/terminal/ink';
import { counted } from '@muster/command-line/terminal/table';
import { Option, type Command } from 'commander';
import type { Finding } from './finding.js';

const help = `
It looks at the stores of DATABASE_URL and REDIS_URL, at the services of EDGE_UPSTREAMS or --service, and at the API; without
them at the Muster on this machine. Nothing is changed. Each finding says what is wrong, why it matters, and what to do.

Exit code: 0 nothing is wrong, 1 something is.

Example: muster doctor --json`;

/** Defines the command `muster doctor`. @param version the release of this command */
export function doctorCommand(command: Command, defaultDataDir: string, version: string): void {
  command
    .description('Look at stores, clocks, settings, services and keys, and name what to mend.')
    .addOption(new Option('--service <url...>', 'addresses of services').default([], 'none'));
  operatorOptions(command, defaultDataDir)
    .addHelpText('after', help)
    .action(async (options: OperatorOptions & { readonly service: readonly string[] }) => {
      const { examine } = await import('./examine.js');
      const findings = await examine({ ...options, env: process.env, version });
      const ink = inkFor(process.stdout, process.env);
      const sum =
        findings.length === 0 ? 'Nothing is wrong.' : `${counted(findings.length, 'thing')} to mend.`;
      const text = ({ wrong, why, mend }: Finding) => [
        ink.bold(wrong),
        `  ${why}`,
        `  To mend it: ${mend}`,
        '',
      ];
      print(options.json, { findings }, () => [...findings.flatMap(text), sum]);
      process.exitCode = findings.length === 0 ? 0 : 1;
    });
}
