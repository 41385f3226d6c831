import { orchProfile, Vendor } from 'orch/sdk'
import { compileProtobuf } from '../../kernel/representation/protobuf/codec.js'
import { wrapEnvelope } from '../../kernel/representation/protobuf/envelope.js'
import { compileDecoder } from '../../kernel/schema/decode.js'
import { metaType } from '../../kernel/schema/meta-types.js'
import type { StructNode } from '../../kernel/schema/type-model.js'
import { isObject } from '../golden/json-paths.js'
import type { Step } from '../golden/scenario.js'
import { builtInTypes } from '../schema/built-in-types.js'

const vendor = new Vendor(orchProfile)
export const protobufMediaType = 'application/vnd.kubernetes.protobuf'

/** Bytes of an object of one type; throws for one that does not fit it. */
type Encoder = (object: object) => Buffer
const encoderOf = (type: StructNode): Encoder => {
  const codec = compileProtobuf(type)
  const decode = compileDecoder(type)
  return object => codec.encode(decode(object))
}

const types = await builtInTypes()
const encoders = new Map<string, Encoder>([
  ['core.v1.DeleteOptions', encoderOf(metaType('DeleteOptions', vendor.level))],
])

/** `apps.v1.Deployment`: groups by the first part of their name. */
function typeName(apiVersion: string, kind: string): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `${group.split('.')[0]}.${version}.${kind}`
}

/** The body as clients of built-in types send it; undefined where there is no such form of it. */
export function protobufOf(body: unknown): Buffer | undefined {
  if (!isObject(body)) return undefined
  const { apiVersion, kind } = body
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined
  const name = typeName(apiVersion, kind)
  const type = types.get(name)
  const encode = encoders.get(name) ?? (type && encoderOf(type))
  if (!encode) return undefined
  encoders.set(name, encode)
  try {
    return wrapEnvelope({ apiVersion, kind }, encode(body))
  } catch {
    // What does not fit the type, such as text in place of a number, has no such form.
    return undefined
  }
}

/** Conversations have bodies as JSON, which can be read and shrunk; here they become the bytes that the Content-Type promises. */
export function asSent(step: Step): Step {
  const { body, ...rest } = step
  if (step.headers?.['Content-Type'] !== protobufMediaType || body === undefined) return step
  const bytes = protobufOf(body)
  return bytes === undefined ? step : { ...rest, bodyBase64: bytes.toString('base64') }
}
