import { badRequest, type ObjectMeta } from 'orch/sdk'

/** Annotations for 64-bit numbers that are fields in former versions only. */

const beyond = 2n ** 63n

function parseNumber(text: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)0*(\d{1,19})$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return value >= -beyond && value < beyond ? value : undefined
}

/** The number in an annotation; undefined if there is none. */
export const numberIn = (metadata: ObjectMeta | undefined, name: string): bigint | undefined =>
  parseNumber(metadata?.annotations?.[name] ?? '')

/** The metadata with a number in its canonical form. What is no number stays, for `requireNumber`. */
export function withCanonicalNumber(metadata: ObjectMeta | undefined, name: string): ObjectMeta | undefined {
  const text = metadata?.annotations?.[name]
  const number = numberIn(metadata, name)
  return number === undefined || String(number) === text ? metadata : withNumber(metadata, name, number)
}

export const withNumber = (metadata: ObjectMeta | undefined, name: string, number: bigint): ObjectMeta => ({
  ...metadata,
  annotations: { ...metadata?.annotations, [name]: String(number) },
})

export function withoutAnnotation(metadata: ObjectMeta | undefined, name: string): ObjectMeta {
  const { [name]: _, ...others } = metadata?.annotations ?? {}
  const { annotations: __, ...rest } = metadata ?? {}
  return Object.keys(others).length > 0 ? { ...rest, annotations: others } : rest
}

/** Throws if the annotation is there, but contains no number: such an object cannot be converted. */
export function requireNumber(metadata: ObjectMeta | undefined, name: string): void {
  const text = metadata?.annotations?.[name]
  if (text !== undefined && parseNumber(text) === undefined)
    throw badRequest(`annotation ${name} must be a 64-bit integer: ${JSON.stringify(text)}`)
}
