import { anonymousUser, defineAuthenticator } from 'orch/sdk'

/** A request without any credential comes from nobody in particular. */
export const anonymous = defineAuthenticator({
  name: 'anonymous',
  kind: 'anonymous',
  authenticate: () => ({ user: anonymousUser }),
})
