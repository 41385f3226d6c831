import { type Stored, services } from 'orch/sdk'
import type { Secret } from 'orch/sdk/core'
import { defineAuthenticator } from 'orch/sdk/identity'
import {
  expirationOf,
  groupsOf,
  isSecretPart,
  isUsableFor,
  parseBootstrapToken,
  secretNameOf,
  tokenOf,
} from '../bootstrap/bootstrap-token.js'
import type { AuthenticationNames } from '../names.js'
import type { Method } from './method.js'

const needs = { caches: services.caches, clock: services.clock }
const userPrefix = 'system:bootstrap:'

/** Bootstrap tokens: Secrets of the system namespace, with which new nodes authenticate. */
export function bootstrapTokens({
  secrets,
  systemNamespace,
  bootstrapTokenType,
}: AuthenticationNames): Method<typeof needs> {
  return {
    authenticator: defineAuthenticator({
      name: 'bootstrap-tokens',
      kind: 'bearer',
      needs,
      authenticate({ bearerToken = '' }, { caches, clock }) {
        const sent = parseBootstrapToken(bearerToken)
        if (!sent) return undefined
        const secret = caches.of<Stored<Secret>>(secrets).get(systemNamespace, secretNameOf(sent.id))
        if (!secret || secret.metadata.deletionTimestamp || secret.type !== bootstrapTokenType) return undefined
        if (!isSecretPart(secret, sent.secret) || tokenOf(secret)?.id !== sent.id) return undefined
        if (expirationOf(secret) <= clock.now() || !isUsableFor(secret, 'authentication')) return undefined
        const groups = groupsOf(secret)
        // Looking it up again costs nothing, and a deleted token stops working at once.
        return groups && { user: { name: `${userPrefix}${sent.id}`, groups }, cacheable: false }
      },
    }),
    check: { name: 'bootstrap tokens', needs, run: ({ caches }) => caches.of(secrets).ready() },
  }
}
