import type { Abstract, FactoryProvider, Type } from '@nestjs/common';

/** An injection token typed by the value that it provides. */
export type Token<T> = symbol & { readonly provides?: T };

/** @param name shown in errors of the injector */
export const token = <T>(name: string): Token<T> => Symbol(name);

/** A class or token of the type of a constructor's parameter. */
export type ProvidedBy<T> = Type<T> | Abstract<T> | Token<T>;

/**
 * Provides a framework-free class: its constructor's arguments are injected in order. The compiler checks each against
 * its parameter.
 */
export function construct<Arguments extends readonly unknown[], T>(
  type: new (...values: Arguments) => T,
  inject: { readonly [Index in keyof Arguments]: ProvidedBy<Exclude<Arguments[Index], undefined>> },
): FactoryProvider<T> {
  return {
    provide: type,
    useFactory: (...values: unknown[]) => Reflect.construct(type, values) as T,
    inject: [...inject] as (Type | Abstract<unknown> | symbol)[],
  };
}

/** Provides what a function makes of injected values: each has the type of its class or token. */
export function provide<Arguments extends readonly unknown[], T>(
  type: ProvidedBy<T>,
  inject: readonly [...{ [Index in keyof Arguments]: ProvidedBy<Arguments[Index]> }],
  make: (...values: Arguments) => T | Promise<T>,
): FactoryProvider<T> {
  return { provide: type, useFactory: make, inject: [...inject] as (Type | Abstract<unknown> | symbol)[] };
}

/**
 * Provides a framework-free class whose constructor takes a record of its dependencies: each is injected under its name.
 */
export function constructWith<Dependencies extends object, T>(
  type: new (dependencies: Dependencies) => T,
  inject: { readonly [Name in keyof Dependencies]: ProvidedBy<Exclude<Dependencies[Name], undefined>> },
): FactoryProvider<T> {
  const names = Object.keys(inject) as (keyof Dependencies)[];
  return {
    provide: type,
    useFactory: (...values: unknown[]) =>
      Reflect.construct(type, [Object.fromEntries(names.map((name, i) => [name, values[i]]))]) as T,
    inject: names.map((name) => inject[name]) as (Type | Abstract<unknown> | symbol)[],
  };
}
