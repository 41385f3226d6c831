import { andThen } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import type { FunctionAnswer } from '../isolation/plugin-messages.js'
import { changesSince, fieldsOf } from './gather-changes.js'

type Callable = (...args: never[]) => unknown

/** The functions in this process's definitions, by the numbers that the server uses. */
export class OwnFunctions {
  readonly #functions: Callable[] = []

  /** Registers a function and returns its number. */
  add(callable: Callable): number {
    return this.#functions.push(callable) - 1
  }

  /**
   * Calls a function. The last argument is the request context, if there is one; warnings added to it become part of
   * the answer.
   */
  call({ function: index, args }: JsonObject): FunctionAnswer | Promise<FunctionAnswer> {
    const callable = this.#functions[Number(index)]
    if (!callable || !Array.isArray(args)) throw new Error('there is no such function')
    const warnings: string[] = []
    const given: unknown[] = args.map(each =>
      isObject(each) && each['isContext'] === true
        ? { ...each, ...this.context, warn: (text: string) => void warnings.push(text) }
        : each,
    )
    const before = fieldsOf(given[0])
    const answer = (returned: unknown): FunctionAnswer => ({
      ...changesSince(before, given[0]),
      ...(returned === undefined ? {} : { returned }),
      ...(warnings.length === 0 ? {} : { warnings }),
    })
    const returned: unknown = Reflect.apply(callable, undefined, given)
    return andThen(returned, answer)
  }

  /** The cells of a page of objects. One that cannot be computed is unknown, and the others are shown. */
  cells({ functions, objects, now }: JsonObject): unknown[][] {
    if (!Array.isArray(functions) || !Array.isArray(objects)) throw new Error('there are no cells to compute')
    const columns = functions.map(index => this.#functions[Number(index)])
    return objects.map(object => columns.map(column => cellBy(column, object, now)))
  }

  /** What every context has: the vendor. */
  context: JsonObject = {}
}

function cellBy(column: Callable | undefined, object: unknown, now: unknown): unknown {
  try {
    return (column && Reflect.apply(column, undefined, [object, now])) ?? null
  } catch {
    return '<unknown>'
  }
}
