import type { AuditEntry, AuditPage, KeyView, OperatorView, SignInCode } from '@muster/contracts';
import { Endpoint, InvalidRequest, operatorOf, Sent, Who, type Identity } from '@muster/platform';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { AuditLog, readAuditCursor } from './audit-log.js';
import { KeyAdministration } from './operator-keys.js';
import { SignIns } from './sign-ins.js';

/** Keys and sign-ins of operators, and the audit log of all services. */
@Controller()
export class OperatorsController {
  constructor(
    @Inject(KeyAdministration) private readonly keys: KeyAdministration,
    @Inject(SignIns) private readonly signIns: SignIns,
    @Inject(AuditLog) private readonly log: AuditLog,
  ) {}

  @Endpoint('whoAmI')
  me(@Who() who: Identity): OperatorView {
    return operatorOf(who);
  }

  @Endpoint('createKey')
  create(@Sent() { body, who }: Sent<'createKey'>): Promise<KeyView> {
    return this.keys.create(body, operatorOf(who).name);
  }

  @Endpoint('listKeys')
  list(): Promise<{ keys: KeyView[] }> {
    return this.keys.list();
  }

  @Endpoint('revokeKey')
  revoke(@Sent() { params }: Sent<'revokeKey'>): Promise<KeyView> {
    return this.keys.revoke(params.keyId);
  }

  @Endpoint('createSignInCode')
  createCode(@Who() who: Identity): Promise<SignInCode> {
    return this.signIns.createCode(operatorOf(who));
  }

  @Endpoint('signIn')
  signIn(@Sent() { body }: Sent<'signIn'>): Promise<KeyView> {
    return this.signIns.signIn(body.code);
  }

  @Endpoint('listAudit')
  audit(@Sent() { query: { limit, cursor, ...which } }: Sent<'listAudit'>): Promise<AuditPage> {
    const before = cursor === undefined ? null : readAuditCursor(cursor);
    if (cursor !== undefined && before === null)
      throw new InvalidRequest('`cursor` must be the `next` of an earlier page of the same list.');
    return this.log.page(which, limit, before);
  }

  @Endpoint('exportAudit')
  async export(@Sent() { query }: Sent<'exportAudit'>, @Res() reply: FastifyReply): Promise<void> {
    const lines = Readable.from(linesOf(this.log.all(query)));
    await reply.header('content-type', 'application/x-ndjson').send(lines);
  }
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
