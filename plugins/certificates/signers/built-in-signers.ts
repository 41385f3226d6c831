import type { CertificateNames } from '../names.js'
import {
  allOf,
  hasHostNamesOnly,
  hasNoAlternativeNames,
  hasOneUser,
  isNode,
  keyIsStrong,
  type RequestRule,
  usagesAreExactly,
  usagesContain,
} from './request-rules.js'

/** Signers whose certificates this server issues itself. */
export type BuiltInSigner = 'client' | 'nodeAgentClient' | 'nodeAgentServing' | 'legacyUnknown'

const forAll = [keyIsStrong, hasOneUser] as const

/** The table of the specification: the rules of each signer. No certificate of theirs has the CA bit. */
export const signerRules: Readonly<Record<BuiltInSigner, RequestRule>> = {
  client: allOf(...forAll, usagesContain('client auth', 'digital signature', 'key encipherment')),
  nodeAgentClient: allOf(
    ...forAll,
    isNode,
    hasNoAlternativeNames,
    usagesAreExactly('key encipherment', 'digital signature', 'client auth'),
  ),
  nodeAgentServing: allOf(
    ...forAll,
    isNode,
    hasHostNamesOnly,
    usagesAreExactly('key encipherment', 'digital signature', 'server auth'),
  ),
  // Everything is allowed, as its certificates are not trusted. This version of the API does not allow requests for it.
  legacyUnknown: allOf(...forAll),
}

/** Which built-in signer a name stands for, if any. */
export function builtInSigner(names: CertificateNames, signerName: string): BuiltInSigner | undefined {
  const byName: Readonly<Record<string, BuiltInSigner>> = {
    [names.clientSigner]: 'client',
    [names.nodeAgentClientSigner]: 'nodeAgentClient',
    [names.nodeAgentServingSigner]: 'nodeAgentServing',
    [names.legacyUnknownSigner]: 'legacyUnknown',
  }
  return Object.hasOwn(byName, signerName) ? byName[signerName] : undefined
}
