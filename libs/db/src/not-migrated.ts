/** The database is up, but migrations that this version needs are pending. */
export class NotMigrated extends Error {
  readonly code = 'not-migrated';

  constructor(readonly missing: readonly string[]) {
    super(`the database has pending migrations (${missing.join(', ')})`);
    this.name = 'NotMigrated';
  }
}
