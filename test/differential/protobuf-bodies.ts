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

/** The body in Protobuf; undefined if it cannot be encoded. */
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
    // A body that does not match the type, such as text instead of a number, cannot be encoded.
    return undefined
  }
}

/** Conversations have JSON bodies, which can be read and shrunk; here they are encoded according to the Content-Type. */
export function asSent(step: Step): Step {
  const { body, ...rest } = step
  if (step.headers?.['Content-Type'] !== protobufMediaType || body === undefined) return step
  const bytes = protobufOf(body)
  return bytes === undefined ? step : { ...rest, bodyBase64: bytes.toString('base64') }
}
