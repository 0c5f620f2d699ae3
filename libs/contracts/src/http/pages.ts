import { notPlain, plainText } from '@muster/domain/schemas';
import { z } from 'zod';

/** Where a page of a list begins; empty or absent: at the first one. */
export const Cursor = z
  .string()
  .max(200)
  .regex(plainText, notPlain)
  .optional()
  .meta({ description: 'The `next` of the previous page.' });
