import type { AuthorizerDefinition } from 'orch/sdk'
import type { AuthorizationMode, AuthorizationOptions } from '../options.js'
import { alwaysAllow } from './always-allow.js'
import { alwaysDeny } from './always-deny.js'
import { node } from './node.js'
import { rbac } from './rbac.js'
import { webhook } from './webhook.js'

/** The authorizers of the listed modes, in that order. */
// biome-ignore lint/suspicious/noExplicitAny: modes with different needs stand in one list
export function authorizersOf(options: AuthorizationOptions): AuthorizerDefinition<any>[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const authorizers: Record<AuthorizationMode, () => AuthorizerDefinition<any>> = {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    RBAC: () => rbac,
    Node: () => node,
    Webhook: () => webhook,
  }
  return options.authorizationMode.map(mode => authorizers[mode]())
}
