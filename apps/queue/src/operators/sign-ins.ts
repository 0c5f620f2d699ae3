import type { KeyView, OperatorView, SignInCode } from '@muster/contracts';
import { SignInRefused, type Clock, type Ids } from '@muster/domain';
import { viewOf, type KeyMaker } from './operator-keys.js';
import type { PostgresSignIns } from './sign-ins.store.js';

const codeMs = 600_000;
const sessionMs = 12 * 3_600_000;
/** Of one name. A person has a few browsers; who asks for more has forgotten the oldest. */
const most = { codes: 5, sessions: 5 };

/** Makes codes, and finds one by the hash of what somebody sends. */
export interface CodeMaker {
  make(): { readonly code: string; readonly hash: string };
  hashOf(code: string): string;
}

/** Signs operators in elsewhere: a code of who is authenticated is exchanged once for the key of a session. */
export class SignIns {
  constructor(
    private readonly store: Pick<PostgresSignIns, 'addCode' | 'exchange'>,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'make'>,
    private readonly codes: CodeMaker,
    private readonly keys: KeyMaker,
  ) {}

  async createCode({ name, role, signIn, keyId }: OperatorView): Promise<SignInCode> {
    const { code, hash } = this.codes.make();
    const expiresAt = this.clock.now() + codeMs;
    await this.store.addCode({ hash, name, role, madeWith: keyId ?? signIn, expiresAt }, most.codes);
    return { code, expiresAt };
  }

  /** @throws SignInRefused */
  async signIn(code: string): Promise<KeyView & { readonly key: string }> {
    const now = this.clock.now();
    const { key, hash } = this.keys.make();
    const session = { keyId: this.ids.make('key'), hash, now, expiresAt: now + sessionMs };
    const row = await this.store.exchange(this.codes.hashOf(code), session, most.sessions);
    if (row) return { ...viewOf(row), key };
    throw new SignInRefused(
      'The code was used, has expired or never was one: each signs in once, within ten minutes. `muster dashboard` prints a link with a new one.',
    );
  }
}
