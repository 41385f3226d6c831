import { isObject, type JsonObject, valueAt } from './json-paths.js'

/** The response to conversion reviews. All fields but `moves` and `set` make it invalid. */
export interface ConversionAnswer {
  /** Per desired version: fields that move from one path to another. */
  readonly moves?: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>
  /** Fields overwritten in every object, by path; null removes them. */
  readonly set?: Readonly<Record<string, unknown>>
  /** Leaves out the last objects. */
  readonly drop?: number
  /** The version written into the objects instead of the desired one. */
  readonly version?: string
  readonly result?: unknown
  readonly uid?: string
  readonly kind?: string
  readonly reviewVersion?: string
}

export const isConversionReview = (review: unknown): boolean => valueAt(review, 'kind') === 'ConversionReview'

/** The response to a conversion review, as the scenario describes it. */
export function convert(review: unknown, answer: ConversionAnswer): unknown {
  const desired = String(valueAt(review, 'request.desiredAPIVersion') ?? '')
  const moves = answer.moves?.[desired.split('/').at(-1) ?? ''] ?? []
  const sent = (valueAt(review, 'request.objects') as JsonObject[] | undefined) ?? []
  const converted = sent.map(original => {
    const object = structuredClone(original)
    object['apiVersion'] = answer.version ?? desired
    for (const [from, to] of moves) {
      const value = take(object, from)
      if (value !== undefined) put(object, to, value)
    }
    for (const [path, value] of Object.entries(answer.set ?? {})) put(object, path, value)
    return object
  })
  return {
    apiVersion: answer.reviewVersion || valueAt(review, 'apiVersion'),
    kind: answer.kind || 'ConversionReview',
    response: {
      uid: answer.uid ?? valueAt(review, 'request.uid'),
      convertedObjects: answer.drop ? converted.slice(0, -answer.drop) : converted,
      result: answer.result || { status: 'Success' },
    },
  }
}

function take(object: JsonObject, path: string): unknown {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const holder = valueAt(object, steps.join('.'))
  if (!isObject(holder)) return undefined
  const value = holder[last]
  delete holder[last]
  return value
}

function put(object: JsonObject, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let holder = object
  for (const step of steps) holder = (holder[step] ??= {}) as JsonObject
  if (value === null) delete holder[last]
  else holder[last] = value
}
