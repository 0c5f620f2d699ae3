import { z } from 'zod';

/** The id of something in an event. */
export const idIn = (what: string): z.ZodString => z.string().meta({ description: `The id of the ${what}.` });

/** A sentence for people, or null. */
export const textIn = (description: string): z.ZodNullable<z.ZodString> =>
  z.string().nullable().meta({ description });
