/**
 * The parts of JavaScript's WebAssembly API that are used here: Node's types lack it, and those of browsers include
 * much else.
 */
declare global {
  namespace WebAssembly {
    class Module {
      private readonly isModule
    }
    class Instance {
      constructor(module: Module, imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
      readonly exports: Readonly<Record<string, unknown>>
    }
    class Memory {
      readonly buffer: ArrayBuffer
    }
    class Global {
      value: number | bigint
    }
    class RuntimeError extends Error {}
    function compile(bytes: Uint8Array): Promise<Module>
    function validate(bytes: Uint8Array): boolean
  }
}

export {}
