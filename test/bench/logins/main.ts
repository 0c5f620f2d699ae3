import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { GivenKeys } from '../../../libs/platform/src/keys/fetched-keys.js';
import { tokenAlgorithms, type Jwk } from '../../../libs/platform/src/keys/jwt.js';
import { Logins, loginOfSettings } from '../../../libs/platform/src/logins/logins.js';
import { command } from '../command.js';

const help = `Measures the processor time of verifying a player's token, by algorithm, and of one that was seen before.

Options:
  --tokens <n>   tokens of each algorithm (2000)
  --help
`;

await command(
  help,
  { tokens: { type: 'string', default: '2000' }, help: { type: 'boolean', default: false } },
  async ({ tokens }) => {
    const count = Number(tokens);
    process.stdout.write(
      `${process.version}, ${count} tokens of each algorithm; µs of processor time per token\n`,
    );
    for (const algorithm of tokenAlgorithms) {
      const { privateKey, publicKey } = await generateKeyPair(algorithm, { modulusLength: 2_048 });
      const jwk = { ...((await exportJWK(publicKey)) as Jwk), kid: 'one', alg: algorithm };
      const signed: string[] = [];
      for (let i = 0; i < count; i++)
        signed.push(
          await new SignJWT({ sub: `player-${i}`, aud: 'muster', muster: { verified: true } })
            .setProtectedHeader({ alg: algorithm, kid: 'one' })
            .setExpirationTime('1h')
            .sign(privateKey),
        );
      const login = loginOfSettings(JSON.stringify({ keys: [jwk] }), {});
      const logins = new Logins([
        { ...login, algorithms: [algorithm], keys: new GivenKeys({ keys: [jwk] }, [algorithm]) },
      ]);
      // The first tenth warms the code up.
      const warm = Math.ceil(count / 10);
      const now = Date.now();
      const ask = (some: readonly string[]): number => {
        const { user, system } = process.cpuUsage();
        for (const token of some) void logins.playerOf(token, now);
        const after = process.cpuUsage();
        return (after.user - user + after.system - system) / some.length;
      };
      ask(signed.slice(0, warm));
      const first = ask(signed.slice(warm));
      const again = ask(signed.slice(warm));
      process.stdout.write(`${algorithm}  first ${first.toFixed(1)}  again ${again.toFixed(2)}\n`);
    }
  },
);
