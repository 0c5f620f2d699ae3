import { z } from 'zod';

/** A key that makes a request safe to repeat. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,128}$/);

export const Idempotent = z.object({
  'Idempotency-Key': IdempotencyKey.optional().meta({
    description: 'Makes the request safe to repeat: 1 to 128 visible ASCII characters.',
  }),
});

export const Resumed = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .meta({ description: 'The `id` of the last received event; the stream continues after it.' }),
});
