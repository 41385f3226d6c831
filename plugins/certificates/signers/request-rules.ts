import { nodesGroup } from 'orch/sdk/identity'
import { type ParsedRequest, userNameOf } from '../signing/parse-request.js'

/** A rule of a signer for requests: returns the violation, or undefined. */
export type RequestRule = (request: ParsedRequest, usages: readonly string[]) => string | undefined

const nodeUserPrefix = 'system:node:'
/** Shorter keys can be broken with sufficient resources. */
const minRsaBits = 2048

/** All rules must hold; returns the first violation. */
export const allOf =
  (...rules: readonly RequestRule[]): RequestRule =>
  (request, usages) => {
    for (const rule of rules) {
      const problem = rule(request, usages)
      if (problem !== undefined) return problem
    }
    return undefined
  }

export const keyIsStrong: RequestRule = ({ rsaBits }) =>
  rsaBits !== undefined && rsaBits < minRsaBits
    ? `an RSA key must have at least ${minRsaBits} bits, this one has ${rsaBits}`
    : undefined

/** Two common names would be two users. */
export const hasOneUser: RequestRule = ({ subject }) =>
  subject.commonNames.length > 1 ? 'subject has more than one common name' : undefined

export const isNode: RequestRule = request => {
  const { organizations } = request.subject
  if (organizations.length !== 1 || organizations[0] !== nodesGroup) return `subject organization is not ${nodesGroup}`
  return userNameOf(request).startsWith(nodeUserPrefix)
    ? undefined
    : `subject common name does not begin with ${nodeUserPrefix}`
}

export const hasNoAlternativeNames: RequestRule = ({ alternativeNames }) =>
  alternativeNames.length > 0 ? 'subjectAltNames are not allowed' : undefined

export const hasHostNamesOnly: RequestRule = ({ alternativeNames }) => {
  const types = alternativeNames.map(({ type }) => type)
  if (!types.some(type => type === 'dns' || type === 'ip')) return 'DNS or IP subjectAltName is required'
  if (types.includes('email')) return 'Email subjectAltNames are not allowed'
  if (types.includes('url')) return 'URI subjectAltNames are not allowed'
  return undefined
}

export const usagesAreExactly =
  (...wanted: readonly string[]): RequestRule =>
  (_, usages) =>
    usages.length === wanted.length && wanted.every(usage => usages.includes(usage))
      ? undefined
      : `usages did not match ${JSON.stringify(wanted)}`

export const usagesContain =
  (needed: string, ...optional: readonly string[]): RequestRule =>
  (_, usages) => {
    const unexpected = usages.find(usage => usage !== needed && !optional.includes(usage))
    if (unexpected !== undefined) return `invalid usage for this signer: ${unexpected}`
    return usages.includes(needed) ? undefined : `missing required usage for this signer: ${needed}`
  }
