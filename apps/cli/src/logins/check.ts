import type { LoginCheck } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Ink } from '@muster/command-line/terminal/ink';
import { InvalidArgumentError } from 'commander';
import { readFileSync } from 'node:fs';
import { factsOf, tableOf } from '../calls/answers.js';
import type { Values } from '../calls/take.js';

/** A token, or `-` for that on standard input. @throws InvalidArgumentError for an empty one */
export function tokenOf(text: string): string {
  const token = (text === '-' ? readFileSync(0, 'utf8') : text).trim().replace(/^Bearer\s+/i, '');
  if (token === '')
    throw new InvalidArgumentError('Give the token of a player, three parts with dots between.');
  return token;
}

/** Checks a token, by a running Muster or by a document. */
export async function checkToken(
  ask: Ask,
  { token }: { readonly token: string },
  { file }: Values,
): Promise<LoginCheck> {
  if (typeof file !== 'string') return ask(({ calls }) => calls.checkToken({ body: { token } }));
  const { checkAgainst } = await import('@muster/platform/check-file');
  return checkAgainst(textOf(file), file, token, (login, error) =>
    process.stderr.write(
      `muster: the keys of ${login}: ${error instanceof Error ? error.message : String(error)}\n`,
    ),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The document of logins cannot be read: ${why}`, { cause: error });
  }
}

/** For people: the verdict, each rule, and the player. */
export function checkedText({ accepted, login, player, rules }: LoginCheck, ink: Ink): readonly string[] {
  const first = rules.find(({ passed }) => !passed);
  const verdict = accepted
    ? `The token is accepted, by the login ${String(login)}.`
    : `The token is refused${login === null ? '' : ` by the login ${login}`}: ${first?.detail ?? ''}`;
  const rows = rules.map(({ rule, passed, detail }) => ({ rule, is: passed ? 'ok' : 'REFUSED', detail }));
  const facts = player
    ? [
        '',
        ...factsOf(
          { player: player.playerId, name: player.name, platform: player.platform, ...player.claims },
          ink,
        ),
      ]
    : [];
  return [verdict, '', ...tableOf(rows, ['rule', 'is', 'detail'], ink), ...facts];
}
