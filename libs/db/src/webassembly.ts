interface Module {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WebAssembly {
  compile(bytes: Uint8Array): Promise<Module>;
  instantiate(module: Module, imports: Record<string, object>): Promise<Instance>;
}

const surroundings: object = globalThis;
/** Node has WebAssembly, but neither its types nor ES2023 declare it; these are the parts in use. */
export const webAssembly = Reflect.get(surroundings, 'WebAssembly') as WebAssembly;
