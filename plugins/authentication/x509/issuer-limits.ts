import { type DerValue, derValues } from 'orch/sdk/identity'

/** Constraints of a certificate that node:crypto does not expose: the maximum path length, and critical extensions. */
export interface IssuerLimits {
  /** How many authorities may be between it and the client certificate; undefined for any number. */
  readonly pathLength: number | undefined
  /** Whether it has a critical extension that is not supported here: it must not be trusted then. */
  readonly hasUnknownCriticalExtension: boolean
}

const tags = { boolean: 0x01, integer: 0x02, extensions: 0xa3 } as const
/** Object identifiers as the hex of their encoding; all but the first are checked by node:crypto or need no check. */
const basicConstraints = '551d13'
const understood = new Set([
  basicConstraints,
  '551d0f', // key usage
  '551d25', // extended key usage
  '551d11', // subject alternative name: identity is the subject here
  '551d0e', // subject key identifier
  '551d23', // authority key identifier
])

/** Reads the extensions of a DER certificate. */
export function issuerLimitsOf(der: Buffer): IssuerLimits {
  const [signedPart] = valuesIn(der)
  const wrapper = derValues(signedPart!.content).find(value => value.tag === tags.extensions)
  const extensions = wrapper ? valuesIn(wrapper.content) : []
  let pathLength: number | undefined
  let hasUnknownCriticalExtension = false
  for (const { content } of extensions) {
    const parts = derValues(content)
    const id = parts[0]!.content.toString('hex')
    const isCritical = parts[1]?.tag === tags.boolean && parts[1].content[0] !== 0
    if (isCritical && !understood.has(id)) hasUnknownCriticalExtension = true
    if (id === basicConstraints) pathLength = pathLengthOf(parts.at(-1)!.content)
  }
  return { pathLength, hasUnknownCriticalExtension }
}

/** The values inside the one that these bytes begin with. */
const valuesIn = (bytes: Buffer): DerValue[] => derValues(derValues(bytes)[0]!.content)

function pathLengthOf(value: Buffer): number | undefined {
  const length = valuesIn(value).find(({ tag }) => tag === tags.integer)
  return length?.content.readUIntBE(0, Math.min(length.content.length, 6))
}
