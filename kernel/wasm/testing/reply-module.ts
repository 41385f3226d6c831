import { op, packed, type TinyModule, tinyModule } from '../../../libs/wasm-metering/testing/tiny-module.js'

export { op, packed, tinyModule }

const replyAddress = 16
/** Requests are stored after the first page, which contains the replies. */
const requestAddress = 65_536

/** A module whose function `run` always replies with this text; parts of it can be replaced. */
export function replyModule(reply: string | Uint8Array, changed: ModuleChanges = {}): Uint8Array {
  const bytes = typeof reply === 'string' ? new TextEncoder().encode(reply) : reply
  const answer = op.i64(packed(replyAddress, bytes.length))
  return tinyModule({
    ...changed.module,
    memory: changed.module?.memory ?? [4],
    data: [[replyAddress, bytes]],
    functions: [
      { name: 'alloc', takes: ['i32'], gives: ['i32'], code: changed.alloc ?? op.i32(requestAddress) },
      {
        name: 'run',
        takes: ['i32', 'i32'],
        gives: ['i64'],
        code: [...(changed.before ?? []), ...(changed.answer ?? answer)],
      },
      ...(changed.module?.functions ?? []),
    ],
  })
}

interface ModuleChanges {
  readonly module?: TinyModule
  readonly alloc?: readonly number[]
  /** Instructions that `run` executes before it replies. */
  readonly before?: readonly number[]
  readonly answer?: readonly number[]
}
