import { speakPlainly } from '@muster/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLogins } from './login-document.js';

beforeAll(() => speakPlainly());

const key = '{ kty: OKP, crv: Ed25519, x: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo, kid: one }';
const login = (more: string): string => `logins:\n  - name: game\n    issuer: https://id.example/\n${more}`;
const whole = login(`    keys: { discover: true }\n    algorithms: [RS256]\n    audience: game\n`);

/** The flaws of a document; none for one that is right. */
function flawsOf(text: string): readonly string[] {
  const read = readLogins(text);
  return read.ok ? [] : read.flaws;
}

describe('a document of logins', () => {
  it('is read with its defaults, in YAML and JSON', () => {
    const read = readLogins(whole);
    expect(read).toMatchObject({
      ok: true,
      value: [
        {
          name: 'game',
          keys: { discover: true, allowHttp: false },
          clockToleranceSeconds: 30,
          player: { claim: 'sub', ids: 'escaped' },
          require: {},
          claims: {},
        },
      ],
    });
    expect(
      flawsOf(
        '{"logins":[{"name":"game","issuer":"x","keys":{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]},"algorithms":["EdDSA"]}]}',
      ),
    ).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['nothing', '', /must be an object/],
    ['no login', 'logins: []', /logins: .*at least/],
    ['a field that nobody knows', `${whole}    jku: true\n`, /logins\[0\].*jku/],
    ['no algorithm', whole.replace('[RS256]', '[]'), /algorithms: must name at least one algorithm/],
    [
      'HS256',
      whole.replace('RS256', 'HS256'),
      /5:\d+ logins\[0\]\.algorithms\[0\]: must be one of EdDSA, ES256/,
    ],
    ['none', whole.replace('RS256', 'none'), /must be one of EdDSA/],
    [
      'keys over http',
      whole.replace('{ discover: true }', '{ url: http://id.example/keys }'),
      /keys\.url: must be an https address/,
    ],
    [
      'keys of no address',
      whole.replace('{ discover: true }', '{ url: keys }'),
      /keys\.url: must be an https address/,
    ],
    [
      'an issuer that cannot be discovered',
      whole.replace('https://id.example/', 'game'),
      /issuer: must be an https address/,
    ],
    [
      'another word for keys',
      whole.replace('{ discover: true }', 'yes'),
      /keys: must be \{ discover: true \}/,
    ],
    [
      'no audience',
      whole.replace('    audience: game\n', ''),
      /audience: is needed, or a claim under require/,
    ],
    [
      'a private key',
      login(`    keys: { keys: [{ kty: OKP, crv: Ed25519, x: AA, d: AA }] }\n    algorithms: [EdDSA]\n`),
      /has a private or secret key/,
    ],
    [
      'a key of another algorithm',
      login(`    keys: { keys: [${key}] }\n    algorithms: [RS256]\n`),
      /keys: has no key for RS256/,
    ],
    ['a reserved prefix', `${whole}    player: { prefix: bot }\n`, /prefix: is reserved/],
    ['the prefix of guests', `${whole}    player: { prefix: guest }\n`, /prefix: is the prefix of guests/],
    [
      'a prefix of other characters',
      `${whole}    player: { prefix: "A:" }\n`,
      /prefix: must hold only small letters/,
    ],
    [
      'a platform that is none',
      `${whole}    claims: { platform: { claim: p, values: { PSN: "Play Station" } } }\n`,
      /claims\.platform/,
    ],
    ['a long tolerance', `${whole}    clockToleranceSeconds: 3600\n`, /clockToleranceSeconds: .*300/],
    ['two documents', `${whole}---\n${whole}`, /./],
    ['no YAML', 'logins: [', /./],
    [
      'aliases without end',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nlogins: [*c,*c,*c,*c]',
      /alias/,
    ],
  ])('with %s is refused with its place and a sentence', (_, text, says) => {
    expect(flawsOf(text).join('\n')).toMatch(says);
  });

  it('needs prefixes, names and issuers that differ', () => {
    const one = whole.slice('logins:\n'.length);
    expect(flawsOf(`${whole}${one}`).join('\n')).toMatch(
      /name: is that of a login above[^]*issuer: is that of a login above/,
    );
    const other = one.replace('game', 'other').replace('id.example', 'other.example');
    expect(flawsOf(`${whole}${other}`).join('\n')).toMatch(/player: must have a prefix, since two logins/);
    const prefixed = (text: string, prefix: string): string => `${text}    player: { prefix: "${prefix}" }\n`;
    expect(flawsOf(prefixed(whole, '') + prefixed(other, 'b'))).toEqual([]);
    expect(flawsOf(prefixed(whole, '') + prefixed(other, ''))).toEqual([]);
    expect(flawsOf(prefixed(whole, 'b') + prefixed(other, 'b')).join('\n')).toMatch(
      /prefix: is that of a login above/,
    );
  });
});
