import type { Abstract, FactoryProvider, Type } from '@nestjs/common';

/** An injection token that knows the type of what it provides. */
export type Token<T> = symbol & { readonly provides?: T };

/** @param name for people who read an error of the injector */
export const token = <T>(name: string): Token<T> => Symbol(name);

/** What a constructor's parameter may be provided by: a class, or a token, of that type. */
export type ProvidedBy<T> = Type<T> | Abstract<T> | Token<T>;

/**
 * Provides a class that knows no framework: its constructor's arguments are injected in their order. The compiler checks that
 * each one fits its parameter.
 */
export function construct<Arguments extends readonly unknown[], T>(
  type: new (...values: Arguments) => T,
  inject: { readonly [Index in keyof Arguments]: ProvidedBy<NonNullable<Arguments[Index]>> },
): FactoryProvider<T> {
  return {
    provide: type,
    useFactory: (...values: unknown[]) => Reflect.construct(type, values) as T,
    inject: [...inject] as (Type | Abstract<unknown> | symbol)[],
  };
}
