import { anonymousUser, defineAuthenticator, services } from 'orch/sdk'
import type { Method } from './method.js'

const needs = { authorizer: services.authorizer }

/** A request without any credential comes from nobody in particular. Where everything is allowed, nobody may not come. */
export const anonymous: Method<typeof needs> = {
  authenticator: defineAuthenticator({
    name: 'anonymous',
    kind: 'anonymous',
    needs,
    authenticate: (_credentials, { authorizer }) =>
      authorizer.modes.includes('AlwaysAllow') ? undefined : { user: anonymousUser },
  }),
}
